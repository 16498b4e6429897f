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
    const numbers = numbersOf(oldText, style);
    if (!areConsecutive(numbers)) continue;
    const restored = stripNumbers(oldText, style);
    const fresh = restoreNew(newText, new Set(restored.split("\n")), style);
    const firstLine = numbers[0] ?? 0;
    if (fresh !== undefined)
      variants.push({ rule: "line-numbers", oldText: restored, newText: fresh, firstLine });
  }
  return variants;
}

/**
 * The new text as it was meant: numbered as a whole, or clean. It is clean where a line of it stands in the restored
 * old text as it was sent; what has numbers on some lines only leaves it open.
 */
function restoreNew(newText: string, restored: ReadonlySet<string>, style: RegExp): string | undefined {
  const lines = newText.split("\n").filter((line) => line.trim() !== "");
  if (lines.some((line) => restored.has(line)) || lines.every((line) => !style.test(line))) return newText;
  return areConsecutive(numbersOf(newText, style)) ? stripNumbers(newText, style) : undefined;
}

function numbersOf(text: string, style: RegExp): number[] {
  const lines = text.split("\n");
  const body = lines.at(-1) === "" ? lines.slice(0, -1) : lines;
  return body.map((line) => Number(style.exec(line)?.[1] ?? Number.NaN));
}

function areConsecutive(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => number === (numbers[0] ?? 0) + index);
}

function stripNumbers(text: string, style: RegExp): string {
  return text
    .split("\n")
    .map((line) => style.exec(line)?.[2] ?? line)
    .join("\n");
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
  if (!/\\n/.test(oldText) || isOpen(oldText, newText)) return [];
  const onlyNewlines = (text: string) => text.replace(/(?:\\r)?\\n/g, "\n");
  const variants = [
    { rule: "literal-newlines" as const, oldText: onlyNewlines(oldText), newText: onlyNewlines(newText) },
  ];
  if (breaksQuotes(newText, /\\[tr"]/)) return variants;
  const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", '"': '"', "\\": "\\" };
  const allEscapes = (text: string) =>
    text.replace(/\\([ntr"\\])/g, (whole, letter: string) => escapes[letter] ?? whole);
  return [
    ...variants,
    { rule: "literal-newlines", oldText: allEscapes(oldText), newText: allEscapes(newText) },
  ];
}

/** Characters of a line with a literal `\n` that are looked at; what is longer leaves open what was meant. */
const LINE_JUDGED = 20_000;

/** A `\n` between slashes where a regular expression could stand. */
const PATTERN = /(?:^|[(,=:[!&|?{};]|return)[ \t]*\/[^/\n]*\\n[^/\n]*\//m;

/** Whether some `\n` of the new text may be meant as it is: in quotes, in a pattern, in a path, in a sentence, in a name. */
function isOpen(oldText: string, newText: string): boolean {
  if (newText.length > LINE_JUDGED && newText.split("\n").some((line) => line.length > LINE_JUDGED))
    return true;
  if (PATTERN.test(newText) && !PATTERN.test(oldText)) return true;
  if (/(?:^|[^A-Za-z])[A-Za-z]:\\n[a-z]/m.test(newText)) return true;
  if (/[ \t]\\n/.test(newText) && !/[ \t]\\n/.test(oldText)) return true;
  // Where other backslashes stand before letters, as in TeX, `\n` may begin a name.
  if (/\\n[A-Za-z]/.test(newText) && /\\[a-mo-qsu-zA-Z]/.test(oldText + newText)) return true;
  return breaksQuotes(newText, /\\n/);
}

/** Whether an escape stands inside quotes. */
function breaksQuotes(text: string, mark: RegExp): boolean {
  return text.split("\n").some((line) => {
    const pieces = line.replace(/\\\\/g, "").split(mark);
    let before = "";
    return pieces.slice(0, -1).some((piece) => {
      before = mark.source.includes("n") ? piece : before + piece;
      const bare = before.replace(/\\["'`]/g, "").replace(/\p{L}'\p{L}/gu, "");
      return ['"', "'", "`"].some((quote) => bare.split(quote).length % 2 === 0);
    });
  });
}
