/**
 * Owns the links of a page as a list: every address once, in the order of the page.
 * Leaves where they lead to resolve-link.ts. No I/O.
 * Rule: those of navigation and footers too, since whoever asks for links looks for a way on; hidden ones are not.
 */
import { clipLine } from "./clean-text.ts";
import { findFixedKind } from "./page-parts.ts";
import type { HtmlElement } from "./parse-tree.ts";
import { renderInline } from "./render-inline.ts";
import type { RenderScope } from "./render-scope.ts";
import { resolveLink } from "./resolve-link.ts";

const MAX_LABEL = 200;

/** Writes them; gives their number. */
export function listLinks(tree: HtmlElement, scope: RenderScope): number {
  const labels = new Map<string, string>();
  collect(tree, { labels, scope });
  scope.writer.within({ first: "", rest: "", isTight: true }, () => {
    for (const [url, label] of labels) {
      if (scope.writer.isFull()) return;
      scope.writer.block(label === "" || label === url ? `- ${url}` : `- [${label}](${url})`);
    }
  });
  return labels.size;
}

interface Collecting {
  readonly labels: Map<string, string>;
  readonly scope: RenderScope;
}

function collect(element: HtmlElement, collecting: Collecting): void {
  const isFrame = element.name === "frame" || element.name === "iframe";
  if (!isFrame && findFixedKind(element) !== undefined) return;
  const address = element.attributes.get(isFrame ? "src" : "href");
  if (address !== undefined && LINKS.has(element.name)) keep(element, { ...collecting, address });
  for (const child of element.children) if (typeof child !== "string") collect(child, collecting);
}

const LINKS = new Set(["a", "area", "frame", "iframe"]);

function keep(element: HtmlElement, of: Collecting & { readonly address: string }): void {
  const { labels, scope, address } = of;
  const url = resolveLink(address, scope.links);
  if (url === undefined) return;
  const known = labels.get(url);
  if (known === undefined || known === "") labels.set(url, labelOf(element, scope));
}

function labelOf({ attributes, children }: HtmlElement, scope: RenderScope): string {
  const text = renderInline(children, scope, { lineBreak: " ", inLink: true });
  const said =
    attributes.get("aria-label") ??
    attributes.get("title") ??
    attributes.get("alt") ??
    attributes.get("name");
  return clipLine(text === "" ? (said ?? "") : text, MAX_LABEL);
}
