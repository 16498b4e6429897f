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
import { openJobMemory } from "./job-memory.ts";
import type { WorkerKeeper } from "./keep-worker.ts";
import { openPages } from "./pages.ts";
import { openPrograms } from "./programs.ts";
import { openToolRunner, type RunTool } from "./run-tool.ts";
import { openShell, type ScratchVariables } from "./shell.ts";
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
  readonly fence?: FenceOptions | undefined;
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
  /** Ends the worker with everything that it has started; later calls are refused. */
  close(): Promise<void>;
}

export function openWorker(options: WorkerOptions): WorkerPorts {
  const { root, entry, env, bash, ripgrep, scratch, bounds, maxHeapMegabytes } = options;
  const fence = keepFence(options);
  const memory = openJobMemory((job) => {
    fence?.jobEnded(job);
    options.onJobEnded?.(job);
  });
  let keeping: Promise<WorkerKeeper> | undefined;
  const keeper = () => {
    keeping ??= import("./keep-worker.ts").then(({ keepWorker }) =>
      keepWorker({ entry, memory, bounds, maxHeapMegabytes }),
    );
    return keeping;
  };
  const programs = openPrograms({ keeper, root: root.path, ripgrep, fence: fence?.find });
  const close = async () => {
    await (await keeping)?.close();
    await fence?.close();
  };
  return {
    programs,
    pages: openPages(keeper),
    documents: openDocuments(keeper),
    runTool: openToolRunner(keeper),
    ...(bash === undefined
      ? {}
      : { shell: openShell({ keeper, memory, bash, env, scratch, fence: fence?.find }) }),
    ...(options.browser === undefined
      ? {}
      : {
          browser: openBrowser({ keeper, root: root.path, scratch, fence: fence?.find, ...options.browser }),
        }),
    close,
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
