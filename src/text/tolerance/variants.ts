/**
 * Owns ways in which a whole call was distorted on its way: pasted line numbers, HTML escapes, a literal `\n`.
 * Leaves finding the restored text to tolerate.ts, where it must fit exactly.
 * Rule: old and new text are restored alike, and not at all where the new text leaves open how it was meant.
 */

export type VariantRule = "line-numbers" | "html-escapes" | "literal-newlines";

export interface Variant {
  readonly rule: VariantRule;
  readonly oldText: string;
  readonly newText: string;
  /** Where line numbers were pasted: that of the first line. What they stand before are whole lines of the file. */
  readonly firstLine?: number;
}

export function variantsOf(oldText: string, newText: string): Variant[] {
  return [
    ...withoutNumbers(oldText, newText),
    ...withoutEscapes(oldText, newText),
    ...withNewlines(oldText, newText),
  ];
}

/** Line prefixes of `read` and `cat -n`, of an arrow, of a bar, and of grep; each takes at most one blank after the mark. */
const NUMBER_STYLES = [
  /^\s*(\d+)\t(.*)$/s,
  /^\s*(\d+)→(.*)$/s,
  /^\s*(\d+)\s?\| ?(.*)$/s,
  /^\s*(\d+): (.*)$/s,
  /^\s*(\d+):(.*)$/s,
];

function withoutNumbers(oldText: string, newText: string): Variant[] {
  const variants: Variant[] = [];
  for (const style of NUMBER_STYLES) {
    const lines = oldText.split("\n");
    const body = lines.at(-1) === "" ? lines.slice(0, -1) : lines;
    const numbers = body.map((line) => Number(style.exec(line)?.[1] ?? Number.NaN));
    if (!numbers.every((number, index) => number === (numbers[0] ?? 0) + index)) continue;
    const strip = (text: string) =>
      text
        .split("\n")
        .map((line) => style.exec(line)?.[2] ?? line)
        .join("\n");
    const firstLine = numbers[0] ?? 0;
    variants.push({ rule: "line-numbers", oldText: strip(oldText), newText: strip(newText), firstLine });
  }
  return variants;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&#x27;": "'",
  "&apos;": "'",
  "&amp;": "&",
};
const ESCAPE = /&(?:lt|gt|quot|#39|#x27|apos|amp);/g;

function withoutEscapes(oldText: string, newText: string): Variant[] {
  const used = new Set(oldText.match(ESCAPE));
  if (used.size === 0) return [];
  // A new text that holds a character both plain and escaped was not escaped as a whole: which was meant is open.
  const isMixed = [...new Set(newText.match(ESCAPE))].some((entity) => {
    const plain = ESCAPES[entity] ?? "";
    return newText.replace(ESCAPE, "").includes(plain);
  });
  if (isMixed) return [];
  const restore = (text: string) => text.replace(ESCAPE, (entity) => ESCAPES[entity] ?? entity);
  return [{ rule: "html-escapes", oldText: restore(oldText), newText: restore(newText) }];
}

function withNewlines(oldText: string, newText: string): Variant[] {
  if (!/\\n/.test(oldText) || breaksQuotes(newText)) return [];
  const onlyNewlines = (text: string) => text.replace(/(?:\\r)?\\n/g, "\n");
  const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", '"': '"', "\\": "\\" };
  const allEscapes = (text: string) =>
    text.replace(/\\([ntr"\\])/g, (whole, letter: string) => escapes[letter] ?? whole);
  return [onlyNewlines, allEscapes].map((restore) => ({
    rule: "literal-newlines" as const,
    oldText: restore(oldText),
    newText: restore(newText),
  }));
}

/** Whether a literal `\n` stands inside quotes or between the slashes of a pattern, where it may be meant as it is. */
function breaksQuotes(text: string): boolean {
  if (/(?:^|[(,=:[!&|?{};]|return)[ \t]*\/[^/\n]*\\n[^/\n]*\//m.test(text)) return true;
  return text.split("\n").some((line) => {
    const pieces = line.replace(/\\\\/g, "").split("\\n");
    return pieces.slice(0, -1).some((piece) => {
      const bare = piece.replace(/\\["'`]/g, "").replace(/\p{L}'\p{L}/gu, "");
      return ['"', "'", "`"].some((quote) => bare.split(quote).length % 2 === 0);
    });
  });
}
