/**
 * Owns keeping a name or a sentence on one line of an answer, in the order in which it is written.
 * Leaves content, which is shown as it is, to the tools.
 * Rule: a file may be named so that its name adds a line to the text, colours it, or turns it round (`U+202E` makes
 * `gpj.exe` of `exe.jpg`); shown text never does. What is shown is what a JSON argument takes.
 */

const ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Controls, line separators, and the characters that override the direction of all that follows. */
const ODD = /[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g;

/** Control characters and the like as JSON escapes, so that a name or call copied from the text stays what it is. */
export function keepOnOneLine(text: string): string {
  return text.replace(
    ODD,
    (character) => ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
