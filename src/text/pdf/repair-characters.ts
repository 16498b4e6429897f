/**
 * Owns making the characters of a document those of ordinary text.
 * Leaves their order to row-text.ts. Rule: what comes out is well-formed, on one line, and means what the page shows;
 * what only its font knows is a replacement character, so that nobody takes it for text.
 */

/** Letters as a font draws them, several in one or by their place in the word: they stand for ordinary ones. */
const DRAWN_FORMS = /[\ufb00-\ufb06\ufb13-\ufb17\ufb1d-\ufb4f\ufb50-\ufdff\ufe70-\ufeff]/g;
/** Marks of lists in the private code points that the fonts Symbol and Wingdings have in most documents. */
const MARKS: Readonly<Record<string, string>> = {
  "\uf0b7": "•",
  "\uf0a7": "▪",
  "\uf0a8": "▫",
  "\uf0d8": "➢",
  "\uf0fc": "✓",
  "\uf0e0": "→",
  "\uf02d": "-",
};
const PRIVATE = /[\ue000-\uf8ff\u{f0000}-\u{ffffd}\u{100000}-\u{10fffd}]/gu;
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
const CONTROLS = /[\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]/g;

export function repairCharacters(text: string): string {
  return text
    .toWellFormed()
    .replace(DRAWN_FORMS, (form) => form.normalize("NFKC"))
    .replace(PRIVATE, (character) => MARKS[character] ?? "\ufffd")
    .replace(BREAKS, " ")
    .replace(CONTROLS, "\ufffd");
}
