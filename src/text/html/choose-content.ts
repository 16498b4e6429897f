/**
 * Owns choosing what of a page is worth reading. Leaves finding it to find-content.ts, what it goes without to
 * leave-out.ts. No I/O.
 * Rule: where hardly anything would be left, nothing is left out but what is no text at all.
 */
import { findContent, findOutermost, LEAST_CONTENT } from "./find-content.ts";
import { type LeftOut, leaveOut } from "./leave-out.ts";
import { type Measures, measureOf, measureTree } from "./measure.ts";
import type { HtmlElement } from "./parse-tree.ts";

export interface Content {
  /** What is rendered: its children. */
  readonly root: HtmlElement;
  readonly leftOut: LeftOut;
  /** The page's own heading, where it stands outside of `root` and `root` has none. */
  readonly heading?: HtmlElement;
  readonly measures: Measures;
}

export function chooseContent(tree: HtmlElement): Content {
  const measures = measureTree(tree);
  const root = findContent(tree, measures);
  const heading = findHeading(tree, { root, measures });
  const leftOut = leaveOut({ tree, root, measures, heading, isReadable: true });
  const left = measureLeft(root, { leftOut, measures });
  const all = measureOf(measures, tree).text;
  if (left < LEAST_CONTENT && left < all / 4)
    return { root: tree, leftOut: leaveOut({ tree, root: tree, measures, isReadable: false }), measures };
  return { root, leftOut, measures, ...(heading === undefined ? {} : { heading }) };
}

/** Characters that are rendered. */
function measureLeft(
  root: HtmlElement,
  { leftOut, measures }: { readonly leftOut: LeftOut; readonly measures: Measures },
): number {
  const parts = findOutermost(root, (one) => leftOut.parts.has(one));
  return parts.reduce((left, part) => left - measureOf(measures, part).text, measureOf(measures, root).text);
}

function findHeading(
  tree: HtmlElement,
  { root, measures }: { readonly root: HtmlElement; readonly measures: Measures },
): HtmlElement | undefined {
  if (root === tree || measureOf(measures, root).headings > 0) return undefined;
  const [heading, another] = findOutermost(tree, ({ name }) => name === "h1");
  return another === undefined ? heading : undefined;
}
