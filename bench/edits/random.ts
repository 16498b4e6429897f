/**
 * Owns chance that can be repeated: the same seed gives the same tasks on every machine.
 * Leaves what is drawn to others. Rule: nothing in the generator draws from anywhere else.
 */

export interface Random {
  /** From 0 up to but not including `limit`. */
  below(limit: number): number;
  /** Both ends included. */
  between(low: number, high: number): number;
  chance(share: number): boolean;
  pick<T>(items: readonly T[]): T;
}

/** Mulberry32 behind a hash of the seed. */
export function seedRandom(seed: string): Random {
  let state = hash(seed);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: (share) => next() < share,
    pick<T>(items: readonly T[]): T {
      if (items.length === 0) throw new Error("nothing to pick from");
      return items[below(items.length)] as T;
    },
  };
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return value | 0;
}
