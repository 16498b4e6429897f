/**
 * Owns opening a toolset's way to other programs: its ports `programs`, `pages`, `documents`, `shell` and
 * `browser`.
 * Leaves each port to its file, the worker to keep-worker.ts. Rule: opening is synchronous and loads nothing that
 * spawns; the worker starts with the first call that needs it.
 */
import type { Browser } from "../contract/browser.ts";
import type { Pages } from "../contract/page.ts";
import type { Documents } from "../contract/pdf.ts";
import type { Programs } from "../contract/program.ts";
import type { Root } from "../contract/root.ts";
import type { JobSummary, Shell } from "../contract/shell.ts";
import { type BrowserRequest, openBrowser } from "./browser.ts";
import { openDocuments } from "./documents.ts";
import type { Fence } from "./fence.ts";
import type { FenceOptions } from "./fence-options.ts";
import { type JobMemory, openJobMemory } from "./job-memory.ts";
import type { WorkerKeeper } from "./keep-worker.ts";
import { openPages } from "./pages.ts";
import { openPrograms } from "./programs.ts";
import { type Admit, openToolRunner, type RunTool } from "./run-tool.ts";
import { openShell, type ScratchVariables } from "./shell.ts";
import type { ToolsFenceRequest } from "./tools-fence.ts";
import type { WorkerBounds } from "./worker-process.ts";

export interface WorkerOptions {
  readonly root: Root;
  /** Absolute path of the worker's main file. */
  readonly entry: string;
  readonly env: { readonly pass: readonly string[]; readonly set: Readonly<Record<string, string>> };
  /** Absolute path of the shell, where commands may be run. */
  readonly bash?: string | undefined;
  /** A ripgrep that was found already. */
  readonly ripgrep?: string | undefined;
  /** What a browser is run with, where pages may be visited. */
  readonly browser?: Pick<BrowserRequest, "path" | "network"> | undefined;
  readonly scratch: () => Promise<ScratchVariables>;
  /** Absent where nothing is confined. */
  readonly fence?: (FenceOptions & Pick<ToolsFenceRequest, "packageFolder">) | undefined;
  readonly bounds?: Partial<WorkerBounds> | undefined;
  readonly maxHeapMegabytes?: number | undefined;
  /** Told the end of each job. Must not throw. */
  readonly onJobEnded?: ((job: JobSummary) => void) | undefined;
}

export interface WorkerPorts {
  readonly programs: Programs;
  readonly pages: Pages;
  readonly documents: Documents;
  readonly shell?: Shell;
  readonly browser?: Browser;
  /** Runs a tool of the catalogue in the worker. */
  readonly runTool: RunTool;
  /** Why tools run in a worker that is not confined, though that was preferred: told once, after a tool has run. */
  readonly takeOpen: () => Promise<string | undefined>;
  /** Ends the worker with everything that it has started; later calls are refused. */
  close(): Promise<void>;
}

export function openWorker(options: WorkerOptions): WorkerPorts {
  const { root, env, bash, ripgrep, scratch } = options;
  const fence = keepFence(options);
  const memory = openJobMemory((job) => {
    fence?.jobEnded(job);
    options.onJobEnded?.(job);
  });
  const { keeper, tools, wall, close: closeKeepers } = openKeepers(options, memory);
  const programs = openPrograms({ keeper, root: root.path, ripgrep, fence: fence?.find });
  return {
    programs,
    pages: openPages(tools),
    documents: openDocuments(tools),
    runTool: openToolRunner({ keeper: tools, memory, admit: wall?.admit }),
    takeOpen: async () => wall?.takeOpen(),
    ...(bash === undefined
      ? {}
      : { shell: openShell({ keeper, memory, bash, env, scratch, fence: fence?.find }) }),
    ...(options.browser === undefined
      ? {}
      : {
          browser: openBrowser({ keeper, root: root.path, scratch, fence: fence?.find, ...options.browser }),
        }),
    async close() {
      await closeKeepers();
      await fence?.close();
    },
  };
}

interface Keepers {
  /** Of the worker that starts other programs. Where these are confined it stays outside: it puts up their fences. */
  readonly keeper: () => Promise<WorkerKeeper>;
  /** Of the worker in which tools run, and pages and documents are converted. The same one where nothing is confined. */
  readonly tools: () => Promise<WorkerKeeper>;
  /** What is around the tools; absent where nothing is confined. */
  readonly wall: { readonly admit: Admit; readonly takeOpen: () => Promise<string | undefined> } | undefined;
  close(): Promise<void>;
}

function openKeepers(options: WorkerOptions, memory: JobMemory): Keepers {
  const { root, entry, fence: asked, bounds, maxHeapMegabytes } = options;
  const load = () => import("./keep-worker.ts");
  const keeper = keepOne(async () => (await load()).keepWorker({ entry, memory, bounds, maxHeapMegabytes }));
  if (asked === undefined)
    return { keeper: keeper.find, tools: keeper.find, wall: undefined, close: closer(keeper) };
  const fencing = keepOne(async () =>
    (await import("./tools-fence.ts")).openToolsFence({ ...asked, root, entry }),
  );
  const tools = keepOne(async () => {
    const [{ keepWorker }, fence] = await Promise.all([load(), fencing.find()]);
    // It holds no jobs: what becomes of it is nothing to theirs.
    return keepWorker({ entry, memory: openJobMemory(), bounds, maxHeapMegabytes, fence });
  });
  return {
    keeper: keeper.find,
    tools: tools.find,
    wall: {
      admit: async (places) => (await fencing.find()).admit(places),
      takeOpen: async () => (await fencing.find()).takeOpen(),
    },
    close: closer(tools, keeper),
  };
}

function closer(...all: readonly { readonly opened: () => Promise<WorkerKeeper | undefined> }[]) {
  return async () => {
    await Promise.all(all.map(async (one) => (await one.opened())?.close()));
  };
}

/** Not loaded before it is first needed. */
function keepOne<T>(make: () => Promise<T>) {
  let opening: Promise<T> | undefined;
  return {
    find(): Promise<T> {
      opening ??= make();
      return opening;
    },
    opened: async (): Promise<T | undefined> => opening,
  };
}

/** Not loaded before the first command. */
function keepFence({ root, fence }: WorkerOptions) {
  if (fence === undefined) return undefined;
  let opening: Promise<Fence> | undefined;
  return {
    find: () => {
      opening ??= import("./fence.ts").then(({ openFence }) => openFence({ ...fence, root }));
      return opening;
    },
    jobEnded: (job: JobSummary) => void opening?.then((opened) => opened.jobEnded(job)),
    close: async () => (await opening)?.close(),
  };
}
