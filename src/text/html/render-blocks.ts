/**
 * Owns the blocks of a page as lines of text: headings, paragraphs, lists, quotes, code.
 * Leaves what stands in a line to render-inline.ts, tables to render-table.ts. No I/O.
 * Rule: the order of the page, one blank line between blocks, and no mark that the page did not mean.
 */
import { longestRun } from "./clean-text.ts";
import { findLanguage } from "./code-language.ts";
import { BLOCK, HEADING } from "./elements.ts";
import type { HtmlElement, HtmlNode } from "./parse-tree.ts";
import { preformattedText } from "./preformatted.ts";
import { linkTo, renderInline } from "./render-inline.ts";
import type { RenderScope } from "./render-scope.ts";
import { renderTable } from "./render-table.ts";
import { resolveLink } from "./resolve-link.ts";

/** Where a block stands. */
export interface Place {
  /** The elements that hold it, the nearest first; three of them. */
  readonly around: readonly HtmlElement[];
  /** A link around blocks, until the first of them has taken it. */
  readonly link?: { url: string | undefined };
}

export const TOP: Place = { around: [] };

export function renderChildren(element: HtmlElement, scope: RenderScope, place: Place): void {
  const inside: Place = { ...place, around: [element, ...place.around.slice(0, 2)] };
  let run: HtmlNode[] = [];
  const flush = (): void => {
    if (run.length > 0) renderParagraph(run, scope, inside);
    run = [];
  };
  for (const child of element.children) {
    if (scope.writer.isFull()) return;
    if (typeof child === "string" || !isBlock(child)) {
      run.push(child);
      continue;
    }
    flush();
    if (!scope.isLeftOut(child)) renderBlock(child, scope, inside);
  }
  flush();
}

const RENDERERS: ReadonlyMap<string, (element: HtmlElement, scope: RenderScope, place: Place) => void> =
  new Map([
    ...[...HEADING].map((name) => [name, renderHeading] as const),
    ...["pre", "xmp", "listing", "plaintext"].map((name) => [name, renderCodeBlock] as const),
    ...["ul", "ol", "menu", "dir"].map((name) => [name, renderList] as const),
    ["li", renderLooseItem],
    ["dl", renderDefinitions],
    ["table", (element, scope, place) => renderTable(element, scope, { place, renderCell: renderChildren })],
    ["blockquote", renderQuote],
    ["hr", (_element, { writer }) => writer.block("---")],
    ["a", renderLinkedBlocks],
    ["summary", renderStrongLine],
    ["caption", renderStrongLine],
  ]);

function renderBlock(element: HtmlElement, scope: RenderScope, place: Place): void {
  (RENDERERS.get(element.name) ?? renderChildren)(element, scope, place);
}

/** What Markdown would take for a mark at the beginning of a line. */
const MARK = /^(?:#{1,6}(?=\s)|[-+*](?=\s|$)|>|`{3}|~{3}|(?:-{3,}|={3,}|\*{3,})$)/;
const NUMBER = /^(\d{1,9})([.)])(?=\s|$)/;

function escapeMarks(text: string): string {
  return text
    .split("\n")
    .map((line) => line.replace(MARK, "\\$&").replace(NUMBER, "$1\\$2"))
    .join("\n");
}

function renderParagraph(nodes: readonly HtmlNode[], scope: RenderScope, place: Place): void {
  const url = place.link?.url;
  const text = renderInline(nodes, scope, { lineBreak: "\n", inLink: url !== undefined });
  scope.writer.block(takeLink(scope.style === "text" ? text : escapeMarks(text), place));
}

function takeLink(text: string, { link }: Place): string {
  if (link?.url === undefined || text === "") return text;
  const linked = linkTo(link.url, text);
  link.url = undefined;
  return linked;
}

/** A heading that was never ended holds what follows it; what follows is none of it. */
function renderHeading(element: HtmlElement, scope: RenderScope, place: Place): void {
  const firstBlock = element.children.findIndex((child) => typeof child !== "string" && isBlock(child));
  const inLink = place.link?.url !== undefined;
  const render = (nodes: readonly HtmlNode[]): string =>
    renderInline(nodes, scope, { lineBreak: " ", isStrong: true, inLink });
  const own = firstBlock < 0 ? "" : render(element.children.slice(0, firstBlock));
  const text = takeLink(own === "" ? render(element.children) : own, place);
  if (text === "") return;
  scope.writer.block(scope.style === "text" ? text : `${"#".repeat(Number(element.name[1]))} ${text}`);
  if (own !== "") renderChildren({ ...element, children: element.children.slice(firstBlock) }, scope, place);
}

function isBlock(element: HtmlElement): boolean {
  return BLOCK.has(element.name) || element.hasBlock;
}

function renderStrongLine(element: HtmlElement, scope: RenderScope): void {
  const text = renderInline(element.children, scope, { lineBreak: " ", isStrong: true });
  if (text !== "") scope.writer.block(scope.style === "text" ? text : `**${text}**`);
}

/** A link around a whole card: its first line is the link, the rest stays text. */
function renderLinkedBlocks(element: HtmlElement, scope: RenderScope, place: Place): void {
  const href = element.attributes.get("href");
  const url = href === undefined || scope.style === "text" ? undefined : resolveLink(href, scope.links);
  renderChildren(element, scope, url === undefined ? place : { ...place, link: { url } });
}

function renderCodeBlock(element: HtmlElement, scope: RenderScope, { around }: Place): void {
  const text = preformattedText(element, scope)
    .replace(/^(?:[ \t]*\n)+/, "")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trimEnd();
  if (text === "") return;
  if (scope.style === "text") {
    scope.writer.block(text);
    return;
  }
  const longest = Math.max(2, longestRun(text, /^`{3,}/gm));
  const fence = "`".repeat(longest + 1);
  scope.writer.block(`${fence}${findLanguage(element, around) ?? ""}\n${text}\n${fence}`);
}

function renderQuote(element: HtmlElement, scope: RenderScope, place: Place): void {
  const mark = scope.style === "text" ? "  " : "> ";
  scope.writer.within({ first: mark, rest: mark, isTight: false }, () =>
    renderChildren(element, scope, place),
  );
}

function renderList(element: HtmlElement, scope: RenderScope, place: Place): void {
  const items = element.children.filter((child) => typeof child !== "string" && child.name === "li");
  const isTight = !element.children.some((child) => typeof child !== "string" && isLoose(child));
  const number = makeCounter(element, items.length);
  let isFirst = true;
  scope.writer.within({ first: "", rest: "", isTight }, () => {
    for (const child of element.children) {
      if (scope.writer.isFull()) return;
      if (typeof child === "string") {
        renderParagraph([child], scope, place);
      } else if (!scope.isLeftOut(child)) {
        const mark = child.name === "li" ? number(child) : "";
        renderItem(child, { scope, place, mark, isTight, isFirst });
        isFirst = false;
      }
    }
  });
}

/** The mark of each item in turn. */
function makeCounter(list: HtmlElement, count: number): (item: HtmlElement) => string {
  if (list.name !== "ol") return () => "- ";
  const step = list.attributes.has("reversed") ? -1 : 1;
  let next = readNumber(list.attributes.get("start")) ?? (step < 0 ? count : 1);
  return (item) => {
    const number = readNumber(item.attributes.get("value")) ?? next;
    next = number + step;
    return `${number}. `;
  };
}

function readNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^-?\d{1,9}$/.test(text.trim()) ? Number(text) : undefined;
}

interface Item {
  readonly scope: RenderScope;
  readonly place: Place;
  readonly mark: string;
  readonly isTight: boolean;
  readonly isFirst: boolean;
}

function renderItem(item: HtmlElement, { scope, place, mark, isTight, isFirst }: Item): void {
  // A list that stands in a list without an item of its own belongs to the item before it.
  const isStray = mark === "" && !isFirst && BLOCK.has(item.name);
  const level = { first: isStray ? "  " : mark, rest: isStray ? "  " : " ".repeat(mark.length), isTight };
  scope.writer.within(level, () => {
    if (isStray) renderBlock(item, scope, place);
    else renderChildren(item, scope, place);
  });
}

function renderLooseItem(item: HtmlElement, scope: RenderScope, place: Place): void {
  renderItem(item, { scope, place, mark: "- ", isTight: true, isFirst: true });
}

const LISTS = new Set(["ul", "ol", "menu", "dir", "dl"]);

/** Items of more than a line of text and a list in it are easier to tell apart with blank lines between. */
function isLoose({ children }: HtmlElement): boolean {
  const blocks = children.filter(
    (child) => typeof child !== "string" && (BLOCK.has(child.name) || child.hasBlock),
  );
  return blocks.some((child) => {
    if (typeof child === "string" || LISTS.has(child.name)) return false;
    return blocks.length > 1 || (child.name !== "p" && isLoose(child)) || child.name === "pre";
  });
}

/** A term with what it means, up to the next term. Terms that share their meaning stand below each other. */
function renderDefinitions(element: HtmlElement, scope: RenderScope, place: Place): void {
  let group: HtmlElement[] = [];
  const flush = (): void => {
    const members = group;
    group = [];
    scope.writer.within({ first: "", rest: "", isTight: true }, () => {
      for (const member of members) renderDefinition(member, scope, place);
    });
  };
  for (const child of element.children) {
    if (scope.writer.isFull()) return;
    if (typeof child === "string" || scope.isLeftOut(child)) continue;
    if (child.name === "dt" && group.at(-1)?.name === "dd") flush();
    if (child.name === "dt" || child.name === "dd") group.push(child);
    else {
      flush();
      // A division around each pair.
      if (child.children.some((one) => typeof one !== "string" && one.name === "dt"))
        renderDefinitions(child, scope, place);
      else renderBlock(child, scope, place);
    }
  }
  flush();
}

function renderDefinition(member: HtmlElement, scope: RenderScope, place: Place): void {
  if (member.name === "dt") {
    renderChildren(member, scope, place);
    return;
  }
  scope.writer.within({ first: ": ", rest: "  ", isTight: true }, () => renderChildren(member, scope, place));
}
