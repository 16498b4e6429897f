/**
 * Owns showing one value of a call inside a sentence. Leaves sentences to others.
 * Rule: short, on one line, well-formed.
 */

const LONGEST = 60;
/** What a call named is quoted so far: enough to be recognised by who sent it, however long it was. */
const LONGEST_QUOTED = 300;

/** `"two"`, `1.5`, `an object`. */
export function showValue(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value === "string")
    return clipText(JSON.stringify(value.slice(0, LONGEST * 2).toWellFormed()), LONGEST);
  return String(value);
}

/** Cuts a text between characters, and says that it did. */
export function clipText(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const end = (text.charCodeAt(longest - 2) & 0xfc00) === 0xd800 ? longest - 2 : longest - 1;
  return `${text.slice(0, Math.max(0, end))}…`;
}

/** A path, name or pattern as it stands in a sentence. */
export function clipQuoted(text: string): string {
  return clipText(text, LONGEST_QUOTED);
}
