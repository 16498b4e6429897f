/**
 * Owns looking for one literal text in bytes.
 * Leaves which texts to regex-literals.ts. Rule: the machine's own search does the work, and it is fastest where it
 * begins at a byte that is rare; so the search is for the text from its rarest byte on, and what stands in front of
 * that is compared after.
 */

export interface Needle {
  readonly length: number;
  /** Where the text occurs at or after `from`, or -1. */
  find(bytes: Buffer, from: number): number;
}

/** Bytes of source text and prose, the commonest first; what is not here is rarer than all. */
const COMMON = Buffer.from(' etrnsioacdl_pu\tf(m)h,;.g\n=-b*v/xk0>"y1wIESTRCA<LN2DP&:OMF{}#qz38UB64j[]5G+7');
const RANKS = new Uint8Array(256);
COMMON.forEach((byte, index) => {
  RANKS[byte] = COMMON.length - index;
});
/** A byte that is met about once in three hundred: below it there is much to gain, above it nothing. */
const RARE = 40;

export function makeNeedle(text: string): Needle {
  const needle = Buffer.from(text);
  const at = findRarest(needle);
  if (at === 0) return { length: needle.length, find: (bytes, from) => bytes.indexOf(needle, from) };
  const front = needle.subarray(0, at);
  const rest = needle.subarray(at);
  return {
    length: needle.length,
    find: (bytes, from) => {
      for (let hit = bytes.indexOf(rest, from + at); hit >= 0; hit = bytes.indexOf(rest, hit + 1)) {
        if (bytes.compare(front, 0, at, hit - at, hit) === 0) return hit - at;
      }
      return -1;
    },
  };
}

/** A single byte at the end is met too often to be looked for alone. */
function findRarest(needle: Buffer): number {
  let best = 0;
  for (let i = 1; i < needle.length - 1; i++) {
    if (rankAt(needle, i) < rankAt(needle, best)) best = i;
  }
  return rankAt(needle, 0) <= RARE || rankAt(needle, best) > RARE ? 0 : best;
}

function rankAt(bytes: Buffer, at: number): number {
  return RANKS[bytes[at] as number] as number;
}
