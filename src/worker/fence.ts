/**
 * Owns the fence of one toolset, on the host's side: how each command is confined, and what is looked at after it.
 * Leaves which paths to fence-paths.ts, the driver's arguments to process/confine/, running to the worker. Rule: decided
 * anew for each command, from the tree as it is. Where a fence is required and cannot be had nothing is run.
 */
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Root } from "../contract/root.ts";
import type { Captured, CommandEnd, FenceReport, JobSummary } from "../contract/shell.ts";
import { bubblewrapArguments } from "../process/confine/bubblewrap-arguments.ts";
import { nameDenials } from "../process/confine/name-denial.ts";
import type { FenceArguments } from "../process/confine/supervise.ts";
import { openFencedPaths } from "../root/fenced-paths.ts";
import { type GitPart, removeAppeared } from "../root/git-parts.ts";
import { type FenceLayout, layOut, nameRelative } from "./fence-layout.ts";
import { type FenceOptions, findFault } from "./fence-options.ts";

type RootedOptions = FenceOptions & { readonly root: Root };

export interface CommandSetting {
  /** What the command sees. */
  readonly environment: Readonly<Record<string, string>>;
  /** Writable beside the root. */
  readonly writable: readonly string[];
  /** Real paths of programs that it needs. */
  readonly programs: readonly string[];
  /** A program of ours only reads. */
  readonly isReader: boolean;
}

export type Fencing =
  | { readonly kind: "open"; readonly why: string }
  | { readonly kind: "refused"; readonly error: string }
  | { readonly kind: "fenced"; readonly fence: FenceArguments; readonly layout: FenceLayout };

export interface Fence {
  /** How one command, or a program of ours, is to be run. */
  around(setting: CommandSetting): Promise<Fencing>;
  /** Told the end of each command, however it came to it; gives what there is to say of it. */
  report(fencing: Fencing, end: CommandEnd): Promise<FenceReport | undefined>;
  jobEnded(job: JobSummary): void;
  close(): Promise<void>;
}

/** bubblewrap takes no more than 9,000 words. */
const MAX_WORDS = 8_800;
/** Errors stand at an end of what was printed. */
const JUDGED_BYTES = 65_536;

interface State {
  readonly options: RootedOptions;
  /** Commands and jobs that run confined. */
  readonly live: Set<object | string>;
  readonly endedJobs: Set<string>;
  /** What must not come into being while any of them runs. */
  watched: ReadonlyMap<string, GitPart>;
  /** Removed when nobody was there to be told. */
  readonly untold: string[];
}

export function openFence(options: RootedOptions): Fence {
  const { root, confine } = options;
  const finder = openFencedPaths(root, options.rules);
  const state: State = { options, live: new Set(), endedJobs: new Set(), watched: new Map(), untold: [] };
  let temporary: Promise<string> | undefined;

  async function around(setting: CommandSetting): Promise<Fencing> {
    const probe = options.probe();
    const fault = findFault(probe, confine);
    if (fault !== undefined)
      return confine === "require" ? { kind: "refused", error: fault } : { kind: "open", why: fault };
    temporary ??= mkdtemp(join(tmpdir(), "haft-")).then((path) => realpath(path));
    const found = await finder.find();
    await checkWatched(state);
    const layout = layOut({
      ...setting,
      root,
      found,
      temporary: await temporary,
      network: confine === "require" ? "none" : "host",
      isSuperuser: probe.isSuperuser,
    });
    const args = bubblewrapArguments(layout);
    if (args.length > MAX_WORDS)
      return {
        kind: "refused",
        error: `the fence: more paths are to be kept apart (${found.hidden.length} withheld, ${found.locked.length} locked, ${found.gits.length} git directories) than can be named`,
      };
    if (!setting.isReader) {
      watch(state, layout);
      state.live.add(layout);
    }
    const { program = "" } = probe;
    return { kind: "fenced", fence: { program, args, root: root.path, mounts: layout.mounts }, layout };
  }

  return {
    around,
    report: (fencing, end) => reportEnd(state, fencing, end),
    jobEnded(job) {
      state.endedJobs.add(job.id);
      if (!state.live.delete(job.id)) return;
      void removeWatched(state).then((removed) => state.untold.push(...removed));
    },
    async close() {
      await removeWatched(state);
      const path = await temporary?.catch(() => undefined);
      if (path !== undefined) await rm(path, { recursive: true, force: true }).catch(() => {});
    },
  };
}

/** Where nothing of ours has run since, what is there now was made by others and is left alone. */
function watch(state: State, { parts }: FenceLayout): void {
  const watched = new Map(parts.map((part) => [part.path, part]));
  // While something runs, what was absent when it began is absent still, whatever stands there by now.
  if (state.live.size > 0) for (const [path, part] of state.watched) watched.set(path, part);
  state.watched = watched;
}

async function checkWatched(state: State): Promise<void> {
  if (state.live.size > 0) state.untold.push(...(await removeWatched(state)));
}

async function removeWatched({ options: { root }, watched }: State): Promise<string[]> {
  const removed = await removeAppeared(root, [...watched.values()]);
  return removed.map((path) => nameRelative(root, path));
}

async function reportEnd(state: State, fencing: Fencing, end: CommandEnd): Promise<FenceReport | undefined> {
  if (fencing.kind === "open") return { open: fencing.why, denied: [], removed: [] };
  if (fencing.kind !== "fenced") return undefined;
  const job = end.kind === "background" ? end.job : end.kind === "ended" ? end.left : undefined;
  if (job !== undefined && !state.endedJobs.has(job.id)) state.live.add(job.id);
  state.live.delete(fencing.layout);
  const removed = [...state.untold.splice(0), ...(await removeWatched(state))];
  const denied = end.kind === "ended" ? findDenials(state, fencing.layout, end) : [];
  return removed.length + denied.length === 0 ? undefined : { denied, removed };
}

function findDenials(
  { options: { root } }: State,
  layout: FenceLayout,
  end: Extract<CommandEnd, { kind: "ended" }>,
): string[] {
  if (end.exit.kind !== "exited") return [];
  return nameDenials({
    hasFailed: end.exit.code !== 0,
    printed: [end.stdout, end.stderr].map(readEnds).join("\n"),
    network: layout.network,
    covered: layout.covered,
    hidden: layout.hidden.map((path) => nameRelative(root, path)),
    hasGit: layout.pinned.length > 0,
  });
}

function readEnds({ head, tail }: Captured): string {
  const ends = tail.length === 0 ? [head] : [head, tail];
  return ends
    .flatMap((bytes) => [bytes.subarray(0, JUDGED_BYTES), bytes.subarray(-JUDGED_BYTES)])
    .map((bytes) => Buffer.from(bytes).toString("utf8"))
    .join("\n");
}
