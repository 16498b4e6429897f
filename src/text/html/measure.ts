/**
 * Owns how much text lies in each part of a page, and how much of it in links.
 * Leaves what that means to choose-content.ts. No I/O. Rule: each part is measured once.
 */
import { findFixedKind } from "./page-parts.ts";
import type { HtmlElement } from "./parse-tree.ts";

export interface Measure {
  /** Characters of visible text, blanks at the ends of its pieces not counted. */
  readonly text: number;
  /** Of these, in links. */
  readonly linkText: number;
  readonly links: number;
  readonly fields: number;
  readonly headings: number;
}

const NOTHING: Measure = { text: 0, linkText: 0, links: 0, fields: 0, headings: 0 };

export type Measures = ReadonlyMap<HtmlElement, Measure>;

export function measureTree(root: HtmlElement): Measures {
  const measures = new Map<HtmlElement, Measure>();
  measure(root, measures);
  return measures;
}

export function measureOf(measures: Measures, element: HtmlElement): Measure {
  return measures.get(element) ?? NOTHING;
}

function measure(element: HtmlElement, measures: Map<HtmlElement, Measure>): Measure {
  const kind = findFixedKind(element);
  if (kind !== undefined) {
    const alone = kind === "form field" ? { ...NOTHING, fields: 1 } : NOTHING;
    measures.set(element, alone);
    return alone;
  }
  const sum = { ...NOTHING };
  for (const child of element.children) {
    if (typeof child === "string") {
      sum.text += child.trim().length;
      continue;
    }
    const below = measure(child, measures);
    sum.text += below.text;
    sum.linkText += below.linkText;
    sum.links += below.links;
    sum.fields += below.fields;
    sum.headings += below.headings;
  }
  if (element.name === "a" && element.attributes.has("href")) {
    sum.links++;
    sum.linkText = sum.text;
  }
  if (element.name === "h1") sum.headings++;
  measures.set(element, sum);
  return sum;
}
