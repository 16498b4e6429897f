/**
 * Owns the text of a run of inline content: links, emphasis, code, pictures, line breaks.
 * Leaves blocks to render-blocks.ts. No I/O.
 * Rule: blanks are as a browser shows them, and marks never stand inside the blanks that they were put around.
 */
import { clipLine, collapseBlanks, longestRun } from "./clean-text.ts";
import { BLOCK } from "./elements.ts";
import { isTaskBox } from "./page-parts.ts";
import type { HtmlElement, HtmlNode } from "./parse-tree.ts";
import type { InlineStyle, RenderScope } from "./render-scope.ts";
import { resolveLink } from "./resolve-link.ts";

interface Run {
  readonly scope: RenderScope;
  readonly style: InlineStyle;
  readonly parts: string[];
  /** The last character written. */
  last: string;
}

/** The text of nodes, without blanks at its ends. */
export function renderInline(nodes: readonly HtmlNode[], scope: RenderScope, style: InlineStyle): string {
  const run: Run = { scope, style, parts: [], last: "" };
  for (const node of nodes) renderNode(node, run);
  return run.parts.join("").trim();
}

function renderNode(node: HtmlNode, run: Run): void {
  if (typeof node === "string") {
    addText(collapseBlanks(node), run);
    return;
  }
  if (run.scope.isLeftOut(node)) return;
  if (node.name === "br") {
    if (run.last === "\n") addEmptyLine(run);
    else addBreak(run);
    return;
  }
  if (BLOCK.has(node.name)) {
    addBreak(run);
    renderChildren(node, run);
    addBreak(run);
    return;
  }
  const render = RENDERERS.get(node.name);
  if (render === undefined) renderChildren(node, run);
  else render(node, run);
}

function renderChildren({ children }: HtmlElement, run: Run): void {
  for (const child of children) renderNode(child, run);
}

/** Collapsed text; of two blanks that meet, the first stays. */
function addText(text: string, run: Run): void {
  const fitting = run.last === "" || run.last === " " || run.last === "\n" ? text.trimStart() : text;
  if (fitting === "") return;
  run.parts.push(fitting);
  run.last = fitting.at(-1) ?? "";
}

function addBreak(run: Run): void {
  if (run.last === "" || run.last === "\n") return;
  const last = run.parts.pop() ?? "";
  run.parts.push(last.trimEnd(), run.style.lineBreak);
  run.last = "\n";
}

/** Two line breaks in a row part paragraphs; more do no more. */
function addEmptyLine({ parts, style }: Run): void {
  if (style.lineBreak === "\n" && parts.at(-2) !== "\n") parts.push("\n");
}

const RENDERERS: ReadonlyMap<string, (element: HtmlElement, run: Run) => void> = new Map([
  ["a", renderLink],
  ...both(["strong", "b"], (element: HtmlElement, run: Run) => emphasise(element, run, "**")),
  ...both(["em", "i"], (element: HtmlElement, run: Run) => emphasise(element, run, "*")),
  ...both(["del", "s", "strike"], (element: HtmlElement, run: Run) => emphasise(element, run, "~~")),
  ...both(["code", "kbd", "samp", "tt"], renderCode),
  ["img", renderImage],
  ["wbr", () => {}],
  ["q", renderQuotation],
  ["sup", (element, run) => renderRaised(element, run, SUPERSCRIPTS)],
  ["sub", (element, run) => renderRaised(element, run, SUBSCRIPTS)],
  ["rt", renderReading],
  ["math", renderFormula],
  ["input", renderTaskBox],
]);

function both<T>(names: readonly string[], render: T): [string, T][] {
  return names.map((name) => [name, render]);
}

function renderInner({ children }: HtmlElement, run: Run, style: Partial<InlineStyle>): string {
  const inner: Run = { scope: run.scope, style: { ...run.style, ...style }, parts: [], last: "x" };
  for (const child of children) renderNode(child, inner);
  return inner.parts.join("");
}

/** Adds what stands between two marks, its blanks outside of them. */
function addMarked(inner: string, run: Run, mark: (text: string) => string): void {
  const text = inner.trim();
  if (text.replaceAll(run.style.lineBreak.trim() || "\n", "").trim() === "") {
    addText(inner === "" ? "" : " ", run);
    return;
  }
  if (/^\s/.test(inner)) addText(" ", run);
  addText(mark(text), run);
  if (/\s$/.test(inner)) addText(" ", run);
}

function emphasise(element: HtmlElement, run: Run, mark: "**" | "*" | "~~"): void {
  const { style, scope } = run;
  const isSet = mark === "**" ? style.isStrong : mark === "*" ? style.isEmphasised : false;
  if (scope.style === "text" || isSet === true) {
    renderChildren(element, run);
    return;
  }
  const inner = renderInner(
    element,
    run,
    mark === "**" ? { isStrong: true } : mark === "*" ? { isEmphasised: true } : {},
  );
  // Marks do not reach over a line break.
  addMarked(inner, run, (text) => (text.includes("\n") ? text : `${mark}${text}${mark}`));
}

function renderCode(element: HtmlElement, run: Run): void {
  const text = textOf(element, run.scope);
  if (run.scope.style === "text") {
    addText(text, run);
    return;
  }
  addMarked(text, run, (code) => {
    const longest = longestRun(code, /`+/g);
    if (longest === 0) return `\`${code}\``;
    const fence = "`".repeat(longest + 1);
    return `${fence} ${code} ${fence}`;
  });
}

function textOf(element: HtmlElement, scope: RenderScope): string {
  const collect = (node: HtmlNode): string => {
    if (typeof node === "string") return node;
    if (scope.isLeftOut(node)) return "";
    return node.name === "br" ? " " : node.children.map(collect).join("");
  };
  return collapseBlanks(collect(element));
}

/** Marks that lead from a heading to itself, or from a note back to the text. */
const ANCHOR_TEXT = /^(?:[#¶§🔗⚓^↑↩]\ufe0e?|link|permalink)?$/iu;

function renderLink(element: HtmlElement, run: Run): void {
  const href = element.attributes.get("href");
  if (href === undefined || run.style.inLink === true) {
    renderChildren(element, run);
    return;
  }
  const inner = renderInner(element, run, { inLink: true });
  const url = resolveLink(href, run.scope.links);
  if (url === undefined && href.trim().startsWith("#") && ANCHOR_TEXT.test(inner.trim())) return;
  if (url === undefined || run.scope.style === "text") {
    addMarked(inner, run, (text) => text);
    return;
  }
  const label = element.attributes.get("aria-label") ?? element.attributes.get("title") ?? "";
  const shown = inner.trim() === "" && label !== "" ? clipLine(label, 100) : inner;
  addMarked(shown, run, (text) => linkTo(url, text));
}

export function linkTo(url: string, text: string): string {
  const bare = url.replace(/^(?:https?:\/\/|mailto:|tel:)/, "").replace(/\/$/, "");
  if (text === url || text === bare) return url.startsWith("http") ? url : text;
  return `[${text.replaceAll("\n", " ")}](${url})`;
}

function renderImage({ attributes }: HtmlElement, run: Run): void {
  const alt = clipLine(attributes.get("alt") ?? "", 300);
  if (alt === "") {
    run.scope.found.imagesWithoutText++;
    return;
  }
  addText(run.style.inLink === true ? alt : `[image: ${alt}]`, run);
}

function renderQuotation(element: HtmlElement, run: Run): void {
  addMarked(renderInner(element, run, {}), run, (text) => `“${text}”`);
}

const SUPERSCRIPTS = new Map(Object.entries(zip("0123456789+-n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ")));
const SUBSCRIPTS = new Map(Object.entries(zip("0123456789+-n", "₀₁₂₃₄₅₆₇₈₉₊₋ₙ")));

function zip(plain: string, raised: string): Record<string, string> {
  const marks = [...raised];
  return Object.fromEntries([...plain].map((character, index) => [character, marks[index] ?? ""]));
}

/** `10<sup>9</sup>` is not 109. What has no small letters of its own, a note's number in brackets for one, stays as it is. */
function renderRaised(element: HtmlElement, run: Run, marks: ReadonlyMap<string, string>): void {
  const inner = renderInner(element, run, {});
  const raised = [...inner.trim()].map((character) => marks.get(character));
  if (raised.length > 0 && raised.every((mark) => mark !== undefined)) {
    addText(raised.join(""), run);
    return;
  }
  addMarked(inner, run, (text) => text);
}

function renderReading(element: HtmlElement, run: Run): void {
  addMarked(renderInner(element, run, {}), run, (text) => `(${text})`);
}

function renderFormula(element: HtmlElement, run: Run): void {
  const source = element.attributes.get("alttext") ?? findTex(element);
  if (source === undefined) {
    renderChildren(element, run);
    return;
  }
  const text = clipLine(source, 500);
  addText(run.scope.style === "text" ? text : `$${text}$`, run);
}

function findTex({ name, attributes, children }: HtmlElement): string | undefined {
  if (name === "annotation" && attributes.get("encoding") === "application/x-tex")
    return children.filter((child) => typeof child === "string").join("");
  for (const child of children) {
    const found = typeof child === "string" ? undefined : findTex(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

function renderTaskBox(element: HtmlElement, run: Run): void {
  if (isTaskBox(element)) addText(element.attributes.has("checked") ? "[x] " : "[ ] ", run);
}
