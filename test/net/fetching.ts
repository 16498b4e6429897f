/**
 * Owns how tests fetch: with the default bounds, private hosts and a resolver as given.
 * Rule: no test reaches past the loopback; a name that no resolver of the test knows fails.
 */
import { DEFAULT_LIMITS } from "../../src/contract/limits.ts";
import type { NetRefusal, NetRefusalCode, NetRefusalFacts } from "../../src/net/net-refusal.ts";
import { type Fetched, type FetchOptions, fetchPinned } from "../../src/net/pinned-fetch.ts";
import { openScreen, type ScreenOptions } from "../../src/net/screen.ts";
import { stubResolver } from "./loopback.ts";

export function fetchFor(
  url: string,
  options: ScreenOptions & Partial<Omit<FetchOptions, "url" | "screen">> = {},
): Promise<Fetched | NetRefusal> {
  const { lookup = stubResolver({}).lookup, privateHosts = [], mayConnect, ...rest } = options;
  const screen = openScreen({ lookup, privateHosts, ...(mayConnect === undefined ? {} : { mayConnect }) });
  return fetchPinned({ url, screen, maxBytes: DEFAULT_LIMITS.fetchMax, ...rest });
}

export function expectFetched(result: Fetched | NetRefusal): Fetched {
  if (result.kind === "fetched") return result;
  throw new Error(`refused: ${JSON.stringify(result)}`);
}

export function expectRefused<C extends NetRefusalCode>(
  result: Fetched | NetRefusal,
  code: C,
): NetRefusalFacts[C] {
  if (result.kind === "net-refusal" && result.code === code) return result.facts as NetRefusalFacts[C];
  throw new Error(
    `not ${code}: ${result.kind === "fetched" ? `fetched ${result.status}` : JSON.stringify(result)}`,
  );
}
