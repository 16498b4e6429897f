/**
 * Owns reading and writing the text of IP addresses: every notation of IPv4 that a system's resolver still takes
 * (one to four parts, decimal, octal, hexadecimal) and IPv6 with its dotted tail and its zone.
 * Leaves what an address is for to address-class.ts. No I/O.
 * Rule: what is read is a number, and what is connected to is written from that number, never the text that came in;
 * so no second reader of the text can take it for another address.
 */

export interface Address {
  readonly family: 4 | 6;
  /** 32 or 128 bits. */
  readonly value: bigint;
  /** The interface of a scoped address: `eth0` of `fe80::1%eth0`. */
  readonly zone?: string;
}

const MAX_IPV4 = 0xffff_ffffn;

/** An address in any notation, in brackets or not; undefined where the text is none. */
export function parseAddress(text: string): Address | undefined {
  const inner = text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text;
  if (inner.includes(":")) return parseIpv6(inner);
  return inner === text ? parseLooseIpv4(text) : undefined;
}

/**
 * An address as a resolver has to write it. `0177.0.0.1` is none here: what wrote that is no resolver, and it would
 * be guessing to say whether 127.0.0.1 or 177.0.0.1 was meant.
 */
export function parseStrictAddress(text: string): Address | undefined {
  return text.includes(":") ? parseIpv6(text) : parseDotted(text);
}

/** The one text of an address: dotted decimal, or IPv6 by RFC 5952 without the dotted tail. */
export function formatAddress({ family, value }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join(".");
  const groups = Array.from({ length: 8 }, (_, index) =>
    ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16),
  );
  const run = findZeroRun(groups);
  if (run === undefined) return groups.join(":");
  return `${groups.slice(0, run.start).join(":")}::${groups.slice(run.start + run.length).join(":")}`;
}

/** The longest run of two zero groups or more, the first of equals. */
function findZeroRun(groups: readonly string[]): { start: number; length: number } | undefined {
  let best: { start: number; length: number } | undefined;
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === "0") length++;
    if (length >= 2 && length > (best?.length ?? 0)) best = { start, length };
  }
  return best;
}

function parseDotted(text: string): Address | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part))) return undefined;
  const numbers = parts.map(Number);
  if (numbers.some((number) => number > 255)) return undefined;
  return { family: 4, value: numbers.reduce((sum, number) => (sum << 8n) | BigInt(number), 0n) };
}

/** As `inet_aton` and the URL standard have it: the last part fills all the bytes that are left. */
function parseLooseIpv4(text: string): Address | undefined {
  const parts = (text.endsWith(".") ? text.slice(0, -1) : text).split(".");
  if (parts.length > 4) return undefined;
  const numbers = parts.map(parsePart);
  const last = numbers.pop();
  if (last === undefined) return undefined;
  let value = 0n;
  for (const number of numbers) {
    if (number === undefined || number > 255n) return undefined;
    value = (value << 8n) | number;
  }
  const bits = BigInt(8 * (4 - numbers.length));
  value = (value << bits) | last;
  return last >> bits === 0n && value <= MAX_IPV4 ? { family: 4, value } : undefined;
}

function parsePart(text: string): bigint | undefined {
  if (/^0[xX][0-9a-fA-F]{0,32}$/.test(text)) return text.length === 2 ? 0n : BigInt(text);
  if (/^0[0-7]{1,32}$/.test(text)) return BigInt(`0o${text}`);
  return /^(?:0|[1-9]\d{0,31})$/.test(text) ? BigInt(text) : undefined;
}

function parseIpv6(text: string): Address | undefined {
  const percent = text.indexOf("%");
  const zone = percent < 0 ? undefined : text.slice(percent + 1);
  if (zone === "") return undefined;
  const bare = expandDottedTail(percent < 0 ? text : text.slice(0, percent));
  const halves = bare?.split("::");
  if (halves === undefined || halves.length > 2) return undefined;
  const [head = [], tail] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const written = head.length + (tail?.length ?? 0);
  // The double colon stands for one group of zeros at least.
  if (tail === undefined ? written !== 8 : written > 7) return undefined;
  const groups = [...head, ...Array<string>(8 - written).fill("0"), ...(tail ?? [])];
  if (!groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return undefined;
  const value = groups.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
  return { family: 6, value, ...(zone === undefined ? {} : { zone }) };
}

/** `::ffff:127.0.0.1` with its tail as two groups. */
function expandDottedTail(text: string): string | undefined {
  if (!text.includes(".")) return text;
  const colon = text.lastIndexOf(":");
  const dotted = parseDotted(text.slice(colon + 1));
  if (colon < 0 || dotted === undefined) return undefined;
  const { value } = dotted;
  return `${text.slice(0, colon + 1)}${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
}
