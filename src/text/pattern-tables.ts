/**
 * Owns making the Unicode tables that a pattern will ask for, one after the other, before it is read.
 * Leaves the tables to code-set.ts. Rule: it pauses between two of them, because each takes milliseconds when it is
 * first made and a pattern may ask for thirty. A table that is not needed after all harms nothing.
 */
import { findPropertySet, foldSet, getWordSet } from "./code-set.ts";

const PROPERTY = /\\[pP](?:\{\^?([^{}]*)\}|([A-Za-z]))/g;

export function* makePatternTables(request: {
  readonly pattern: string;
  readonly ignoreCase: boolean;
}): Generator<undefined, void> {
  const { pattern, ignoreCase } = request;
  for (const [, braced, letter] of pattern.matchAll(PROPERTY)) {
    findPropertySet(braced ?? letter ?? "");
    yield undefined;
  }
  if (/\\[wWbB]/.test(pattern)) {
    getWordSet();
    yield undefined;
  }
  if (/\\[dD]/.test(pattern)) {
    findPropertySet("Nd");
    yield undefined;
  }
  // Folding letters beyond ASCII needs the table of all letters; a class that is negated or named may hold them.
  if (ignoreCase && /[^\x00-\x7f]|\\[^.\s]|\[\^/.test(pattern)) {
    foldSet([0x100, 0x100]);
    yield undefined;
  }
}
