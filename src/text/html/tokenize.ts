/**
 * Owns cutting HTML into tags and text. Leaves what belongs into what to parse-tree.ts. No I/O.
 * Rule: one pass, in time linear in the length: each search for an end that does not come is the last one. Patterns
 * here match one character class at a time, so that no markup can make them go back.
 */
import { decodeReferences } from "./character-references.ts";
import { RAW_TEXT, TEXT_WITH_REFERENCES } from "./elements.ts";

export type Attributes = ReadonlyMap<string, string>;

export type Token =
  | {
      readonly kind: "open";
      readonly name: string;
      readonly attributes: Attributes;
      readonly isSelfClosing: boolean;
      /** What it holds, where that can be nothing but text; nothing is said of programs and styles. */
      readonly text?: string;
    }
  | { readonly kind: "close"; readonly name: string }
  | { readonly kind: "text"; readonly text: string };

export const NO_ATTRIBUTES: Attributes = new Map();

/** Attributes that say something about the text. Others are read and dropped: pages carry megabytes of them. */
const KEPT = new Set(
  (
    "href src alt title class id role hidden aria-hidden aria-label aria-modal style name content property " +
    "http-equiv itemprop colspan rowspan start value reversed type checked lang data-lang data-language open " +
    "alttext scope rel data-src encoding"
  ).split(" "),
);

export function* tokenize(html: string): Generator<Token> {
  const isXml = /^\s*<\?xml\s/.test(html.slice(0, 200));
  const endless = new Set<string>();
  let textStart = 0;
  let at = 0;
  for (;;) {
    const open = html.indexOf("<", at);
    if (open < 0) break;
    const markup = readMarkup(html, open);
    if (markup === undefined) {
      at = open + 1;
      continue;
    }
    if (open > textStart) yield text(html.slice(textStart, open));
    const { token } = markup;
    at = textStart = markup.end;
    if (token === undefined) continue;
    const raw =
      token.kind === "close" || (isXml && token.isSelfClosing)
        ? undefined
        : readRawText(html, { name: token.name, from: at, endless });
    yield token.kind === "close" || raw === undefined ? token : { ...token, text: raw.text };
    if (raw !== undefined) at = textStart = raw.end;
  }
  if (textStart < html.length) yield text(html.slice(textStart));
}

function text(raw: string): Token {
  return { kind: "text", text: decodeReferences(raw, { inAttribute: false }) };
}

interface Markup {
  /** Absent for what is neither: a comment, a declaration, a tag that the document's end cut off. */
  readonly token?: Extract<Token, { kind: "open" | "close" }>;
  readonly end: number;
}

/** What begins with the `<` at `open`; undefined where that is a character of the text. */
function readMarkup(html: string, open: number): Markup | undefined {
  const next = html[open + 1] ?? "";
  if (isLetter(next)) return readTag(html, open + 1);
  if (next === "/") {
    if (!isLetter(html[open + 2] ?? "")) return skipTo(html, ">", open + 2);
    const tag = readTag(html, open + 2);
    return tag.token === undefined ? tag : { token: { kind: "close", name: tag.token.name }, end: tag.end };
  }
  // `<!-->` is a whole comment, so its end may overlap its beginning.
  if (html.startsWith("<!--", open)) return skipTo(html, "-->", open + 2);
  return next === "!" || next === "?" ? skipTo(html, ">", open + 2) : undefined;
}

function skipTo(html: string, ending: string, from: number): Markup {
  const end = html.indexOf(ending, from);
  return { end: end < 0 ? html.length : end + ending.length };
}

function isLetter(character: string): boolean {
  return /^[A-Za-z]$/.test(character);
}

const TAG_NAME = /[^\s/>]+/y;
const BETWEEN = /[\s/]*/y;
const ATTRIBUTE_NAME = /[^\s/>][^\s/>=]*/y;
const EQUALS = /\s*=\s*/y;
const UNQUOTED = /[^\s>]*/y;

function match(pattern: RegExp, html: string, from: number): string {
  pattern.lastIndex = from;
  return pattern.exec(html)?.[0] ?? "";
}

function readTag(html: string, start: number): Markup {
  const name = match(TAG_NAME, html, start);
  const attributes = new Map<string, string>();
  let at = start + name.length;
  for (;;) {
    const between = match(BETWEEN, html, at);
    at += between.length;
    if (at >= html.length) return { end: html.length };
    if (html[at] === ">") {
      const token = {
        kind: "open",
        name: name.toLowerCase(),
        attributes: attributes.size === 0 ? NO_ATTRIBUTES : attributes,
        isSelfClosing: between.endsWith("/"),
      } as const;
      return { token, end: at + 1 };
    }
    const attribute = readAttribute(html, at);
    if (attribute === undefined) return { end: html.length };
    at = attribute.end;
    if (KEPT.has(attribute.name) && !attributes.has(attribute.name))
      attributes.set(attribute.name, decodeReferences(attribute.value, { inAttribute: true }));
  }
}

/** Undefined where its quote never ends. */
function readAttribute(
  html: string,
  start: number,
): { name: string; value: string; end: number } | undefined {
  const written = match(ATTRIBUTE_NAME, html, start);
  const name = written.toLowerCase();
  const equals = match(EQUALS, html, start + written.length);
  const at = start + written.length + equals.length;
  if (equals === "") return { name, value: "", end: at };
  const quote = html[at];
  if (quote === '"' || quote === "'") {
    const end = html.indexOf(quote, at + 1);
    return end < 0 ? undefined : { name, value: html.slice(at + 1, end), end: end + 1 };
  }
  const value = match(UNQUOTED, html, at);
  return { name, value, end: at + value.length };
}

const SILENT = new Set(["script", "style"]);

/** The text of an element that holds nothing but text; undefined where the element is none of these. */
function readRawText(
  html: string,
  { name, from, endless }: { readonly name: string; readonly from: number; readonly endless: Set<string> },
): { readonly text: string; readonly end: number } | undefined {
  const withReferences = TEXT_WITH_REFERENCES.has(name);
  if (name === "plaintext") return { text: html.slice(from), end: html.length };
  if ((!withReferences && !RAW_TEXT.has(name)) || endless.has(name)) return undefined;
  const ending = new RegExp(`</${name}(?=[\\s/>])`, "gi");
  ending.lastIndex = from;
  const end = ending.exec(html)?.index;
  // A title that never ends, in a page that was cut or in a drawing, must not take the page with it.
  if (end === undefined && withReferences) {
    // Searched for once: a page of such titles would be searched through again for each.
    endless.add(name);
    return undefined;
  }
  const raw = SILENT.has(name) ? "" : html.slice(from, end);
  const text = withReferences ? decodeReferences(raw, { inAttribute: false }) : raw;
  return { text, end: end ?? html.length };
}
