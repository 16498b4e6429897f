/**
 * Owns the verdict on one address: global unicast, with the address to connect to, or the class that it is refused by.
 * Leaves the ranges to special-ranges.ts and addresses inside to embedded-address.ts. No I/O.
 * Rule: only global unicast passes. An address that carries another passes only where the one inside passes too.
 */
import { type Address, formatAddress } from "./address.ts";
import { type Embedded, findEmbedded } from "./embedded-address.ts";
import { type AddressClass, findSpecialRange } from "./special-ranges.ts";

export type AddressVerdict =
  | { readonly isPublic: true; readonly connectTo: Address }
  | {
      readonly isPublic: false;
      readonly kind: AddressClass;
      /** Where the class is that of an address inside: how it is carried there, and which it is. */
      readonly via?: Embedded["form"];
      readonly inner?: string;
      readonly connectTo: Address;
    };

export function classifyAddress(address: Address): AddressVerdict {
  const connectTo = unmap(address);
  const embedded = findEmbedded(address);
  for (const inner of embedded?.addresses ?? []) {
    const kind = findSpecialRange(inner);
    if (kind === undefined || embedded === undefined) continue;
    return { isPublic: false, kind, via: embedded.form, inner: formatAddress(inner), connectTo };
  }
  const kind = isCarrier(address, embedded) ? undefined : findSpecialRange(address);
  if (kind !== undefined) return { isPublic: false, kind, connectTo };
  // Global addresses have no zone: what has one was made to look like what it is not.
  if (address.zone !== undefined) return { isPublic: false, kind: "zoned", connectTo };
  return { isPublic: true, connectTo };
}

/**
 * Whether the prefix only says how the address inside is reached. The well-known prefix of NAT64 is global by its
 * registry: a network without IPv4 reaches the IPv4 Internet through it, and its resolver gives nothing else.
 */
function isCarrier({ value }: Address, embedded: Embedded | undefined): boolean {
  if (embedded?.form === "IPv4-mapped") return true;
  return embedded?.form === "NAT64" && value >> 32n === 0x64_ff9b_0000_0000_0000_0000n;
}

/** The system would connect a mapped address over IPv4. */
function unmap(address: Address): Address {
  const embedded = findEmbedded(address);
  return (embedded?.form === "IPv4-mapped" ? embedded.addresses[0] : undefined) ?? address;
}
