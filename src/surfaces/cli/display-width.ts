/**
 * Owns how many columns a text takes on a terminal, and cutting it to fit.
 * Leaves tables to print-table.ts. Rule: what a person sees as one character is never cut in two. Where terminals
 * differ (flags, some emoji) the wider is assumed: a table that is too narrow looks better than a broken one.
 */

/** https://www.unicode.org/reports/tr11/: the blocks that are wide in every font. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;
/** Marks that stand over the character before them, and what is not shown at all. */
const WITHOUT_WIDTH = /^[\p{Mark}\p{Cf}]+$/u;

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Columns of a text without control characters. */
export function displayWidth(text: string): number {
  // Most of it is this, and needs no looking at.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += widthOf(segment);
  return width;
}

function widthOf(grapheme: string): number {
  if (WITHOUT_WIDTH.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}

/** The text, or as much of it as fits with an ellipsis. */
export function fitText(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let kept = "";
  let width = 1;
  for (const { segment } of segmenter.segment(text)) {
    width += widthOf(segment);
    if (width > columns) break;
    kept += segment;
  }
  return columns < 1 ? "" : `${kept.trimEnd()}…`;
}
