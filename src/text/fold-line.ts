/**
 * Owns when two lines look alike: the same text but for blanks, look-alike characters and Unicode normalisation.
 * Leaves what is done about it to others. Rule: folding is for finding and explaining only; no folded text is ever
 * written to a file.
 */
import { LOOK_ALIKE_CHARACTERS } from "./look-alike-characters.ts";

/** What has no width, and blanks that end no line: shown where they differ, but no reason to let an edit land. */
const INVISIBLE = /[\u00ad\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]/;
const BLANK = /[\t\v\f\r]/;

const ODD = new RegExp(
  `${INVISIBLE.source}|${BLANK.source}|[${[...LOOK_ALIKE_CHARACTERS.keys()].join("")}]`,
  "g",
);

/** What an odd character is taken for: a plain one, or nothing where it has no width; undefined for all other characters. */
export function findPlain(character: string): string | undefined {
  if (BLANK.test(character)) return " ";
  return INVISIBLE.test(character) ? "" : LOOK_ALIKE_CHARACTERS.get(character);
}

/** A line without what the eye does not see: blanks at its ends, their kind and number, look-alikes, NFD. */
export function foldLine(line: string): string {
  const trimmed = line.trim();
  // Most lines of most files end here.
  if (!/[^\x20-\x7e]| {2}/.test(trimmed)) return trimmed;
  return trimmed
    .normalize("NFC")
    .replace(ODD, (character) => findPlain(character) ?? character)
    .replace(/ {2,}/g, " ")
    .trim();
}

interface Folded {
  readonly text: string;
  /** For each code unit of `text`, and for its end, where it comes from in the line. */
  readonly from: readonly number[];
}

/** As `foldLine`, with the way back. Slower, so for the few lines that are shown. */
export function foldWithOrigins(line: string): Folded {
  let text = "";
  const from: number[] = [];
  // A letter is folded together with its combining marks.
  for (const { 0: cluster, index } of line.matchAll(/\P{M}\p{M}*|\p{M}+/gsu)) {
    const folded = cluster.normalize("NFC").replace(ODD, (character) => findPlain(character) ?? character);
    if (folded === " " && (text === "" || text.endsWith(" "))) continue;
    text += folded;
    for (let unit = 0; unit < folded.length; unit++) from.push(index);
  }
  from.push(line.length);
  return { text, from };
}
