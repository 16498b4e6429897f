/**
 * Owns names that are refused before anybody looks them up: those of this machine, of the local network, and those
 * under which clouds answer with credentials.
 * Leaves every other name to its addresses. No I/O.
 * Rule: by the registry of special-use domain names (RFC 6761, 6762, 8375 and ICANN's `internal`): nothing public
 * can live under these, so no look-up has to go out for them. `unix` is the host of `http://unix:/path`, by which
 * some clients name a socket file.
 */
import type { NameClass } from "./net-refusal.ts";

const NAMES: ReadonlyMap<string, NameClass> = new Map([
  ["localhost", "loopback"],
  ["ip6-localhost", "loopback"],
  ["ip6-loopback", "loopback"],
  ["metadata", "cloud metadata"],
  ["metadata.goog", "cloud metadata"],
  ["metadata.google.internal", "cloud metadata"],
  ["metadata.azure.internal", "cloud metadata"],
  ["metadata.tencentyun.com", "cloud metadata"],
  ["metadata.packet.net", "cloud metadata"],
  ["metadata.platformequinix.com", "cloud metadata"],
  ["instance-data", "cloud metadata"],
  ["instance-data.ec2.internal", "cloud metadata"],
  ["unix", "Unix socket"],
]);

const SUFFIXES: readonly (readonly [suffix: string, kind: NameClass])[] = [
  [".localhost", "loopback"],
  [".localdomain", "local"],
  [".local", "local"],
  [".internal", "local"],
  [".home.arpa", "local"],
];

/** The name without the dots that end it: `localhost.` is `localhost`. */
export function trimFinalDots(host: string): string {
  return host.replace(/\.+$/, "");
}

/** The class of a name that is refused as such; `host` is as the URL has it, in lower case and ASCII. */
export function findNameClass(host: string): NameClass | undefined {
  const name = trimFinalDots(host.toLowerCase());
  if (name === "") return "local";
  return NAMES.get(name) ?? SUFFIXES.find(([suffix]) => `.${name}`.endsWith(suffix))?.[1];
}
