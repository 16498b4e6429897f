/**
 * Owns fetching a URL: the hops, each screened and connected to what was screened, under one deadline; and the body,
 * decoded up to a bound.
 * Leaves one connection to one-hop.ts, what the bytes mean to content.ts. Rule: everything it ends with is a value;
 * when it has answered, no socket of it is open.
 */
import { FETCH_TIMEOUT_MS, MAX_REDIRECTS } from "../contract/network.ts";
import { type DecodedBody, readDecoded, readEncodings } from "./content-encoding.ts";
import { type Deadline, startDeadline } from "./deadline.ts";
import { type NetRefusal, refuseNet } from "./net-refusal.ts";
import { describeError, type FailedHop, type OpenHop, openHop } from "./one-hop.ts";
import { findRedirect } from "./redirect.ts";
import type { Screen } from "./screen.ts";
import { parseUrl, showUrl } from "./shown-url.ts";

export interface ResponseHead {
  /** The URL that answered, after redirects. */
  readonly url: URL;
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
}

export interface Fetched extends ResponseHead {
  readonly kind: "fetched";
  /** Decoded. */
  readonly body: Buffer;
  /** Whether the body went on past the bound. */
  readonly isCut: boolean;
  /** Whether `wantsBody` said no, so that nothing of the body was read. */
  readonly isSkipped: boolean;
  /** The URLs that redirected, in order. */
  readonly redirects: readonly { readonly url: string; readonly status: number }[];
}

export interface FetchOptions {
  readonly url: string;
  readonly screen: Screen;
  readonly signal?: AbortSignal;
  /** Decoded bytes that are kept. */
  readonly maxBytes: number;
  /** Over look-ups, all hops and the body. Default 15000: the bound of the specification. */
  readonly timeoutMs?: number;
  /** Asked once the head of the last hop is there. Absent means yes. */
  readonly wantsBody?: (head: ResponseHead) => boolean;
  /** Certificates of authorities to trust instead of the system's, in PEM. */
  readonly authorities?: readonly string[];
}

/** Where the fetch stands, for the facts of what ends it. */
interface Progress {
  url: URL | string;
  hop: number;
  from: URL | undefined;
  stage: Parameters<Parameters<typeof openHop>[0]["onStage"]>[0];
  receivedBytes: number;
}

export async function fetchPinned(options: FetchOptions): Promise<Fetched | NetRefusal> {
  const timeoutMs = options.timeoutMs ?? FETCH_TIMEOUT_MS;
  const deadline = startDeadline({ timeoutMs, signal: options.signal });
  const progress: Progress = {
    url: options.url,
    hop: 0,
    from: undefined,
    stage: "look-up",
    receivedBytes: 0,
  };
  try {
    const result = await follow({ options, deadline, progress });
    // Whatever an ending made of the work, what ended it is the answer; a whole response that came first is kept.
    return result.kind === "fetched" ? result : (describeEnd({ deadline, progress, timeoutMs }) ?? result);
  } finally {
    deadline.clear();
  }
}

interface Walk {
  readonly options: FetchOptions;
  readonly deadline: Deadline;
  readonly progress: Progress;
}

async function follow(walk: Walk): Promise<Fetched | NetRefusal> {
  const { options, deadline, progress } = walk;
  const redirects: { url: string; status: number }[] = [];
  const visited = new Set<string>();
  for (;;) {
    progress.stage = "look-up";
    const target = await options.screen(progress.url, deadline.signal);
    if (target.kind === "net-refusal") return atHop(target, progress);
    progress.url = target.url;
    visited.add(withoutHash(target.url));
    const hop = await openHop({
      target,
      signal: deadline.signal,
      authorities: options.authorities,
      onStage: (stage) => {
        progress.stage = stage;
      },
    });
    if (hop.kind === "failed") return failHop(hop, progress);
    try {
      const next = findRedirect({ url: target.url, status: hop.status, headers: hop.headers });
      if (next === undefined) return await finish({ hop, url: target.url, redirects, walk });
      const refused = refuseRedirect({ next, status: hop.status, visited, progress });
      if (refused !== undefined) return refused;
      redirects.push({ url: showUrl(target.url), status: hop.status });
      Object.assign(progress, { url: next.to ?? "", hop: progress.hop + 1, from: target.url });
    } finally {
      hop.close();
    }
  }
}

function withoutHash(url: URL): string {
  const copy = new URL(url);
  copy.hash = "";
  return copy.href;
}

function refuseRedirect(of: {
  readonly next: { readonly to: URL | string | undefined };
  readonly status: number;
  readonly visited: ReadonlySet<string>;
  readonly progress: Progress;
}): NetRefusal | undefined {
  const { next, status, progress } = of;
  const facts = { ...hopFacts(progress), status, maxRedirects: MAX_REDIRECTS };
  if (next.to === undefined) return refuseNet("redirect-failed", { ...facts, reason: "no-location" });
  if (progress.hop >= MAX_REDIRECTS) return refuseNet("redirect-failed", { ...facts, reason: "too-many" });
  const to = typeof next.to === "string" ? parseUrl(next.to) : next.to;
  if (to === undefined || !(progress.url instanceof URL)) return undefined;
  if (of.visited.has(withoutHash(to))) return refuseNet("redirect-failed", { ...facts, reason: "loop" });
  if (progress.url.protocol !== "https:" || to.protocol !== "http:") return undefined;
  const at = { url: showUrl(to), hop: progress.hop + 1, from: showUrl(progress.url) };
  return refuseNet("url-blocked", { ...at, by: "downgrade" });
}

async function finish(of: {
  readonly hop: OpenHop;
  readonly url: URL;
  readonly redirects: Fetched["redirects"];
  readonly walk: Walk;
}): Promise<Fetched | NetRefusal> {
  const { hop, walk } = of;
  const { options, progress } = walk;
  const head: ResponseHead = { url: of.url, status: hop.status, headers: hop.headers };
  const fetched = { kind: "fetched", ...head, redirects: of.redirects } as const;
  if (options.wantsBody?.(head) === false)
    return { ...fetched, body: Buffer.alloc(0), isCut: false, isSkipped: true };
  progress.stage = "body";
  const decoded = await readBody({ hop, maxBytes: options.maxBytes, progress });
  if (decoded.kind === "failed") return failHop(decoded, progress);
  if (decoded.kind === "undecodable") {
    const { encoding, reason } = decoded;
    return refuseNet("content-encoding", { ...hopFacts(progress), encoding, reason });
  }
  return { ...fetched, body: decoded.bytes, isCut: decoded.isCut, isSkipped: false };
}

async function readBody(of: {
  readonly hop: OpenHop;
  readonly maxBytes: number;
  readonly progress: Progress;
}): Promise<DecodedBody | FailedHop> {
  const encodings = readEncodings(of.hop.headers.get("content-encoding") ?? "");
  if ("kind" in encodings) return encodings;
  try {
    return await readDecoded({
      source: of.hop.body,
      encodings,
      maxBytes: of.maxBytes,
      onBytes: (count) => {
        of.progress.receivedBytes += count;
      },
    });
  } catch (error) {
    return { kind: "failed", stage: "body", ...describeError(error) };
  }
}

function describeEnd(of: {
  readonly deadline: Deadline;
  readonly progress: Progress;
  readonly timeoutMs: number;
}): NetRefusal | undefined {
  const facts = hopFacts(of.progress);
  const reason = of.deadline.reason();
  if (reason === undefined) return undefined;
  if (reason === "cancelled") return refuseNet("fetch-cancelled", facts);
  const { stage, receivedBytes } = of.progress;
  return refuseNet("fetch-timed-out", { ...facts, stage, timeoutMs: of.timeoutMs, receivedBytes });
}

function failHop({ stage, error, message }: FailedHop, progress: Progress): NetRefusal {
  return refuseNet("fetch-failed", { ...hopFacts(progress), stage, error, message });
}

function hopFacts({ url, hop, from }: Progress): { url: string; hop: number; from?: string } {
  return { url: showUrl(url), hop, ...(from === undefined ? {} : { from: showUrl(from) }) };
}

/** A refusal of the screen, with the hop at which it stood. */
function atHop(refusal: NetRefusal, progress: Progress): NetRefusal {
  const { hop, from } = hopFacts(progress);
  const facts = { ...refusal.facts, hop, ...(from === undefined ? {} : { from }) };
  return { ...refusal, facts } as NetRefusal;
}
