/**
 * Owns telling whether a text has one place in a file, however loosely one looks.
 * Leaves making tasks to kinds/. Rule: coarser than any edit tool, so that a task that passes has one right answer
 * whatever a tool tolerates.
 */

const ALIKE: readonly (readonly [RegExp, string])[] = [
  [/&lt;/g, "<"],
  [/&gt;/g, ">"],
  [/&quot;/g, '"'],
  [/&#39;|&#x27;|&apos;/g, "'"],
  [/&amp;/g, "&"],
  [/\\[nrt]/g, ""],
  [/[\u2018-\u201b\u2032\u02bc]/g, "'"],
  [/[\u201c-\u201f\u2033]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, "-"],
  [/\p{M}/gu, ""],
  [/\s+/g, ""],
];
/** A folded text that is shorter could stand anywhere. */
const SHORTEST = 10;

export function foldCoarsely(text: string): string {
  return ALIKE.reduce((folded, [pattern, plain]) => folded.replace(pattern, plain), text.normalize("NFD"));
}

/** Whether the text, folded, is in the folded file exactly once. */
export function standsOnce(file: string, text: string): boolean {
  const needle = foldCoarsely(text);
  return needle.length >= SHORTEST && countPlaces(foldCoarsely(file), needle) === 1;
}

/** Overlapping places count. */
export function countPlaces(file: string, text: string): number {
  return listPlaces(file, text).length;
}

export function listPlaces(file: string, text: string): number[] {
  const places: number[] = [];
  for (let at = file.indexOf(text); at !== -1; at = file.indexOf(text, at + 1)) places.push(at);
  return places;
}

/**
 * Whether the lines from `start` on are by far the nearest to what was asked, by the words they share:
 * only then is there one right region to name.
 */
export function isNearest(file: readonly string[], asked: readonly string[], start: number): boolean {
  const wanted = asked.map(wordsOf);
  const total = wanted.reduce((sum, words) => sum + words.size, 0);
  if (total < 5) return false;
  const lines = file.map(wordsOf);
  const scoreAt = (at: number): number =>
    wanted.reduce((sum, words, step) => sum + countShared(words, lines[at + step]), 0);
  const score = scoreAt(start);
  if (score < total * 0.6) return false;
  for (let at = 1 - asked.length; at < file.length; at++) {
    if (at !== start && scoreAt(at) > score * 0.75) return false;
  }
  return true;
}

function wordsOf(line: string): ReadonlySet<string> {
  return new Set(line.toLowerCase().match(/[\p{L}\p{N}_]+/gu));
}

function countShared(words: ReadonlySet<string>, line: ReadonlySet<string> | undefined): number {
  let shared = 0;
  if (line !== undefined) for (const word of words) if (line.has(word)) shared++;
  return shared;
}
