/**
 * Owns turning a page of HTML into what is read of it, in each of the formats. Used by every tool that gets pages.
 * Leaves the first line of a result to the tools, running it to the worker. No I/O.
 * Rule: the time that it takes grows with the length alone; what is left out is told.
 */
import type { PageFormat, PageText } from "../../contract/page.ts";
import { chooseContent } from "./choose-content.ts";
import { describeLeftOut } from "./describe-left-out.ts";
import { openLineWriter } from "./line-writer.ts";
import { listLinks } from "./list-links.ts";
import { needsJavaScript, type PageHead, readHead } from "./page-head.ts";
import { findFixedKind } from "./page-parts.ts";
import { type HtmlElement, parseTree } from "./parse-tree.ts";
import { renderChildren, TOP } from "./render-blocks.ts";
import type { RenderScope } from "./render-scope.ts";
import { type LinkBase, makeLinkBase, resolveLink } from "./resolve-link.ts";

export interface PageRequest {
  readonly html: string;
  /** Of the page; links are made absolute by it. */
  readonly url: string;
  readonly format: PageFormat;
  /** Characters of text. */
  readonly maxChars: number;
}

export function renderPage(request: PageRequest): PageText {
  const { root: tree, flattened } = parseTree(request.html);
  const head = readHead(tree);
  const links = makeLinkBase(request.url, head.baseHref);
  const told = tellHead(head, { links, flattened });
  return request.format === "links"
    ? { ...told, ...renderLinks(tree, request, links) }
    : { ...told, ...renderContent({ tree, head, request, links }) };
}

function tellHead(
  { title, description, refresh }: PageHead,
  { links, flattened }: { readonly links: LinkBase; readonly flattened: number },
): Pick<PageText, "title" | "description" | "refreshTo" | "flattened"> {
  const refreshTo = refresh === undefined ? undefined : resolveLink(refresh, links);
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(refreshTo === undefined ? {} : { refreshTo }),
    flattened,
  };
}

type Rendered = Pick<PageText, "text" | "isCut" | "leftOut" | "links" | "needsJavaScript">;

function openScope(
  request: PageRequest,
  of: { readonly links: LinkBase; readonly isLeftOut: RenderScope["isLeftOut"] },
): RenderScope {
  return {
    style: request.format === "text" ? "text" : "markdown",
    ...of,
    writer: openLineWriter(request.maxChars),
    found: { imagesWithoutText: 0 },
  };
}

function renderLinks(tree: HtmlElement, request: PageRequest, links: LinkBase): Rendered {
  const scope = openScope(request, { links, isLeftOut: (element) => findFixedKind(element) !== undefined });
  const count = listLinks(tree, scope);
  const { writer } = scope;
  return { text: writer.text(), isCut: writer.isFull(), leftOut: [], links: count, needsJavaScript: false };
}

function renderContent(of: {
  readonly tree: HtmlElement;
  readonly head: PageHead;
  readonly request: PageRequest;
  readonly links: LinkBase;
}): Rendered {
  const { tree, head, request, links } = of;
  const { root, leftOut, heading } = chooseContent(tree);
  const scope = openScope(request, { links, isLeftOut: (element) => leftOut.parts.has(element) });
  if (heading !== undefined) renderChildren(holdAlone(heading), scope, TOP);
  renderChildren(root, scope, TOP);
  const { writer, found } = scope;
  const text = writer.text();
  return {
    text,
    isCut: writer.isFull(),
    leftOut: describeLeftOut(leftOut, found),
    needsJavaScript: needsJavaScript(head, text),
  };
}

function holdAlone(element: HtmlElement): HtmlElement {
  return { ...element, name: "div", children: [element], hasBlock: true };
}
