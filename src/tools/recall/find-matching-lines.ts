/**
 * Owns the lines of a past result that match a pattern.
 * Leaves what a pattern means and how lines are found to text/, as `grep` does. Rule: every matching line is given,
 * with its number in the whole result; one that is too long is shown around the match, with the place from which
 * `chars` shows more. No pattern holds up the event loop.
 */
import type { ToolContext } from "../../contract/context.ts";
import { isRefusal, type Refusal } from "../../contract/refusal.ts";
import type { PastResult } from "../../contract/results.ts";
import { finishIn, makeSlices } from "../../root/search-pump.ts";
import { makeLineFinder } from "../../text/line-finder.ts";
import { makeRowCollector, type Row } from "../../text/match-rows.ts";
import { makePatternTables } from "../../text/pattern-tables.ts";
import { compilePattern, type SearchPattern } from "../../text/regex-pattern.ts";
import { makeSpanFinder } from "../../text/span-finder.ts";
import { countCharacters } from "../../text/window-parts.ts";
import type { Extent } from "./place-range.ts";

export interface MatchingLines {
  /** Ready to show: `212:text`. */
  readonly rows: readonly string[];
  readonly lines: readonly number[];
  /** How the pattern was taken where that differs from what was asked. */
  readonly taken: string | undefined;
}

export async function findMatchingLines(of: {
  result: PastResult;
  range: Extent | undefined;
  pattern: string;
  context: ToolContext;
}): Promise<MatchingLines | Refusal> {
  const { result, range, context } = of;
  const asked = { pattern: of.pattern, literal: false, ignoreCase: false, multiline: false };
  const slices = makeSlices(context.signal);
  await finishIn(slices, makePatternTables(asked));
  const pattern = compilePattern(asked);
  if (isRefusal(pattern)) return pattern;
  const text = range === undefined ? result.content : result.readLines(range.start, range.end);
  const { lineWindow } = context.limits;
  const found = await finishIn(slices, collectRows(pattern, { bytes: Buffer.from(text), lineWindow }));
  const before = (range?.start ?? 1) - 1;
  const places = makePlaceFinder(result);
  const rows = found.map((row) => renderRow({ ...row, line: row.line + before }, places));
  return { rows, lines: found.map((row) => row.line + before), taken: pattern.taken };
}

interface Searched {
  readonly bytes: Buffer;
  /** Characters shown of a long line. */
  readonly lineWindow: number;
}

function* collectRows(pattern: SearchPattern, searched: Searched): Generator<undefined, readonly Row[]> {
  const { bytes, lineWindow } = searched;
  const collector = makeRowCollector({ context: 0, lineWindow, mostRows: Number.POSITIVE_INFINITY });
  const held = { bytes, end: bytes.length };
  for (const match of pattern.multiline ? spanLines(pattern, bytes) : singleLines(pattern, searched)) {
    if (match === undefined) yield undefined;
    else collector.add(held, match);
  }
  return collector.rows;
}

/** One or several whole lines, and where on them the match starts. */
interface Match {
  readonly start: number;
  readonly end: number;
  readonly matchStart: number;
}

function* singleLines(
  pattern: SearchPattern,
  { bytes, lineWindow }: Searched,
): Generator<Match | undefined, void> {
  const finder = makeLineFinder(pattern);
  for (const hit of finder.find(bytes, 0, bytes.length)) {
    if (hit === undefined) yield undefined;
    else {
      // Only a window needs to know where the match starts; it costs a pass over the line.
      const isLong = hit.end - hit.start > lineWindow;
      const matchStart = isLong ? finder.findMatchStart(bytes, hit.matchEnd, hit.start) : hit.start;
      yield { start: hit.start, end: hit.end, matchStart };
    }
  }
}

function* spanLines(pattern: SearchPattern, bytes: Buffer): Generator<Match | undefined, void> {
  // Where the first line starts that no match has touched yet: two matches may meet on one line.
  let next = 0;
  for (const span of makeSpanFinder(pattern).find(bytes)) {
    if (span === undefined) {
      yield undefined;
      continue;
    }
    const line = span.start === 0 ? 0 : bytes.lastIndexOf(10, span.start - 1) + 1;
    const inside = span.end > span.start && bytes[span.end - 1] === 10 ? span.end - 1 : span.end;
    const newline = bytes.indexOf(10, inside);
    const end = newline < 0 ? bytes.length : newline;
    if (end < next) continue;
    const start = Math.max(line, next);
    yield { start, end, matchStart: Math.max(span.start, start) };
    next = end + 1;
  }
}

function renderRow(row: Row, findPlace: (line: number) => number): string {
  const before = row.cutBefore === true ? "…" : "";
  const after = row.cutAfter === true ? "…" : "";
  const text = `${row.line}:${before}${row.text}${after}`;
  if (row.column === undefined || row.characters === undefined) return text;
  const at = findPlace(row.line) + row.column - 1;
  return `${text} [column ${row.column} of ${row.characters}, character ${at} of the result]`;
}

/** Where a line starts, in characters of the result. Asked in order, it reads what lies between once. */
function makePlaceFinder(result: PastResult): (line: number) => number {
  let known = { line: 1, characters: 0 };
  return (line) => {
    if (line > known.line) {
      const between = result.readLines(known.line, line - 1);
      known = { line, characters: known.characters + countCharacters(between) };
    }
    return known.characters;
  };
}
