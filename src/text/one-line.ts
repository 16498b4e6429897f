/**
 * Owns keeping a name or a sentence on one line of an answer. Leaves content, which is shown as it is, to the tools.
 * Rule: a file may be named so that its name adds a line to the text, or colours it; shown text never does.
 */

const ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Control characters and line separators as JSON escapes, so that a call quoted in the text stays what it is. */
export function keepOnOneLine(text: string): string {
  return text.replace(
    /[\p{Cc}\u2028\u2029]/gu,
    (character) =>
      ESCAPES[character] ?? `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}
