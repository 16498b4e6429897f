/**
 * Owns sets of code points: making, joining, negating, folding by case, and the named sets of patterns (`\w`, `\p{Lu}`).
 * Leaves reading patterns to regex-syntax.ts and glob-pattern.ts.
 * Rule: Unicode data come from the engine's own RegExp, so that the tables are as new as Node is and none are shipped.
 */

/** Ranges `[lo, hi, lo, hi, …]`, inclusive, ascending, neither touching nor overlapping. */
export type CodeSet = readonly number[];

export const LAST_CODE = 0x10ffff;
export const ANY_CODE: CodeSet = [0, LAST_CODE];

/** Sorts and joins ranges given in any order. */
export function normaliseSet(ranges: readonly number[]): CodeSet {
  const pairs: [number, number][] = [];
  for (let i = 0; i < ranges.length; i += 2) {
    pairs.push([ranges[i] as number, ranges[i + 1] as number]);
  }
  pairs.sort((a, b) => a[0] - b[0]);
  const out: number[] = [];
  for (const [lo, hi] of pairs) {
    const last = out.length - 1;
    if (last > 0 && lo <= (out[last] as number) + 1) {
      if (hi > (out[last] as number)) out[last] = hi;
    } else {
      out.push(lo, hi);
    }
  }
  return out;
}

export function uniteSets(...sets: readonly CodeSet[]): CodeSet {
  return normaliseSet(sets.flat());
}

export function negateSet(set: CodeSet): CodeSet {
  const out: number[] = [];
  let next = 0;
  for (let i = 0; i < set.length; i += 2) {
    const lo = set[i] as number;
    if (lo > next) out.push(next, lo - 1);
    next = (set[i + 1] as number) + 1;
  }
  if (next <= LAST_CODE) out.push(next, LAST_CODE);
  return out;
}

export function subtractSet(a: CodeSet, b: CodeSet): CodeSet {
  return negateSet(uniteSets(negateSet(a), b));
}

export function setHas(set: CodeSet, code: number): boolean {
  let low = 0;
  let high = set.length / 2 - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (code < (set[middle * 2] as number)) high = middle - 1;
    else if (code > (set[middle * 2 + 1] as number)) low = middle + 1;
    else return true;
  }
  return false;
}

const named = new Map<string, CodeSet | undefined>();

/** The set of a Unicode property as in `\p{…}`: `Lu`, `Greek`, `Script=Greek`, `Alphabetic`; undefined where there is none. */
export function findPropertySet(name: string): CodeSet | undefined {
  if (!named.has(name)) named.set(name, enumerateProperty(name));
  return named.get(name);
}

function enumerateProperty(name: string): CodeSet | undefined {
  const compact = name.replace(/\s/g, "");
  const value = /^[A-Za-z0-9_=:-]+$/.test(compact) ? compact.replace(":", "=") : undefined;
  if (value === undefined) return undefined;
  if (value === "Any") return ANY_CODE;
  for (const spelling of [value, `Script=${value}`, capitalise(value), `Script=${capitalise(value)}`]) {
    const runs = compileRuns(`\\p{${spelling}}`);
    if (runs !== undefined) return enumerateRuns(runs);
  }
  return undefined;
}

function capitalise(name: string): string {
  return name
    .split(/[_-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join("_");
}

function compileRuns(members: string): RegExp | undefined {
  try {
    return new RegExp(`[${members}]+`, "gu");
  } catch {
    return undefined;
  }
}

/** Planes that have assigned characters of many kinds. Plane 14 has a few at its start, 15 and 16 are private. */
const PLANES: readonly { readonly base: number; readonly length: number }[] = [
  { base: 0, length: 0x10000 },
  { base: 0x10000, length: 0x10000 },
  { base: 0x20000, length: 0x10000 },
  { base: 0x30000, length: 0x3000 },
  { base: 0xe0000, length: 0x1000 },
];
/** Whole stretches of one kind: the first stands for all. */
const UNIFORM: readonly (readonly [number, number])[] = [
  [0xf0000, 0xffffd],
  [0x100000, 0x10fffd],
];
const UNASSIGNED: readonly (readonly [number, number])[] = [
  [0x33000, 0xdffff],
  [0xe1000, 0xeffff],
  [0xffffe, 0xfffff],
  [0x10fffe, LAST_CODE],
];

/** All stretches of code points that the expression accepts. Whole stretches at a time: one test a code point takes ten times as long. */
function enumerateRuns(runs: RegExp): CodeSet {
  const out: number[] = [];
  for (const { base, length } of PLANES) {
    const text = spellPlane(base, length);
    const width = base === 0 ? 1 : 2;
    runs.lastIndex = 0;
    for (let run = runs.exec(text); run !== null; run = runs.exec(text)) {
      const lo = base + run.index / width;
      out.push(lo, lo + run[0].length / width - 1);
    }
  }
  for (const [lo, hi] of [...UNIFORM, ...UNASSIGNED]) {
    runs.lastIndex = 0;
    if (runs.test(String.fromCodePoint(lo))) out.push(lo, hi);
  }
  return normaliseSet(out);
}

/** A plane's characters one after the other; in place of surrogates, which are none, a noncharacter. */
function spellPlane(base: number, length: number): string {
  const units = new Uint16Array(base === 0 ? length : length * 2);
  for (let i = 0; i < length; i++) {
    if (base === 0) units[i] = i >= 0xd800 && i <= 0xdfff ? 0xfffe : i;
    else {
      units[i * 2] = 0xd800 + ((base + i - 0x10000) >> 10);
      units[i * 2 + 1] = 0xdc00 + (i & 0x3ff);
    }
  }
  return Buffer.from(units.buffer).toString("utf16le");
}

let wordSet: CodeSet | undefined;
let foldOrbits: Map<number, readonly number[]> | undefined;

/** `\w` by Unicode, as UTS 18 and ripgrep define it. */
export function getWordSet(): CodeSet {
  if (wordSet === undefined) {
    wordSet = enumerateRuns(/[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]+/gu);
  }
  return wordSet;
}

export function getDigitSet(): CodeSet {
  return findPropertySet("Nd") ?? [0x30, 0x39];
}

/** `\s` by Unicode: the White_Space property. */
export const SPACE_SET: CodeSet = [
  9, 13, 32, 32, 0x85, 0x85, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f,
  0x205f, 0x205f, 0x3000, 0x3000,
];

/** Adds to each code point those that differ from it in case alone, by Unicode's simple folding. */
export function foldSet(set: CodeSet): CodeSet {
  // The tables of all letters take milliseconds to make, and most patterns are ASCII.
  const orbits = (set.at(-1) ?? 0) < 128 ? ASCII_ORBITS : getFoldOrbits();
  const only = set.length === 2 && set[0] === set[1] ? orbits.get(set[0] as number) : undefined;
  if (only !== undefined) return normaliseSet(only.flatMap((code) => [code, code]));
  if (set.length === 2 && set[0] === set[1]) return set;
  const extra: number[] = [];
  for (const [code, orbit] of orbits) {
    if (setHas(set, code)) for (const other of orbit) extra.push(other, other);
  }
  return extra.length === 0 ? set : normaliseSet([...set, ...extra]);
}

/** Beside each other's case, `k` folds with the Kelvin sign and `s` with the long s. */
const ASCII_ORBITS: ReadonlyMap<number, readonly number[]> = new Map(
  Array.from({ length: 26 }, (_, i) => [
    [0x41 + i, 0x61 + i, ...(i === 10 ? [0x212a] : i === 18 ? [0x17f] : [])],
  ]).flatMap(([orbit = []]) => orbit.slice(0, 2).map((code) => [code, orbit] as const)),
);

function getFoldOrbits(): ReadonlyMap<number, readonly number[]> {
  foldOrbits ??= buildFoldOrbits();
  return foldOrbits;
}

function buildFoldOrbits(): Map<number, readonly number[]> {
  const groups = new Map<number, number[]>();
  const cased = /^\p{Changes_When_Casemapped}$/u;
  for (let code = 0x41; code <= 0x1e943; code++) {
    if (code === 0x3400) code = 0xa640;
    if (code === 0xac00) code = 0xfb00;
    const text = String.fromCodePoint(code);
    if (!cased.test(text)) continue;
    for (const other of [text.toLowerCase(), text.toUpperCase(), text.toUpperCase().toLowerCase()]) {
      const to = other.codePointAt(0) as number;
      if (to !== code && String.fromCodePoint(to) === other && differInCase(text, other))
        join(groups, code, to);
    }
  }
  return groups;
}

/** A back-reference under `i` compares by simple case folding, whatever the letters. */
const SAME_BUT_CASE = /^(.)\1$/iu;

function differInCase(a: string, b: string): boolean {
  return SAME_BUT_CASE.test(a + b);
}

function join(groups: Map<number, number[]>, a: number, b: number): void {
  const left = groups.get(a) ?? [a];
  const right = groups.get(b) ?? [b];
  if (left === right) return;
  const both = [...left, ...right];
  for (const code of both) groups.set(code, both);
}
