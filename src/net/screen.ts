/**
 * Owns whether a URL may be connected to, and to which addresses: scheme, user info, port, name, permission, and
 * every address of one look-up.
 * Leaves connecting to connect-pinned.ts. Rule: it fails closed, it runs before each connection, and what it gives
 * back are the addresses to connect to; whoever looks the name up again has left the screen.
 */
import type { MayConnect } from "../contract/network.ts";
import { ABORTED, raceAbort } from "./abort-race.ts";
import { type Address, formatAddress, parseAddress } from "./address.ts";
import { classifyAddress } from "./address-class.ts";
import { isBlockedPort } from "./blocked-ports.ts";
import { findNameClass, trimFinalDots } from "./host-name.ts";
import { type Lookup, lookUp } from "./look-up.ts";
import { type NetRefusal, type NetRefusalFacts, refuseNet } from "./net-refusal.ts";
import { hostAndPort, portOf, readPrivateHost } from "./private-hosts.ts";
import { isWeb, parseUrl, showUrl } from "./shown-url.ts";

export interface ScreenOptions {
  /** Replaces the system's resolver. */
  readonly lookup?: Lookup;
  /** `host:port`, exactly: their names and addresses are not screened, link-local and metadata ones excepted. */
  readonly privateHosts?: readonly string[];
  readonly mayConnect?: MayConnect;
}

export interface Screened {
  readonly kind: "screened";
  readonly url: URL;
  /** The name for the Host header and for TLS, as the URL has it. */
  readonly host: string;
  readonly port: number;
  /** The very addresses to connect to, in the order of the answer. */
  readonly addresses: readonly Address[];
}

export type Screen = (url: URL | string, signal?: AbortSignal) => Promise<Screened | NetRefusal>;

/** Browsers take two million characters; servers refuse past eight thousand. */
const MAX_URL = 8192;

type Blocked = NetRefusalFacts["url-blocked"] extends infer F ? DistributiveOmit<F, "url"> : never;
type DistributiveOmit<F, K extends PropertyKey> = F extends unknown ? Omit<F, K> : never;

export function openScreen(options: ScreenOptions): Screen {
  const allowed = new Set((options.privateHosts ?? []).map(readPrivateHost));
  return async (given, signal) => {
    const url = readUrl(given);
    if (!(url instanceof URL)) return url;
    const isPrivate = allowed.has(hostAndPort(url));
    const blocked =
      checkUrl(url, isPrivate) ?? (await checkPermission({ url, mayConnect: options.mayConnect, signal }));
    if (blocked !== undefined) return block(url, blocked);
    return await screenAddresses({ url, isPrivate, lookup: options.lookup, signal });
  };
}

function block(url: URL, why: Blocked): NetRefusal {
  return refuseNet("url-blocked", { url: showUrl(url), ...why });
}

function readUrl(given: URL | string): URL | NetRefusal {
  const url = typeof given === "string" ? parseUrl(given) : given;
  if (String(given).length > MAX_URL || (url !== undefined && url.href.length > MAX_URL))
    return refuseNet("url-invalid", { url: showUrl(given), reason: "too-long" });
  if (url !== undefined) return url;
  const suggestion = suggestUrl(String(given));
  return refuseNet("url-invalid", {
    url: showUrl(given),
    reason: "unparsable",
    ...(suggestion === undefined ? {} : { suggestion }),
  });
}

/** `example.com/page` was most likely meant as `https://example.com/page`. */
function suggestUrl(text: string): string | undefined {
  if (!/^(?:\/\/)?[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:[:/?#]|$)/i.test(text) || text.includes("@"))
    return undefined;
  const url = parseUrl(`https://${text.replace(/^\/\//, "")}`);
  return url === undefined || checkUrl(url, false) !== undefined ? undefined : showUrl(url);
}

/** What the URL alone tells. */
function checkUrl(url: URL, isPrivate: boolean): Blocked | undefined {
  if (!isWeb(url)) return { by: "scheme", scheme: url.protocol.slice(0, -1) };
  if (url.username !== "" || url.password !== "") return { by: "user-info" };
  const port = portOf(url);
  if (isBlockedPort(port)) return { by: "port", port };
  const kind = findNameClass(url.hostname);
  if (kind === undefined || (isPrivate && kind !== "cloud metadata")) return undefined;
  return { by: "name", host: url.hostname, kind };
}

/** Before the look-up: a denied name must not reach a resolver either, since a question is a message too. */
async function checkPermission(of: {
  readonly url: URL;
  readonly mayConnect: MayConnect | undefined;
  readonly signal: AbortSignal | undefined;
}): Promise<Blocked | undefined> {
  if (of.mayConnect === undefined) return undefined;
  const [host, port] = [trimFinalDots(of.url.hostname), portOf(of.url)];
  try {
    const verdict = await raceAbort(Promise.resolve(of.mayConnect(host, port)), of.signal);
    if (verdict === ABORTED) return { by: "permission", host, port };
    if (verdict.allowed === true) return undefined;
    return { by: "permission", host, port, ...(verdict.rule === undefined ? {} : { rule: verdict.rule }) };
  } catch {
    return { by: "permission", host, port };
  }
}

async function screenAddresses(of: {
  readonly url: URL;
  readonly isPrivate: boolean;
  readonly lookup: Lookup | undefined;
  readonly signal: AbortSignal | undefined;
}): Promise<Screened | NetRefusal> {
  const { url, isPrivate } = of;
  const host = url.hostname;
  // The system would not look a literal up, so neither is a resolver asked that could answer otherwise.
  const literal = parseAddress(host);
  const answer =
    literal === undefined
      ? await lookUp({ host, lookup: of.lookup, signal: of.signal })
      : ({ kind: "addresses", addresses: [literal] } as const);
  if (answer.kind === "aborted") return refuseNet("fetch-cancelled", { url: showUrl(url) });
  if (answer.kind === "failed") {
    const { error, message } = answer;
    return refuseNet("fetch-failed", { url: showUrl(url), stage: "look-up", error, message });
  }
  if (answer.kind !== "addresses") return block(url, { by: "answer", host, answer: answer.kind });
  for (const address of answer.addresses) {
    const blocked = checkAddress({ host, address, isPrivate });
    if (blocked !== undefined) return block(url, blocked);
  }
  const addresses = answer.addresses.map((address) => classifyAddress(address).connectTo);
  return { kind: "screened", url, host, port: portOf(url), addresses };
}

function checkAddress(of: { host: string; address: Address; isPrivate: boolean }): Blocked | undefined {
  const verdict = classifyAddress(of.address);
  if (verdict.isPublic) return undefined;
  const { kind, inner, via } = verdict;
  // No list allows these: behind them are the credentials of the machine.
  const isNever = kind === "link-local" || kind === "cloud metadata";
  if (of.isPrivate && !isNever) return undefined;
  return {
    by: "address",
    host: of.host,
    address: formatAddress(of.address),
    kind,
    ...(inner === undefined ? {} : { inner }),
    ...(via === undefined ? {} : { via }),
    ...(of.isPrivate ? { isNeverAllowed: true } : {}),
  };
}
