/**
 * Owns finding whole lines by their text without indentation and blank lines: one blank line more or less, or one
 * uniform shift of indentation. Rule: what the one rule does not allow must be the same to the character.
 */

import type { SentLine } from "../sent-lines.ts";
import type { FileLine } from "./file-lines.ts";
import { findShifts, indentOf, type Shift } from "./indentation.ts";
import { asSent, NO_EXTRAS, type Place, type Search } from "./place.ts";
import type { Alignment } from "./rebuild.ts";

/** Finds whole lines by their text without indentation, blank lines left out: one blank line more or less, one shift. */
export function findByCompactLines({ file, old, fresh, limit }: Search): Place[] {
  const sent = old.flatMap((line, index) => (line.text.trim() === "" ? [] : [{ text: line.text, index }]));
  const compact = file.lines.flatMap((line, index) => (line.text.trim() === "" ? [] : [{ line, index }]));
  const places: Place[] = [];
  for (const at of occurrencesOf(
    compact.map(({ line }) => line.text.trim()),
    sent.map(({ text }) => text.trim()),
  )) {
    const matched = compact.slice(at, at + sent.length);
    const aligned = alignBlanks({
      file,
      old,
      sent: sent.map(({ index }) => index),
      matched: matched.map(({ index }) => index),
    });
    if (aligned === undefined) continue;
    if (places.length >= limit) break;
    const { lines, extras, blanksOff } = aligned;
    const isSame = old.every((line, index) => lines[index] === undefined || lines[index]?.text === line.text);
    if (isSame && blanksOff === 1) {
      places.push({
        rule: "blank-line",
        alignments: [{ old, lines, extras, change: asSent, adapt: (text) => text }],
      });
    } else if (blanksOff === 0) places.push(...shiftPlaces({ file, old, fresh }, lines));
  }
  return places;
}

/** Lines compared in one search: a file and a text of the same line over and over would else cost their product. */
const LINES_COMPARED = 1_000_000;

/** Where `needle` stands as a run in `haystack`, found by its rarest line. */
function occurrencesOf(haystack: readonly string[], needle: readonly string[]): number[] {
  const positions = new Map<string, number[]>(needle.map((text) => [text, []]));
  for (const [index, text] of haystack.entries()) positions.get(text)?.push(index);
  const counts = needle.map((text) => positions.get(text)?.length ?? 0);
  const rarest = counts.indexOf(Math.min(...counts));
  const found: number[] = [];
  let compared = 0;
  for (const position of positions.get(needle[rarest] ?? "") ?? []) {
    const start = position - rarest;
    const fits = start >= 0 && needle.every((text, step) => ++compared && haystack[start + step] === text);
    if (fits) found.push(start);
    if (compared > LINES_COMPARED) break;
  }
  return found;
}

/** Gives every blank line of the old text one of the file, and counts those on either side that have none. */
function alignBlanks(of: {
  file: Search["file"];
  old: readonly SentLine[];
  sent: readonly number[];
  matched: readonly number[];
}): { lines: (FileLine | undefined)[]; extras: Map<number, FileLine[]>; blanksOff: number } | undefined {
  const { file, old, sent, matched } = of;
  const lines: (FileLine | undefined)[] = old.map(() => undefined);
  const extras = new Map<number, FileLine[]>();
  let blanksOff = 0;
  const [firstSent = 0, firstMatched = 0] = [sent[0], matched[0]];
  for (const [order, index] of sent.entries()) {
    const at = matched[order] ?? 0;
    lines[index] = file.lines[at];
    const next = sent[order + 1] ?? old.length;
    const nextAt = matched[order + 1] ?? Math.min(at + next - index, runOfBlanks(file.lines, at + 1));
    const [want, have] = [next - index - 1, nextAt - at - 1];
    for (let step = 1; step <= Math.min(want, have); step++) lines[index + step] = file.lines[at + step];
    if (have > want) extras.set(index + want, file.lines.slice(at + 1 + want, nextAt));
    blanksOff += Math.abs(want - have);
  }
  for (let step = 1; step <= firstSent; step++) {
    const line = file.lines[firstMatched - step];
    if (line !== undefined && line.text.trim() === "") lines[firstSent - step] = line;
    else blanksOff += 1;
  }
  const last = lines.findLast((line) => line !== undefined);
  // A last line without a break is one whose break is not part of the place; one that wants a break must have it.
  if (last === undefined || (old.at(-1)?.hasBreak && last.breakEnd === last.end)) return undefined;
  if (old.at(-1)?.hasBreak === false) replaceLast(lines, { ...last, breakEnd: last.end });
  return { lines, extras, blanksOff };
}

function replaceLast(lines: (FileLine | undefined)[], line: FileLine): void {
  const index = lines.findLastIndex((known) => known !== undefined);
  if (index !== -1) lines[index] = line;
}

/** The index of the first line at or behind `from` that is not blank. */
function runOfBlanks(lines: readonly FileLine[], from: number): number {
  let at = from;
  while (at < lines.length && lines[at]?.text.trim() === "") at++;
  return at;
}

function shiftPlaces(
  { file: { lines: all }, old, fresh }: Pick<Search, "file" | "old" | "fresh">,
  lines: readonly (FileLine | undefined)[],
): Place[] {
  const pairs: { sent: string; file: string }[] = [];
  for (const [index, line] of old.entries()) {
    const file = lines[index]?.text ?? "";
    if (line.text.trim() === "" && file.trim() === "") continue;
    const [sentIndent, fileIndent] = [indentOf(line.text), indentOf(file)];
    if (line.text.slice(sentIndent.length) !== file.slice(fileIndent.length)) return [];
    pairs.push({ sent: sentIndent, file: fileIndent });
  }
  if (pairs.every(({ sent, file }) => sent === file)) return [];
  const textOf = (line: { text: string }) => line.text;
  const shifts = findShifts(pairs, { sent: [...old, ...fresh].map(textOf), file: all.map(textOf) });
  if (shifts.all.length === 0) return [];
  const align = (shift: Shift) => alignShift(old, lines, shift);
  return [{ rule: "indentation", alignments: shifts.all.map(align), likely: shifts.likely.map(align) }];
}

function alignShift(
  old: readonly SentLine[],
  lines: readonly (FileLine | undefined)[],
  shift: Shift,
): Alignment {
  const adapt = (text: string): string | undefined => {
    if (text.trim() === "") return "";
    const indent = indentOf(text);
    const shifted = shift(indent);
    return shifted === undefined ? undefined : shifted + text.slice(indent.length);
  };
  const change = (fresh: string) => {
    const text = adapt(fresh);
    return text === undefined ? undefined : [{ text }];
  };
  return { old, lines, extras: NO_EXTRAS, change, adapt };
}
