/**
 * Owns the fence of one toolset, on the host's side: how each command is confined, and what is looked at after it.
 * Leaves which paths to fence-paths.ts, the driver's arguments to process/confine/, running to the worker. Rule: decided
 * anew for each command, from the tree as it is. Where a fence is required and cannot be had nothing is run.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Root } from "../contract/root.ts";
import type { Captured, CommandEnd, FenceReport, JobSummary } from "../contract/shell.ts";
import { bubblewrapArguments } from "../process/confine/bubblewrap-arguments.ts";
import { nameDenials } from "../process/confine/name-denial.ts";
import type { RelayRequest } from "../process/confine/relay-words.ts";
import type { FenceArguments } from "../process/confine/supervise.ts";
import { type FencedPathsFinder, openFencedPaths } from "../root/fenced-paths.ts";
import { type GitPart, removeAppeared } from "../root/git-parts.ts";
import { makeSessionFolder } from "../root/session-folder.ts";
import { type BrowserSetting, fenceBrowser } from "./browser-fence.ts";
import { type CommandScreen, openCommandScreen } from "./command-screen.ts";
import { type FenceLayout, layOut, nameRelative } from "./fence-layout.ts";
import { explainMany, type FenceOptions, findFault } from "./fence-options.ts";

export type RootedOptions = FenceOptions & { readonly root: Root };

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
  | {
      readonly kind: "fenced";
      readonly fence: FenceArguments;
      readonly layout: FenceLayout;
      /** What is run is told of the way to the network by them; empty where there is none to tell of. */
      readonly variables: Readonly<Record<string, string>>;
      /** How much the screen had refused before. */
      readonly refusedBefore: number;
    };

export interface Fence {
  /** How one command, or a program of ours, is to be run. */
  around(setting: CommandSetting): Promise<Fencing>;
  /** Whether what is confined has no network but by way of a screen. */
  readonly takesNetwork: boolean;
  /** How a browser is to be run. Nothing is told of its end. */
  aroundBrowser(setting: BrowserSetting): Promise<Fencing>;
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
  readonly finder: FencedPathsFinder;
  /** Of commands, where they have no network but by it. */
  readonly screen: CommandScreen | undefined;
  /** Stands for `/tmp` of every command; made with the first. */
  temporary: Promise<string> | undefined;
  /** Commands and jobs that run confined. */
  readonly live: Set<object | string>;
  readonly endedJobs: Set<string>;
  /** What must not come into being while any of them runs. */
  watched: ReadonlyMap<string, GitPart>;
  /** Removed when nobody was there to be told. */
  readonly untold: string[];
}

export function openFence(options: RootedOptions): Fence {
  const { root, confine, screen } = options;
  const hasScreen = confine === "require" && screen !== undefined;
  const state: State = {
    options,
    finder: openFencedPaths(root, options.rules),
    screen: hasScreen ? openCommandScreen(root.path, screen) : undefined,
    temporary: undefined,
    live: new Set(),
    endedJobs: new Set(),
    watched: new Map(),
    untold: [],
  };
  return {
    takesNetwork: hasScreen,
    around: (setting) => fenceCommand(state, setting),
    aroundBrowser: async (setting) => fenceBrowser(options, await state.finder.find(), setting),
    report: (fencing, end) => reportEnd(state, fencing, end),
    jobEnded(job) {
      state.endedJobs.add(job.id);
      if (!state.live.delete(job.id)) return;
      void removeWatched(state).then((removed) => state.untold.push(...removed));
    },
    async close() {
      await removeWatched(state);
      await state.screen?.close();
      const path = await state.temporary?.catch(() => undefined);
      if (path !== undefined) await rm(path, { recursive: true, force: true }).catch(() => {});
    },
  };
}

async function fenceCommand(state: State, setting: CommandSetting): Promise<Fencing> {
  const { root, confine, probe: askProbe } = state.options;
  const probe = askProbe();
  const fault = findFault(probe, confine);
  if (fault !== undefined)
    return confine === "require" ? { kind: "refused", error: fault } : { kind: "open", why: fault };
  state.temporary ??= makeSessionFolder();
  const found = await state.finder.find();
  await checkWatched(state);
  // A program of ours that reads needs none.
  const screen = setting.isReader ? undefined : state.screen;
  const layout = layOut({
    ...setting,
    rootAccess: setting.isReader ? "read-only" : "writable",
    root,
    found,
    kept: state.options.kept ?? [],
    temporary: await state.temporary,
    network: confine === "prefer" ? "host" : screen === undefined ? "none" : "relay",
    isSuperuser: probe.isSuperuser,
  });
  const args = bubblewrapArguments(layout);
  if (args.length > MAX_WORDS)
    return {
      kind: "refused",
      error: `the fence: ${explainMany(found, state.options.rules)}`,
    };
  const { program = "", nsenter = "" } = probe;
  const relay = await openRelay(screen, { nsenter, isSuperuser: probe.isSuperuser });
  if (typeof relay === "string") return { kind: "refused", error: `the fence: no screen: ${relay}` };
  if (!setting.isReader) {
    watch(state, layout);
    state.live.add(layout);
  }
  return {
    kind: "fenced",
    fence: {
      program,
      args,
      root: root.path,
      mounts: layout.mounts,
      ...(relay === undefined ? {} : { relay }),
    },
    layout,
    variables: screen?.variables ?? {},
    refusedBefore: screen?.count() ?? 0,
  };
}

async function openRelay(
  screen: CommandScreen | undefined,
  of: { readonly nsenter: string; readonly isSuperuser: boolean },
): Promise<RelayRequest | string | undefined> {
  try {
    return await screen?.open(of);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
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
  const denied = end.kind === "ended" ? findDenials(state, fencing, end) : [];
  return removed.length + denied.length === 0 ? undefined : { denied, removed };
}

function findDenials(
  { options: { root, rules }, screen }: State,
  { layout, refusedBefore }: Fencing & { readonly kind: "fenced" },
  end: Extract<CommandEnd, { kind: "ended" }>,
): string[] {
  if (end.exit.kind !== "exited") return [];
  return nameDenials({
    hasFailed: end.exit.code !== 0,
    printed: [end.stdout, end.stderr].map(readEnds).join("\n"),
    network: layout.network,
    refused: screen?.refusedSince(refusedBefore) ?? [],
    covered: layout.covered,
    hidden: layout.hidden.map((path) => nameRelative(root, path)),
    withheld: layout.withheld.map((path) => nameRelative(root, path)),
    nameRule: (path) => rules?.hides(join(root.path, path)) ?? rules?.hides(join(root.path, path, "new")),
    hasGit: layout.hasGit,
  });
}

function readEnds({ head, tail }: Captured): string {
  const ends = tail.length === 0 ? [head] : [head, tail];
  return ends
    .flatMap((bytes) => [bytes.subarray(0, JUDGED_BYTES), bytes.subarray(-JUDGED_BYTES)])
    .map((bytes) => Buffer.from(bytes).toString("utf8"))
    .join("\n");
}
