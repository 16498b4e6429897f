/**
 * Owns what a toolset is given to reach other programs with: its ports `programs`, `shell` and `browser`, as its options say.
 * Leaves the ports to worker/, temporary folders to root/. Rule: mounting starts nothing and makes no folder, but where a host
 * insists on ripgrep: it is told at mounting that there is none, rather than finding out from a benchmark.
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { OptionsError } from "../contract/errors.ts";
import type { MayConnect } from "../contract/network.ts";
import type { Root } from "../contract/root.ts";
import type { JobSummary } from "../contract/shell.ts";
import type { PathRules } from "../root/fenced-paths.ts";
import type { Scratch, ScratchRequest } from "../root/scratch.ts";
import { findFault } from "../worker/fence-options.ts";
import { findBash, findRipgrepNow, probeConfinement } from "../worker/look-for-programs.ts";
import { openWorker, type WorkerOptions, type WorkerPorts } from "../worker/open-worker.ts";
import type { WorkerBounds } from "../worker/worker-process.ts";
import type { CheckedOptions } from "./options.ts";

/** What only tests set. */
export interface WorkerInternals {
  readonly entry?: string;
  readonly bounds?: Partial<WorkerBounds>;
  readonly maxHeapMegabytes?: number;
}

export interface WorkerRequest {
  readonly internals?: WorkerInternals | undefined;
  readonly root: Root;
  /** What the rules of a session say of files, for the fence around commands. */
  readonly pathRules?: PathRules | undefined;
  readonly options: Pick<CheckedOptions, "ripgrep" | "shell"> &
    Partial<Pick<CheckedOptions, "network" | "browser" | "confine">>;
  /** Whether the rules of a session let commands connect, where they may only by the screen. */
  readonly commandsConnect?: MayConnect | undefined;
  /** Bare names of the mounted tools. */
  readonly tools: readonly string[];
  readonly stateDir?: string | undefined;
  /** Ledgers: no command that is confined sees them. */
  readonly ledgers?: readonly string[] | undefined;
  readonly onJobEnded?: ((job: JobSummary) => void) | undefined;
}

/** Tools that run commands. */
const SHELL_TOOLS = ["bash", "jobs"];

/** The worker's main file, as built: from source there is no file that every version of Node could run. */
export const WORKER_ENTRY = fileURLToPath(
  import.meta.url.endsWith(".ts")
    ? new URL("../../dist/worker-entry/main.js", import.meta.url)
    : new URL("../worker-entry/main.js", import.meta.url),
);

/** Beside it. */
const RELAY_ENTRY = join(dirname(WORKER_ENTRY), "relay.js");
export const PACKAGE_FOLDER = join(dirname(WORKER_ENTRY), "..", "..");

export function giveWorker(request: WorkerRequest): WorkerPorts {
  const { root, options, tools, stateDir, onJobEnded } = request;
  const { shell } = options;
  const ripgrep = options.ripgrep === "always" ? insistOnRipgrep(root) : undefined;
  const runsCommands = tools.some((name) => SHELL_TOOLS.includes(name));
  const bash = runsCommands ? findBash({ root: root.path, path: process.env.PATH }) : undefined;
  const fence = giveFence(request);
  // The person's own caches lie behind the fence.
  const sharedCaches = shell.sharedCaches && fence === undefined;
  const scratch = keepScratch({ root, stateDir, sharedCaches });
  const worker = openWorker({
    root,
    entry: request.internals?.entry ?? WORKER_ENTRY,
    bounds: request.internals?.bounds,
    maxHeapMegabytes: request.internals?.maxHeapMegabytes,
    env: shell.env,
    bash,
    ripgrep,
    browser: tools.includes("browse")
      ? { path: options.browser?.path, network: options.network ?? {} }
      : undefined,
    scratch: scratch.open,
    fence,
    onJobEnded,
  });
  return {
    ...worker,
    async close() {
      await worker.close();
      await scratch.dispose();
    },
  };
}

/** Tried at mounting only where a host requires it: then it is told at once that there is none. */
function giveFence(request: WorkerRequest): WorkerOptions["fence"] {
  const { root, options, pathRules, commandsConnect, stateDir, ledgers = [] } = request;
  const { confine = "off", network = {} } = options;
  if (confine === "off") return undefined;
  const probe = () => probeConfinement({ root: root.path, path: process.env.PATH });
  const fault = confine === "require" ? findFault(probe(), confine) : undefined;
  if (fault !== undefined)
    throw new OptionsError({
      option: "confine",
      expected: `"prefer" or "off": commands cannot be confined here: ${fault}`,
      got: '"require"',
    });
  const screen = { network, mayConnect: commandsConnect, entry: RELAY_ENTRY };
  const kept = stateDir === undefined ? ledgers : [stateDir, ...ledgers];
  return { confine, probe, packageFolder: PACKAGE_FOLDER, rules: pathRules, kept, screen };
}

function insistOnRipgrep(root: Root): string {
  const ripgrep = findRipgrepNow(root.path);
  if (ripgrep !== undefined) return ripgrep;
  throw new OptionsError({
    option: "ripgrep",
    expected:
      '"auto" or "never": no ripgrep 13 or later is found on PATH (outside the root), nor the optional package @vscode/ripgrep',
    got: '"always"',
  });
}

/**
 * Made with the first command, and not loaded before; made again where a command has removed it. What stood in the way
 * then may be gone at the next.
 */
function keepScratch({ root, stateDir, sharedCaches }: ScratchOptions) {
  const request: ScratchRequest = { root, sharedCaches, ...(stateDir === undefined ? {} : { stateDir }) };
  type Opened = Scratch | { readonly error: string };
  let opening: Promise<Opened | undefined> = Promise.resolve(undefined);
  const renew = async (before: Opened | undefined): Promise<Opened> => {
    if (before !== undefined && !("error" in before)) {
      if (before.isThere()) return before;
      await before.dispose();
    }
    const { openScratch } = await import("../root/scratch.ts");
    return openScratch(request);
  };
  return {
    /** One after the other: of two commands at once one makes it. */
    open() {
      const opened = opening.then(renew);
      opening = opened.catch(() => undefined);
      return opened;
    },
    async dispose() {
      const opened = await opening;
      if (opened !== undefined && !("error" in opened)) await opened.dispose();
    },
  };
}

interface ScratchOptions {
  readonly root: Root;
  readonly stateDir: string | undefined;
  readonly sharedCaches: boolean;
}
