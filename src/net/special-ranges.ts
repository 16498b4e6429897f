/**
 * Owns the ranges of addresses that are not for the public Internet, after the IANA registries of special-purpose
 * addresses (IPv4 and IPv6, as of 2026), of multicast and of IPv6 space.
 * Leaves addresses inside addresses to embedded-address.ts. No I/O.
 * Rule: a range is refused unless the registry makes it global unicast of one host; anycast services of the
 * network itself (AS112, AMT) are no host that a page is fetched from.
 */
import type { AddressClass } from "../contract/network-facts.ts";
import { type Address, parseStrictAddress } from "./address.ts";

export type { AddressClass } from "../contract/network-facts.ts";

interface Range {
  readonly base: bigint;
  readonly shift: bigint;
  readonly kind: AddressClass;
}

/** The first that fits wins, so the narrower stands before the wider. */
const IPV4: readonly Range[] = [
  // Addresses at which clouds answer with credentials, outside of link-local space.
  range("100.100.100.200/32", "cloud metadata"),
  range("192.0.0.192/32", "cloud metadata"),
  range("168.63.129.16/32", "cloud metadata"),
  // Linux connects 0.0.0.0 to the loopback.
  range("0.0.0.0/8", "this host"),
  range("10.0.0.0/8", "private"),
  range("100.64.0.0/10", "shared address space"),
  range("127.0.0.0/8", "loopback"),
  range("169.254.0.0/16", "link-local"),
  range("172.16.0.0/12", "private"),
  range("192.0.0.0/24", "reserved"),
  range("192.0.2.0/24", "documentation"),
  range("192.31.196.0/24", "reserved"),
  range("192.52.193.0/24", "reserved"),
  range("192.88.99.0/24", "6to4"),
  range("192.168.0.0/16", "private"),
  range("192.175.48.0/24", "reserved"),
  range("198.18.0.0/15", "benchmarking"),
  range("198.51.100.0/24", "documentation"),
  range("203.0.113.0/24", "documentation"),
  range("224.0.0.0/4", "multicast"),
  range("255.255.255.255/32", "broadcast"),
  range("240.0.0.0/4", "reserved"),
];

const IPV6: readonly Range[] = [
  range("fd00:ec2::254/128", "cloud metadata"),
  range("fd20:ce::254/128", "cloud metadata"),
  range("::/128", "this host"),
  range("::1/128", "loopback"),
  range("::/96", "IPv4-compatible"),
  range("::ffff:0:0:0/96", "IPv4-translated"),
  range("64:ff9b:1::/48", "local NAT64"),
  range("100::/64", "discard-only"),
  range("2001::/32", "Teredo"),
  range("2001:2::/48", "benchmarking"),
  range("2001::/23", "reserved"),
  range("2001:db8::/32", "documentation"),
  range("2002::/16", "6to4"),
  range("2620:4f:8000::/48", "reserved"),
  range("3fff::/20", "documentation"),
  range("fc00::/7", "unique local"),
  range("fe80::/10", "link-local"),
  range("fec0::/10", "site-local"),
  range("ff00::/8", "multicast"),
];

/** All of IPv6 that is global unicast; what lies outside is refused, named or not. */
const GLOBAL_UNICAST = range("2000::/3", "reserved");

function range(cidr: string, kind: AddressClass): Range {
  const [text = "", length = ""] = cidr.split("/");
  const address = parseStrictAddress(text);
  if (address === undefined) throw new Error(`not a range: ${cidr}`);
  const shift = BigInt((address.family === 4 ? 32 : 128) - Number(length));
  return { base: address.value >> shift, shift, kind };
}

function isWithin(value: bigint, { base, shift }: Range): boolean {
  return value >> shift === base;
}

/** The special range that an address lies in, or undefined where it is global unicast. */
export function findSpecialRange({ family, value }: Address): AddressClass | undefined {
  const named = (family === 4 ? IPV4 : IPV6).find((one) => isWithin(value, one));
  if (named !== undefined || family === 4) return named?.kind;
  return isWithin(value, GLOBAL_UNICAST) ? undefined : "reserved";
}
