/**
 * Owns making visible what the eye does not see, and naming what tells two texts apart that look the same.
 * Leaves choosing the texts to nearest-region.ts. Rule: what is shown is for reading; a mark is only put where the
 * two texts differ in that respect, so that ordinary lines stay as they are.
 */
import { findPlain, foldLine, foldWithOrigins } from "./fold-line.ts";

/** The respects in which a text is marked. */
interface Marks {
  readonly tabs: boolean;
  readonly trailing: boolean;
  /** Runs of two and more spaces. */
  readonly runs: boolean;
  /** Look-alikes, and characters without width. */
  readonly odd: boolean;
  /** Letters that have a composed and a decomposed form. */
  readonly accents: boolean;
}

const CONTROL = /[\0-\x08\n-\x1f\x7f-\x9f]/gu;
const ACCENT = /\p{M}|[^\0-\x7f]/gu;

/** Every blank and odd character of a text made visible: `<TAB>`, `<U+00A0>`, and `·` for blanks at the end. */
export function makeVisible(text: string): string {
  return mark(text, { tabs: true, trailing: true, runs: false, odd: true, accents: false });
}

function mark(text: string, marks: Marks): string {
  const end = text.trimEnd().length;
  const body = marks.trailing ? text.slice(0, end) : text;
  const blanks = marks.trailing ? text.slice(end).replaceAll(" ", "·") : "";
  let shown = marks.runs ? body.replace(/ {2,}/g, (run) => "·".repeat(run.length)) : body;
  shown += blanks;
  if (marks.odd) shown = shown.replace(/[^\x20-\x7e\t]/gu, (one) => (isOdd(one) ? nameCharacter(one) : one));
  if (marks.accents) shown = shown.replace(ACCENT, (one) => (hasOtherForm(one) ? nameCharacter(one) : one));
  if (marks.tabs) shown = shown.replaceAll("\t", "<TAB>");
  return shown.replace(CONTROL, nameCharacter);
}

function isOdd(character: string): boolean {
  return findPlain(character) !== undefined;
}

function hasOtherForm(character: string): boolean {
  return /\p{M}/u.test(character) || character.normalize("NFD") !== character;
}

function nameCharacter(character: string): string {
  if (character === "\r") return "<CR>";
  const code = character.codePointAt(0) ?? 0;
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}

interface Contrast {
  readonly actual: string;
  readonly asked: string;
  /** Empty where the texts differ for all to see. */
  readonly differences: readonly string[];
}

/** Two lines that differ, ready to show one above the other, and what tells them apart where the eye cannot. */
export function contrast(actual: string, asked: string): Contrast {
  const part = findAlikePart(actual, asked);
  const [file, wish] = part ?? [actual, asked];
  const marks: Marks = {
    tabs: count(file, /\t/g) !== count(wish, /\t/g),
    trailing: part !== undefined && trailingOf(file) !== trailingOf(wish),
    runs: part !== undefined && runsOf(file) !== runsOf(wish),
    odd: listOdd(file).join("") !== listOdd(wish).join(""),
    accents: part !== undefined && isComposed(file) !== isComposed(wish),
  };
  const differences = part === undefined ? [] : nameDifferences(file, wish, marks);
  return { actual: mark(actual, marks), asked: mark(asked, marks), differences };
}

/** The part of the line that the asked text looks like, with the asked text; undefined where it looks like no part. */
function findAlikePart(actual: string, asked: string): readonly [string, string] | undefined {
  const wanted = foldLine(asked);
  if (wanted === "") return foldLine(actual) === "" ? [actual, asked] : undefined;
  const { text, from } = foldWithOrigins(actual);
  const at = text.indexOf(wanted);
  if (at < 0) return undefined;
  // Where it is the whole line, the blanks at the ends count; where it is a part, what stands around it does not.
  if (text.trim() === wanted) return [actual, asked];
  return [actual.slice(from[at] ?? 0, from[at + wanted.length] ?? actual.length), asked.trim()];
}

function nameDifferences(file: string, wish: string, marks: Marks): string[] {
  const names = new Set<string>();
  if (marks.trailing) names.add("trailing blanks");
  if (marks.tabs) names.add(count(file, /\t/g) > count(wish, /\t/g) ? "tabs for spaces" : "spaces for tabs");
  else if (indentOf(file) !== indentOf(wish)) names.add("indentation");
  if (marks.runs && runsOf(file.trim()) !== runsOf(wish.trim())) names.add("the number of blanks in a row");
  const [mine, theirs] = [new Set(listOdd(file)), new Set(listOdd(wish))];
  for (const one of mine) if (!theirs.has(one)) names.add(`${codeOf(one)} for ${describe(one)}`);
  for (const one of theirs) if (!mine.has(one)) names.add(`${describe(one)} for ${codeOf(one)}`);
  if (marks.accents) {
    names.add(`Unicode normalisation (${isComposed(file) ? "NFC for NFD" : "NFD for NFC"})`);
  }
  return [...names];
}

function codeOf(character: string): string {
  return nameCharacter(character).slice(1, -1);
}

function describe(character: string): string {
  const plain = findPlain(character);
  return plain === " " ? "a space" : plain === "" ? "nothing" : (plain ?? character);
}

/** Odd characters in order, tabs aside: they are told of by themselves. */
function listOdd(text: string): string[] {
  return [...text].filter((character) => character !== "\t" && isOdd(character));
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function isComposed(text: string): boolean {
  return text === text.normalize("NFC");
}

function trailingOf(text: string): string {
  return text.slice(text.trimEnd().length);
}

function indentOf(text: string): string {
  return text.slice(0, text.length - text.trimStart().length);
}

/** The lengths of the runs of blanks, whatever their kind. */
function runsOf(text: string): string {
  return (text.match(/\s+/g) ?? []).map((run) => run.length).join();
}
