/**
 * Owns showing what stands in a stranger's file. Leaves the sentence around it to the callers.
 * Rule: short, on one line. The attack: a key that clears the person's terminal, or writes a line of its own.
 */
import { showOddCharacters } from "../../root/show-name.ts";

/** Characters of a key or a value that are shown. */
const SHOWN_MAX = 80;
/** Of a sentence about one, which may name all that would be right. */
export const SENTENCE_MAX = 600;

export function showSafely(text: string, maxChars = SHOWN_MAX): string {
  const short = text.length <= maxChars ? text : `${text.slice(0, maxChars)}…`;
  return showOddCharacters(short.toWellFormed()).replace(/[\u2028\u2029]/g, " ");
}

/** A value as JSON has it. */
export function showJson(value: unknown): string {
  return showSafely(JSON.stringify(value) ?? String(value));
}
