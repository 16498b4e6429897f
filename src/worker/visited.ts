/**
 * Owns what a run of the browser came to: a page, none, or a refusal of the screen in the page's place.
 * Leaves the run to browser.ts, words to the tool. Rule: an answer of our own proxy is never shown as a page: what
 * was asked for was not reached, and that is said.
 */
import type { BlockedRequests, Visited } from "../contract/browser.ts";
import { explainBlock, type NetRefusal, toRefusal } from "../net/net-refusal.ts";
import type { FilteringProxy } from "../net/proxy.ts";
import { showUrl } from "../net/shown-url.ts";
import type { BrowserAnswer } from "./browser.ts";

export interface Visit {
  /** As it was asked for. */
  readonly url: string;
  readonly program: string;
  readonly answer: BrowserAnswer;
  readonly parts: readonly Uint8Array[];
  readonly proxy: FilteringProxy;
  /** The first refusal for each host and port. */
  readonly verdicts: ReadonlyMap<string, NetRefusal>;
  readonly signal: AbortSignal;
}

export function describeVisit(visit: Visit): Visited {
  const { answer, proxy, program } = visit;
  const { isSandboxed, durationMs, head } = answer;
  const run = {
    blocked: listBlocked(proxy),
    connected: proxy.connected(),
    browser: program,
    isSandboxed,
    durationMs,
  };
  const [domBytes = new Uint8Array(), screenshot = new Uint8Array()] = visit.parts;
  const url = head?.url ?? visit.url;
  const bytes = trimEnd(domBytes);
  if (bytes.length === 0 || head?.isFromProxy === true || head?.error !== undefined) {
    const refusal = findVerdict(url, visit);
    if (refusal !== undefined) return { kind: "refused", refusal: toRefusal(refusal, visit.signal) };
    const lastWords =
      head?.error ?? (head?.isFromProxy === true ? "no connection to the server" : answer.lastWords);
    return { ...run, kind: "no-page", isTimedOut: answer.by === "timed-out", lastWords };
  }
  return {
    ...run,
    kind: "page",
    dom: decode(bytes),
    bytes: bytes.length,
    isCut: answer.isCut,
    isUnfinished: !answer.isCut && answer.by === "timed-out" && !answer.isComplete,
    url,
    ...(head?.status === undefined ? {} : { status: head.status }),
    ...(head?.mediaType === undefined ? {} : { mediaType: head.mediaType }),
    ...(screenshot.length === 0 ? {} : { screenshot }),
  };
}

/** Why the page itself could not be had. A tunnel is asked for without a scheme: its host and port are all that the verdict knows. */
function findVerdict(url: string, visit: Visit): NetRefusal | undefined {
  const { host, hostname, port, protocol } = new URL(url);
  const tunnel = `${hostname}:${port === "" ? (protocol === "https:" ? "443" : "80") : port}`;
  const verdict = visit.verdicts.get(host) ?? visit.verdicts.get(tunnel);
  if (verdict === undefined) return undefined;
  const from = url === visit.url ? {} : { from: showUrl(visit.url) };
  return { ...verdict, facts: { ...verdict.facts, url: showUrl(url), ...from } } as NetRefusal;
}

/** One entry for each URL and reason: a page may ask for the same a hundred times. */
function listBlocked(proxy: FilteringProxy): BlockedRequests {
  const { count, first } = proxy.refused();
  const entries = first.map(({ code, facts }) => ({ url: facts.url, why: explainBlock(code, facts) }));
  const different = new Map(entries.map((entry) => [`${entry.url}\n${entry.why}`, entry]));
  return { count, first: [...different.values()] };
}

function trimEnd(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] === 0x0a || bytes[end - 1] === 0x0d)) end--;
  return bytes.subarray(0, end);
}

/** The bound may have cut a character: what begins one and does not end it goes. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8").decode(bytes, { stream: true });
}
