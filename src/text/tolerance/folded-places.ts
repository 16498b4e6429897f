/**
 * Owns finding a text in a folded copy of the file: without blanks at line ends, or with look-alike characters folded.
 * Rule: the folded copy is only searched; what is kept of a place are the file's own bytes.
 */

import { commonIndexes, type SentLine } from "../sent-lines.ts";
import { type FileLine, sliceLine } from "./file-lines.ts";
import {
  type AdaptCharacter,
  type Atom,
  alignChunks,
  chunksOfText,
  foldChunk,
  foldLookAlikes,
  learnCharacters,
} from "./look-alikes.ts";
import { NO_EXTRAS, type Place, type Search } from "./place.ts";
import type { Alignment, Piece } from "./rebuild.ts";

/** The blanks at the end of a text. Not by a pattern: on a line of many blanks that would try each of them. */
function tailOf(text: string): string {
  let at = text.length;
  while (at > 0 && (text[at - 1] === " " || text[at - 1] === "\t")) at--;
  return text.slice(at);
}

/** Searches a folded copy of the file for the folded text; it may begin and end inside a line. */
export function findFolded(search: Search, rule: "trailing-blanks" | "look-alikes"): Place[] {
  const fold =
    rule === "trailing-blanks"
      ? (text: string) => text.slice(0, text.length - tailOf(text).length)
      : foldLookAlikes;
  const { file, old } = search;
  const needle = joinLines(old.map((line) => ({ text: fold(line.text), hasBreak: line.hasBreak })));
  const folded = file.lines.map((line) => ({ text: fold(line.text), hasBreak: line.breakEnd > line.end }));
  const haystack = joinLines(folded);
  const starts: number[] = [];
  for (let at = 0, index = 0; index < folded.length; index++) {
    starts.push(at);
    at += (folded[index]?.text.length ?? 0) + 1;
  }
  const places: Place[] = [];
  for (let at = haystack.indexOf(needle); at !== -1; at = haystack.indexOf(needle, at + 1)) {
    const lines = sliceFolded({ search, starts, at, end: at + needle.length, rule });
    if (lines === undefined || !(rule === "look-alikes" || endsTails(old, lines, file))) continue;
    if (places.length >= search.limit) break;
    const alignment =
      rule === "trailing-blanks" ? alignTrailing(old, lines, file) : alignLookAlikes(old, lines);
    places.push({ rule, alignments: [alignment] });
  }
  return places;
}

function joinLines(lines: readonly SentLine[]): string {
  return lines.map((line) => (line.hasBreak ? `${line.text}\n` : line.text)).join("");
}

function sliceFolded(of: {
  search: Search;
  starts: readonly number[];
  at: number;
  end: number;
  rule: "trailing-blanks" | "look-alikes";
}): FileLine[] | undefined {
  const { file, old } = of.search;
  const first = lineAt(of.starts, of.at);
  const lines: FileLine[] = [];
  for (const [index, sent] of old.entries()) {
    const line = file.lines[first + index];
    if (line === undefined) return undefined;
    const unfold = (column: number) =>
      of.rule === "trailing-blanks" ? column : unfoldColumn(line.text, column);
    const from = index === 0 ? unfold(of.at - (of.starts[first] ?? 0)) : 0;
    const to = sent.hasBreak ? line.text.length : unfold(of.end - (of.starts[first + index] ?? 0));
    if (from === undefined || to === undefined) return undefined;
    lines.push(sliceLine(line, { from, to, withBreak: sent.hasBreak }, file));
  }
  return lines;
}

/** The line whose start is the last at or before `at`. */
function lineAt(starts: readonly number[], at: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The column of a line that a column of its folded form stands for; undefined inside a character. */
function unfoldColumn(text: string, column: number): number | undefined {
  let [folded, plain] = [0, 0];
  for (const chunk of chunksOfText(text)) {
    if (folded >= column) break;
    folded += foldChunk(chunk).length;
    plain += chunk.length;
  }
  return folded === column ? plain : undefined;
}

/**
 * Whether the blanks that were folded away stood at the ends of lines. In the last line, which need not be whole, they
 * did only where the place ends with a line of the file; a first line of nothing but blanks stands for a blank line only.
 */
function endsTails(old: readonly SentLine[], lines: readonly FileLine[], file: Search["file"]): boolean {
  const wholeOf = (line: FileLine | undefined) =>
    line === undefined ? undefined : file.lines[line.number - (file.lines[0]?.number ?? 1)];
  const [first, last] = [old[0], old.at(-1)];
  if (last !== undefined && !last.hasBreak && tailOf(last.text) !== "") {
    const [part, whole] = [lines.at(-1), wholeOf(lines.at(-1))];
    const rest = part && whole && file.bytes.subarray(part.end, whole.end);
    if (rest?.some((byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0)) return false;
  }
  if (first === undefined || !first.hasBreak || first.text === "" || first.text.trim() !== "") return true;
  return wholeOf(lines[0])?.text.trim() === "";
}

/** Blanks at the end of a line stay the file's, unless the new text changes them. */
function alignTrailing(
  old: readonly SentLine[],
  lines: readonly FileLine[],
  file: Search["file"],
): Alignment {
  return {
    old,
    lines,
    extras: NO_EXTRAS,
    change(fresh, sent, line) {
      const [sentTail, freshTail] = [tailOf(sent), tailOf(fresh)];
      if (freshTail !== sentTail || fresh === "") return [{ text: fresh }];
      const from = line.text.length - tailOf(line.text).length;
      const tail = sliceLine(line, { from, to: line.text.length, withBreak: false }, file);
      return [{ text: fresh.slice(0, fresh.length - sentTail.length) }, { start: tail.start, end: tail.end }];
    },
    adapt: (text) => text,
  };
}

function alignLookAlikes(old: readonly SentLine[], lines: readonly FileLine[]): Alignment {
  const atoms = old.map((line, index) => alignChunks(line.text, lines[index]?.text ?? ""));
  const region = learnCharacters(atoms, 2);
  return {
    old,
    lines,
    extras: NO_EXTRAS,
    change(fresh, sent, file) {
      const own = alignChunks(sent, file.text);
      const learnt = learnCharacters([own], 1);
      const adapt: AdaptCharacter = (chunks, at) => learnt(chunks, at) ?? region(chunks, at);
      return changeLine({ fresh, atoms: own, adapt });
    },
    adapt: (fresh) => {
      const chunks = chunksOfText(fresh);
      return chunks.map((chunk, at) => region(chunks, at) ?? chunk).join("");
    },
  };
}

/** Characters that old and new line share stay the file's; the others are new. */
function changeLine(of: { fresh: string; atoms: readonly Atom[]; adapt: AdaptCharacter }): Piece[] {
  const freshChunks = chunksOfText(of.fresh);
  const sentChunks = of.atoms.flatMap((atom) => atom.sent);
  const keptAt = new Map(commonIndexes(sentChunks, freshChunks).map(([sent, fresh]) => [fresh, sent]));
  const atomAt = of.atoms.flatMap((atom, index) => atom.sent.map((_, part) => ({ atom, index, part })));
  let text = "";
  for (let at = 0; at < freshChunks.length; ) {
    const sent = keptAt.get(at);
    const place = sent === undefined ? undefined : atomAt[sent];
    const isWhole =
      place !== undefined &&
      place.part === 0 &&
      place.atom.sent.every((_, step) => keptAt.get(at + step) === (sent ?? 0) + step);
    if (isWhole) {
      text += place.atom.file.join("");
      at += place.atom.sent.length;
    } else {
      text += of.adapt(freshChunks, at) ?? freshChunks[at] ?? "";
      at++;
    }
  }
  return [{ text }];
}
