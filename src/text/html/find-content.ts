/**
 * Owns finding the part of a page that holds what the page is about.
 * Leaves what is left out of it and around it to leave-out.ts. No I/O.
 * Rule: what the author marked as the content counts, where enough of the text lies in it; otherwise the whole page.
 */
import { type Measures, measureOf } from "./measure.ts";
import { findFixedKind, isNamedContent } from "./page-parts.ts";
import type { HtmlElement } from "./parse-tree.ts";

/** What calls itself the content and is shorter is an empty frame for it, or one entry of many. */
export const LEAST_CONTENT = 140;

export function findContent(tree: HtmlElement, measures: Measures): HtmlElement {
  const all = measureOf(measures, tree).text;
  const holds = (share: number) => (element: HtmlElement) => {
    const { text } = measureOf(measures, element);
    return text >= LEAST_CONTENT ? text >= all * share : text > all / 2;
  };
  const mains = findOutermost(tree, isMain).filter(holds(0.1));
  const main = findLargest(mains, measures) ?? tree;
  const [article, another] = findOutermost(main, isArticle);
  if (article !== undefined && another === undefined && holds(main === tree ? 0.3 : 0.5)(article))
    return article;
  if (main !== tree) return main;
  return findLargest(findOutermost(tree, isNamedContent).filter(holds(0.4)), measures) ?? tree;
}

function isMain({ name, attributes }: HtmlElement): boolean {
  return name === "main" || attributes.get("role") === "main";
}

function isArticle({ name, attributes }: HtmlElement): boolean {
  return name === "article" || attributes.get("role") === "article";
}

/** Those that fit and lie in no other that does. */
export function findOutermost(
  root: HtmlElement,
  fits: (element: HtmlElement) => boolean,
): readonly HtmlElement[] {
  const found: HtmlElement[] = [];
  const visit = (element: HtmlElement): void => {
    if (findFixedKind(element) !== undefined) return;
    if (fits(element)) found.push(element);
    else for (const child of element.children) if (typeof child !== "string") visit(child);
  };
  for (const child of root.children) if (typeof child !== "string") visit(child);
  return found;
}

function findLargest(elements: readonly HtmlElement[], measures: Measures): HtmlElement | undefined {
  let largest: HtmlElement | undefined;
  let most = 0;
  for (const element of elements) {
    const { text } = measureOf(measures, element);
    if (text <= most) continue;
    largest = element;
    most = text;
  }
  return largest;
}

/** The elements in which one lies, itself included. */
export function findWay(from: HtmlElement, to: HtmlElement): ReadonlySet<HtmlElement> {
  const way = new Set<HtmlElement>();
  const leads = (element: HtmlElement): boolean => {
    const isOnWay =
      element === to || element.children.some((child) => typeof child !== "string" && leads(child));
    if (isOnWay) way.add(element);
    return isOnWay;
  };
  leads(from);
  return way;
}
