/**
 * Owns finding the IPv4 addresses that an IPv6 address carries inside: a translator, a tunnel or the system itself
 * sends to those.
 * Leaves judging them to address-class.ts. No I/O.
 * Rule: every standard place is looked at. A network may choose a prefix of its own for NAT64 or 6rd (RFC 6052,
 * RFC 5969); such a prefix cannot be told from any other, and nothing is claimed for it.
 */
import type { Address } from "./address.ts";

export interface Embedded {
  readonly form:
    | "IPv4-mapped"
    | "IPv4-compatible"
    | "IPv4-translated"
    | "NAT64"
    | "6to4"
    | "Teredo"
    | "ISATAP";
  readonly addresses: readonly Address[];
}

export function findEmbedded({ family, value }: Address): Embedded | undefined {
  if (family === 4) return undefined;
  const low = ipv4(value);
  const upper = value >> 32n;
  if (upper === 0xffffn) return { form: "IPv4-mapped", addresses: [low] };
  if (upper === 0xffff_0000n) return { form: "IPv4-translated", addresses: [low] };
  // The unspecified address and the loopback are no IPv4 addresses.
  if (upper === 0n && value > 1n) return { form: "IPv4-compatible", addresses: [low] };
  if (upper === 0x64_ff9b_0000_0000_0000_0000n) return { form: "NAT64", addresses: [low] };
  if (value >> 80n === 0x64_ff9b_0001n) return { form: "NAT64", addresses: [low] };
  if (value >> 112n === 0x2002n) return { form: "6to4", addresses: [ipv4(value >> 80n)] };
  if (value >> 96n === 0x2001_0000n) {
    // RFC 4380: the server in the clear, the client with every bit turned.
    return { form: "Teredo", addresses: [ipv4(value >> 64n), ipv4(low.value ^ 0xffff_ffffn)] };
  }
  // RFC 5214: 00-00-5E-FE as the interface, with the universal bit set or not, in any prefix.
  const interfaceId = (value >> 32n) & 0xffff_ffffn;
  if (interfaceId === 0x5efen || interfaceId === 0x0200_5efen) return { form: "ISATAP", addresses: [low] };
  return undefined;
}

function ipv4(bits: bigint): Address {
  return { family: 4, value: bits & 0xffff_ffffn };
}
