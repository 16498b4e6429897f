/**
 * Owns the characters of a page's text: blanks that markup does not mean, characters that nobody sees.
 * Leaves references to character-references.ts. No I/O. Rule: what is taken out shows nothing in a browser either.
 */

/** Controls, and characters without width that only say where a line may break. */
const UNSEEN = /[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\u00ad\u200b\u2060\ufeff]/g;

export function dropUnseen(text: string): string {
  return text.replace(UNSEEN, "");
}

/** Korean is written with blanks. */
const EAST_ASIAN = /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]/;

/** Runs of blanks as one; a line break between two characters that are written without blanks is none. */
export function collapseBlanks(text: string): string {
  return dropUnseen(text).replace(/[ \t\n\f\r\u00a0]+/g, (run, offset: number, whole: string) => {
    if (!run.includes("\n")) return " ";
    const [before = "", after = ""] = [whole[offset - 1], whole[offset + run.length]];
    return EAST_ASIAN.test(before) && EAST_ASIAN.test(after) ? "" : " ";
  });
}

/** On one line and not longer than that. */
export function clipLine(text: string, maxChars: number): string {
  const characters = [
    ...collapseBlanks(text)
      .trim()
      .slice(0, maxChars * 2)
      .toWellFormed(),
  ];
  return characters.length > maxChars
    ? `${characters.slice(0, maxChars - 1).join("")}…`
    : characters.join("");
}

/** The length of the longest stretch that a pattern finds. */
export function longestRun(text: string, pattern: RegExp): number {
  return (text.match(pattern) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}
