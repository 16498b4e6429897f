/**
 * Owns one run of a browser: started on one URL, watched until its page is there, ended, and nothing of it left.
 * Leaves its words to browser-arguments.ts, its folder to browser-profile.ts, ending it to end-tree.ts. Rule: it
 * answers when every process of the browser is gone and its profile removed, whatever it was that ended it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fenceBrowser } from "../confine/fence-browser.ts";
import type { FenceArguments } from "../confine/supervise.ts";
import { CANCEL_GRACE_MS, endTree } from "../end-tree.ts";
import { carriesCommand } from "../mark.ts";
import { MARK, processTable } from "../process-table.ts";
import { sampleTree } from "../sample-tree.ts";
import { killChild } from "../signal.ts";
import { openTree, type Tree } from "../tree.ts";
import { browserArguments, isRoot, NET_LOG, SCREENSHOT } from "./browser-arguments.ts";
import { makeProfile, type Profile } from "./browser-profile.ts";
import { tellLastWords } from "./last-words.ts";
import { type PageHead, readPageHead } from "./net-log.ts";
import { endsPage, type PageMet, readEnd, readStart, waitForPage } from "./page-watch.ts";

export interface BrowserRun {
  /** Absolute path. */
  readonly program: string;
  /** Screened. */
  readonly url: string;
  readonly proxyPort: number;
  /** The end of the user agent by which the proxy knows this browser. */
  readonly userAgentMark: string;
  /** Virtual milliseconds that timers of the page may run. */
  readonly waitMs: number;
  readonly screenshot: boolean;
  /** Bytes of the DOM that are kept. */
  readonly maxBytes: number;
  /** Until the browser is ended. */
  readonly timeoutMs: number;
  /** Where the profile is made, absolute. */
  readonly folder: string;
  /** What confines it, all but its profile; absent where nothing does. */
  readonly fence?: FenceArguments;
}

export interface LocalRun extends BrowserRun {
  readonly signal: AbortSignal;
  /** What it carries in its environment. */
  readonly mark: string;
}

export type BrowserEnd =
  | {
      readonly kind: "ended";
      /** What ended the wait; `cancelled` keeps what there was. */
      readonly by: PageMet;
      readonly dom: Uint8Array;
      /** The document is closed, and all of it is here. */
      readonly isComplete: boolean;
      readonly isCut: boolean;
      readonly screenshot?: Uint8Array;
      readonly head?: PageHead;
      readonly lastWords: string;
      /** Whether the browser's own sandbox was on. */
      readonly isSandboxed: boolean;
      readonly durationMs: number;
    }
  | { readonly kind: "not-started"; readonly error: string };

const LAST_WORDS_BYTES = 65_536;
/** More than the requests of any page that ends in time. */
const MAX_LOG_BYTES = 33_554_432;

export async function runBrowser(run: LocalRun): Promise<BrowserEnd> {
  let profile: Profile | undefined;
  try {
    profile = makeProfile({ folder: run.folder, isFenced: run.fence !== undefined });
    return await runIn(profile, run);
  } catch (error) {
    return { kind: "not-started", error: error instanceof Error ? error.message : String(error) };
  } finally {
    if (profile !== undefined) {
      closeSync(profile.dom);
      closeSync(profile.errors);
      await profile.remove();
    }
  }
}

async function runIn(profile: Profile, run: LocalRun): Promise<BrowserEnd> {
  const startedMs = performance.now();
  const child = start(profile, run);
  const exited = watchExit(child);
  const { pid } = child;
  if (pid === undefined) return { kind: "not-started", error: (await exited) ?? "it has no process id" };
  const tree = openTreeOf(pid, run.mark);
  const stopSampling = tree === undefined ? () => {} : sampleTree(tree, processTable);
  let by: PageMet;
  try {
    by = await waitForPage({ ...run, profile, exited, waitForExit: run.screenshot });
  } finally {
    stopSampling();
    // What was cancelled may still clean up; what has given its page, or has had its time, may not.
    await endBrowser({ child, tree, graceMs: run.signal.aborted ? CANCEL_GRACE_MS : 0 });
  }
  return {
    kind: "ended",
    by,
    ...collect(profile, run),
    durationMs: Math.round(performance.now() - startedMs),
  };
}

function start(profile: Profile, run: LocalRun): ChildProcess {
  const words = [run.program, ...browserArguments(run, { profile: profile.path })];
  const [program = "", ...args] =
    run.fence === undefined ? words : fenceBrowser({ fence: run.fence, profile, words });
  return spawn(program, args, {
    cwd: profile.path,
    env: { ...profile.environment, [MARK]: run.mark },
    stdio: ["ignore", profile.dom, profile.errors],
    detached: process.platform !== "win32",
    shell: false,
    windowsHide: true,
  });
}

/** Resolves when it has ended, with an error where it was never started. */
function watchExit(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    child.on("error", (error) => {
      if (child.pid === undefined) resolve(error.message);
    });
    child.once("exit", () => resolve(undefined));
  });
}

/** Looked at before the event loop goes on: until then the pid is the browser's, even if it has ended. */
function openTreeOf(pid: number, mark: string): Tree | undefined {
  const row = processTable.lookAt(pid);
  if (row === undefined) return undefined;
  return openTree({
    table: processTable,
    seeds: [{ ...row, group: pid, session: row.session === 0 ? 0 : pid }],
    since: row.startedAt,
    isOurMark: (found) => carriesCommand(found, mark),
    outputs: [],
  });
}

async function endBrowser(of: {
  readonly child: ChildProcess;
  readonly tree: Tree | undefined;
  readonly graceMs: number;
}): Promise<void> {
  if (of.tree === undefined) killChild(of.child);
  else await endTree(of.tree, { graceMs: of.graceMs });
}

function collect(profile: Profile, run: LocalRun) {
  const whole = readStart(profile.dom, run.maxBytes + 1);
  const isCut = whole.length > run.maxBytes;
  const head = readPageHead(readText(join(profile.path, NET_LOG)));
  const screenshot = run.screenshot ? readBytes(join(profile.path, SCREENSHOT)) : undefined;
  return {
    dom: whole.subarray(0, run.maxBytes),
    isComplete: !isCut && endsPage(profile.dom, whole.length),
    isCut,
    ...(screenshot === undefined ? {} : { screenshot }),
    ...(head === undefined ? {} : { head }),
    lastWords: tellLastWords(readEnd(profile.errors, LAST_WORDS_BYTES).toString("utf8"), profile.path),
    isSandboxed: !isRoot(),
  };
}

function readBytes(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

function readText(path: string): string {
  const bytes = readBytes(path);
  return bytes === undefined || bytes.length > MAX_LOG_BYTES ? "" : bytes.toString("utf8");
}
