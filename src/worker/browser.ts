/**
 * Owns visiting a page from the host's side: the screen, the proxy, and asking the worker to run the browser.
 * Leaves the browser to process/, in the worker, the verdicts to net/. Rule: the URL is screened before anything is
 * looked for or launched, the proxy asks the same screen about everything after it, and it is gone when the call is.
 */
import type { Browser, PageVisit, Visited } from "../contract/browser.ts";
import { type Refusal, refuse } from "../contract/refusal.ts";
import { type NetRefusal, toRefusal } from "../net/net-refusal.ts";
import type { FilteringProxy } from "../net/proxy.ts";
import type { Screen, ScreenOptions } from "../net/screen.ts";
import { showUrl } from "../net/shown-url.ts";
import { findBrowser } from "../process/browser/find-browser.ts";
import { RELAY_PORT } from "../process/confine/relay-words.ts";
import type { FenceArguments } from "../process/confine/supervise.ts";
import { makePrivateFolder } from "../root/private-folder.ts";
import type { Fence } from "./fence.ts";
import type { WorkerKeeper } from "./keep-worker.ts";
import type { ScratchVariables } from "./shell.ts";
import type { TaskTable } from "./tasks.ts";
import { describeVisit } from "./visited.ts";

export interface BrowserRequest {
  readonly keeper: () => Promise<WorkerKeeper>;
  /** The root's real path: what lies below it is never run. */
  readonly root: string;
  /** The option `browser.path`. */
  readonly path?: string | undefined;
  readonly network: Pick<ScreenOptions, "lookup" | "privateHosts">;
  readonly scratch: () => Promise<ScratchVariables>;
  /** Absent where browsers are not confined. */
  readonly fence?: (() => Promise<Fence>) | undefined;
}

/** SPEC: in all, from the screen to the end of the browser. */
const VISIT_MS = 20_000;
/** After so long what is still open is ended, streams and long polls too: virtual time stands still while they are. */
const SETTLE_MS = 12_000;

/** Bytes that a page may load in all, ten times what heavy ones do: a body without end would fill the machine's memory. */
const MAX_RECEIVED = 33_554_432;
const LOOK_MS = 100;

export type BrowserAnswer = TaskTable["browser.run"]["output"] & { readonly kind: "ended" };

export function openBrowser(request: BrowserRequest): Browser {
  return { visit: (visit) => visitPage(request, visit) };
}

async function visitPage(request: BrowserRequest, visit: PageVisit): Promise<Visited> {
  const startedMs = performance.now();
  const { openScreen } = await import("../net/screen.ts");
  const screen = openScreen({
    ...request.network,
    ...(visit.mayConnect === undefined ? {} : { mayConnect: visit.mayConnect }),
  });
  const overdue = AbortSignal.any([visit.signal, AbortSignal.timeout(VISIT_MS)]);
  const target = await screen(visit.url, overdue);
  visit.signal.throwIfAborted();
  if (target.kind === "net-refusal") return { kind: "refused", refusal: refuseTarget(target, visit) };
  const found = findBrowser({ root: request.root, option: request.path, host: process.env });
  if (!("program" in found)) return { kind: "refused", refusal: refuse("browser-missing", found) };
  const scratch = await request.scratch();
  if ("error" in scratch) return notStarted(scratch.error);
  const folder = scratch.variables.TMPDIR;
  if (folder === undefined) return notStarted("there is no folder for temporary files");
  const { program } = found;
  const timeoutMs = Math.max(1, Math.round(VISIT_MS - (performance.now() - startedMs)));
  const launch = { request, visit, screen, url: target.url.href, program, folder, timeoutMs };
  const fence = await request.fence?.();
  return fence === undefined ? runBehindProxy(launch) : runFenced(launch, fence);
}

/**
 * Its profile lies where no command can write: what is mounted from a scratch folder could be exchanged meanwhile. Where
 * the network is taken away, the proxy listens on a socket there, that the relay in the browser's network pipes to.
 */
async function runFenced(launch: Launch, fence: Fence): Promise<Visited> {
  const { request, program } = launch;
  const own = await makePrivateFolder(request.root).catch((error: Error) => error.message);
  if (typeof own === "string") return notStarted(own);
  try {
    const socket = fence.takesNetwork ? own.socket : undefined;
    const fencing = await fence.aroundBrowser({ program, socket });
    if (fencing.kind === "refused") return notStarted(fencing.error);
    if (fencing.kind === "open") return sayOpen(await runBehindProxy(launch), fencing.why);
    return await runBehindProxy({ ...launch, folder: own.path, fence: fencing.fence, socket });
  } finally {
    await own.remove();
  }
}

function sayOpen(visited: Visited, why: string): Visited {
  return visited.kind === "refused" ? visited : { ...visited, open: why };
}

interface Launch {
  readonly request: BrowserRequest;
  readonly visit: PageVisit;
  readonly screen: Screen;
  readonly url: string;
  readonly program: string;
  readonly folder: string;
  readonly timeoutMs: number;
  /** Absent where the browser is not confined. */
  readonly fence?: FenceArguments;
  /** Where the proxy listens, if not on a port. */
  readonly socket?: string | undefined;
}

async function runBehindProxy(launch: Launch): Promise<Visited> {
  const { visit, program, url, folder, timeoutMs, fence, socket } = launch;
  const { openProxy } = await import("../net/proxy.ts");
  const verdicts = new Map<string, NetRefusal>();
  const screen = noteRefusals(launch.screen, verdicts);
  const proxy = await openProxy({ screen, socket });
  const stopSettling = settleInTime(proxy);
  try {
    const keeper = await launch.request.keeper();
    const { waitMs, screenshot, maxBytes, signal } = visit;
    const page = { program, url, folder, timeoutMs, waitMs, screenshot, maxBytes };
    const run = { ...page, ...(fence === undefined ? {} : { fence }), ...accessOf(proxy) };
    const { value, parts } = await keeper.ask("browser.run", run, { signal });
    signal.throwIfAborted();
    if (value.kind === "not-started") return notStarted(value.error);
    return describeVisit({ url, program, answer: value, parts, proxy, verdicts, signal });
  } finally {
    stopSettling();
    await proxy.close();
  }
}

function settleInTime(proxy: FilteringProxy): () => void {
  const timer = setTimeout(proxy.settle, SETTLE_MS);
  const looking = setInterval(() => {
    if (proxy.received() > MAX_RECEIVED) proxy.settle();
  }, LOOK_MS);
  return () => {
    clearTimeout(timer);
    clearInterval(looking);
  };
}

/** A resolver that does not answer is ended by our own clock. */
function refuseTarget(target: NetRefusal, { url, signal }: PageVisit): Refusal {
  if (target.code !== "fetch-cancelled") return toRefusal(target, signal);
  return refuse("fetch-timed-out", {
    url: showUrl(url),
    stage: "look-up",
    timeoutMs: VISIT_MS,
    receivedBytes: 0,
  });
}

function accessOf({ port, userAgentMark }: FilteringProxy) {
  return { proxyPort: port === 0 ? RELAY_PORT : port, userAgentMark };
}

/** Remembers the first refusal for each host and port, so that a page that could not be had says why. */
function noteRefusals(screen: Screen, verdicts: Map<string, NetRefusal>): Screen {
  return async (url, signal) => {
    const verdict = await screen(url, signal);
    const { host } = new URL(url);
    if (verdict.kind === "net-refusal" && !verdicts.has(host)) verdicts.set(host, verdict);
    return verdict;
  };
}

function notStarted(error: string): Visited {
  return { kind: "refused", refusal: refuse("browser-failed", { reason: "not-started", lastWords: error }) };
}
