/**
 * Owns a file as it will stand on disk: lines with their own endings, and the variants that real projects have.
 * Leaves cutting edits to cut.ts. Rule: a document is a value; every variant is a new one.
 */
import type { Source } from "./corpus.ts";
import type { Random } from "./random.ts";

export interface Line {
  readonly text: string;
  readonly ending: "" | "\n" | "\r\n";
}

export interface Document {
  readonly extension: string;
  readonly lines: readonly Line[];
}

/** The files as they are, with CRLF, indented with tabs, or without a final newline. */
export function drawDocument(random: Random, corpus: readonly Source[]): Document {
  const source = drawSource(random, corpus);
  let lines = source.lines;
  if (random.chance(0.2)) lines = lines.map((line) => indentWithTabs(line, unitOf(source.lines)));
  const ending = random.chance(0.25) ? "\r\n" : "\n";
  const document = layLines(lines, ending, source.extension);
  return random.chance(0.08) ? dropFinalNewline(document) : document;
}

/** Languages before files, so that the few Go files come up as often as the many in JavaScript. */
function drawSource(random: Random, corpus: readonly Source[]): Source {
  const extensions = [...new Set(corpus.map((source) => source.extension))];
  const extension = random.pick(extensions);
  return random.pick(corpus.filter((source) => source.extension === extension));
}

export function layLines(lines: readonly string[], ending: "\n" | "\r\n", extension: string): Document {
  return { extension, lines: lines.map((text) => ({ text, ending })) };
}

export function dropFinalNewline(document: Document): Document {
  const last = document.lines.length - 1;
  return mapLines(document, (line, index) => (index === last ? { ...line, ending: "" } : line));
}

export function withEndings(document: Document, ending: "\n" | "\r\n"): Document {
  return mapLines(document, (line) => ({ ...line, ending: line.ending === "" ? "" : ending }));
}

export function mapLines(document: Document, change: (line: Line, index: number) => Line): Document {
  return { ...document, lines: document.lines.map(change) };
}

export function mapTexts(document: Document, change: (text: string, index: number) => string): Document {
  return mapLines(document, (line, index) => ({ ...line, text: change(line.text, index) }));
}

export function textOf(lines: readonly Line[]): string {
  return lines.map((line) => line.text + line.ending).join("");
}

/** What a model has seen of it: the lines, joined by plain newlines. */
export function plainText(document: Document): string {
  return textOf(document.lines).replaceAll("\r\n", "\n");
}

export function indentOf(text: string): string {
  return /^[ \t]*/.exec(text)?.[0] ?? "";
}

export function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** How many spaces one step of indentation has in these lines: 4 or 2. */
export function unitOf(lines: readonly string[]): 2 | 4 {
  const widths = lines
    .filter((line) => !isBlank(line) && !/^ *\*/.test(line))
    .map((line) => /^ */.exec(line)?.[0].length ?? 0)
    .filter((width) => width > 0);
  return widths.filter((width) => width % 4 === 0).length > widths.length * 0.8 ? 4 : 2;
}

/** Full steps of spaces become tabs, what is left of them stays, as an editor does it. */
export function indentWithTabs(line: string, unit: number): string {
  const indent = /^ */.exec(line)?.[0].length ?? 0;
  return "\t".repeat(Math.floor(indent / unit)) + " ".repeat(indent % unit) + line.slice(indent);
}
