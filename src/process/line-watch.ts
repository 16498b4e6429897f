/**
 * Owns looking for a pattern in the lines of a stream as they come.
 * Leaves the pattern to text/ and reading to drain.ts. Rule: the project's own engine, which cannot backtrack; each line
 * is looked at once. A line that has no end yet is looked at when nothing more comes: a prompt has none.
 */
import { isRefusal } from "../contract/refusal.ts";
import { type LineFinder, makeLineFinder } from "../text/line-finder.ts";
import { compilePattern } from "../text/regex-pattern.ts";

export interface LineWatch {
  /** The first line that matches, of these bytes and what came before. */
  add(bytes: Uint8Array): string | undefined;
  /** Whether the line without an end matches. */
  checkOpenLine(): string | undefined;
}

/** What is longer is looked at in pieces. */
const MAX_LINE = 65_536;

/** Throws where the pattern needs an engine that backtracks: whoever asks has to check it before. */
export function makeLineWatches(pattern: string, count: number): LineWatch[] {
  const compiled = compilePattern({ pattern, literal: false, ignoreCase: false, multiline: false });
  if (isRefusal(compiled)) throw new Error(`the pattern is not supported: ${pattern}`);
  return Array.from({ length: count }, () => openLineWatch(makeLineFinder(compiled)));
}

function openLineWatch(finder: LineFinder): LineWatch {
  let open = Buffer.alloc(0);
  return {
    add(bytes) {
      const text = open.length === 0 ? Buffer.from(bytes) : Buffer.concat([open, bytes]);
      const lineEnd = text.lastIndexOf(10) + 1;
      const end = text.length - lineEnd > MAX_LINE ? text.length : lineEnd;
      open = Buffer.from(text.subarray(end));
      return findLine(finder, text.subarray(0, end));
    },
    checkOpenLine: () => findLine(finder, open),
  };
}

function findLine(finder: LineFinder, text: Buffer): string | undefined {
  if (text.length === 0 || !finder.mayMatch(text, 0, text.length)) return undefined;
  for (const hit of finder.find(text, 0, text.length))
    if (hit !== undefined) return text.toString("utf8", hit.start, hit.end).toWellFormed();
  return undefined;
}
