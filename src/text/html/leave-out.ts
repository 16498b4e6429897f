/**
 * Owns which parts of a page are left out of its readable text, and how many of each kind.
 * Leaves what a part says of itself to page-parts.ts, where the content lies to find-content.ts. No I/O.
 * Rule: a part that holds much of the page's text is never left out for its class alone.
 */
import { HEADING } from "./elements.ts";
import { findWay } from "./find-content.ts";
import { type Measure, type Measures, measureOf } from "./measure.ts";
import { findFixedKind, findPartKind, type PartKind } from "./page-parts.ts";
import type { HtmlElement } from "./parse-tree.ts";

export interface LeftOut {
  /** Parts of the content that are not rendered. */
  readonly parts: ReadonlyMap<HtmlElement, PartKind>;
  /** Of the whole page, around the content too. */
  readonly counts: ReadonlyMap<PartKind, number>;
  /** Fields of the forms that are left out. */
  readonly formFields: number;
}

interface LeaveOut {
  readonly tree: HtmlElement;
  /** Where the content lies. */
  readonly root: HtmlElement;
  readonly measures: Measures;
  /** Rendered, though it stands beside the content. */
  readonly heading?: HtmlElement | undefined;
  /** False leaves out only what is no text. */
  readonly isReadable: boolean;
}

interface Walk extends LeaveOut {
  /** From the tree to `root`. */
  readonly way: ReadonlySet<HtmlElement>;
  readonly whole: Measure;
  readonly parts: Map<HtmlElement, PartKind>;
  readonly counts: Map<PartKind, number>;
  formFields: number;
}

export function leaveOut(of: LeaveOut): LeftOut {
  const walk: Walk = {
    ...of,
    way: findWay(of.tree, of.root),
    whole: measureOf(of.measures, of.tree),
    parts: new Map(),
    counts: new Map(),
    formFields: 0,
  };
  if (of.tree === of.root) visitInside(walk, of.tree, { isInSection: false });
  else visitAbove(walk, of.tree);
  return walk;
}

interface Position {
  /** In an article or the like, whose header and footer are its own. */
  readonly isInSection: boolean;
  /** What stands right before it. */
  readonly previous?: HtmlElement | undefined;
}

const SECTIONS = new Set(["article", "section", "main", "blockquote", "figure", "details"]);

/** Elements in which the content lies somewhere. */
function visitAbove(walk: Walk, element: HtmlElement): void {
  if (element === walk.root) {
    visitInside(walk, element, { isInSection: true });
    return;
  }
  for (const child of element.children) {
    if (typeof child === "string") continue;
    if (walk.way.has(child)) visitAbove(walk, child);
    else if (countBeside(walk, child) > 0) count(walk, "other part");
  }
}

/** A part beside the content is counted by the parts in it; gives the characters that are in none of these. */
function countBeside(walk: Walk, element: HtmlElement): number {
  if (element === walk.heading) return 0;
  const kind = judge(walk, element, { isInSection: false });
  if (kind !== undefined) {
    leave(walk, element, kind);
    return 0;
  }
  let characters = 0;
  for (const child of element.children)
    characters += typeof child === "string" ? child.trim().length : countBeside(walk, child);
  return characters;
}

function visitInside(walk: Walk, element: HtmlElement, { isInSection }: Position): void {
  let previous: HtmlElement | undefined;
  for (const child of element.children) {
    if (typeof child === "string") continue;
    const kind = judge(walk, child, { isInSection, previous });
    if (kind !== undefined) leave(walk, child, kind);
    else visitInside(walk, child, { isInSection: isInSection || SECTIONS.has(child.name) });
    previous = child;
  }
}

function leave(walk: Walk, element: HtmlElement, kind: PartKind): void {
  walk.parts.set(element, kind);
  count(walk, kind);
  if (kind === "form") walk.formFields += measureOf(walk.measures, element).fields;
  countScripts(walk, element);
}

function count({ counts }: Walk, kind: PartKind): void {
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
}

/** Those in parts that are left out too: the number is the page's. */
function countScripts(walk: Walk, element: HtmlElement): void {
  for (const child of element.children) {
    if (typeof child === "string") continue;
    if (child.name === "script") count(walk, "script");
    else countScripts(walk, child);
  }
}

/** What is left out for its class must be less of the page's text than this. */
const MOST_TEXT = 0.35;
/** Notices say little; what is longer is the page's subject. */
const SHORT_PART = 600;

function judge(walk: Walk, element: HtmlElement, position: Position): PartKind | undefined {
  const fixed = findFixedKind(element);
  if (fixed !== undefined || !walk.isReadable) return fixed;
  const measure = measureOf(walk.measures, element);
  if (element.name === "form") return isMostlyFields(walk, measure) ? "form" : undefined;
  const kind = findPartKind(element);
  if (kind === undefined) return isLinkBlock(walk, element, position) ? "navigation block" : undefined;
  return mayLeave(walk, { element, kind, measure, position }) ? kind : undefined;
}

function isMostlyFields({ whole }: Walk, { fields, text }: Measure): boolean {
  return fields > 0 && (text < 300 || text < whole.text * 0.2);
}

function mayLeave(
  { whole }: Walk,
  of: { element: HtmlElement; kind: PartKind; measure: Measure; position: Position },
): boolean {
  const { element, kind, measure, position } = of;
  if (element.name === "nav" || element.attributes.get("role") === "navigation") return true;
  if (kind === "page footer" || kind === "page header") {
    if (position.isInSection) return kind === "page footer" && shareOfLinks(measure) > 0.5;
    if (element.name === "div" && measure.text > whole.text * MOST_TEXT) return false;
    return kind === "page footer" || measure.headings === 0;
  }
  if (measure.headings > 0 || measure.text > Math.max(whole.text * MOST_TEXT, 80)) return false;
  const isNamed = element.name === "aside" || element.attributes.has("role");
  // An aside of an article is often a part of what it says, and so is a section on related work.
  if (kind === "sidebar") return (isNamed && !position.isInSection) || shareOfLinks(measure) > 0.3;
  if (kind === "notice") return isNamed || measure.text < SHORT_PART;
  if (kind === "sharing block") return shareOfLinks(measure) > 0.5 || measure.text < SHORT_PART / 4;
  return kind !== "navigation block" || shareOfLinks(measure) > 0.5;
}

function shareOfLinks({ text, linkText }: Measure): number {
  return text === 0 ? 0 : linkText / text;
}

const LINK_BLOCKS = new Set(["ul", "ol", "div", "table", "td", "p", "center"]);

/** Short links and hardly anything else, in a page with much other text that marks no part as its content. */
function isLinkBlock(walk: Walk, element: HtmlElement, { isInSection, previous }: Position): boolean {
  const { whole, root, tree } = walk;
  if (root !== tree || isInSection || !LINK_BLOCKS.has(element.name)) return false;
  if (previous !== undefined && HEADING.has(previous.name)) return false;
  const measure = measureOf(walk.measures, element);
  const { links, text, linkText, headings } = measure;
  return (
    links >= 4 &&
    headings === 0 &&
    shareOfLinks(measure) > 0.7 &&
    linkText / links < 30 &&
    text < whole.text * MOST_TEXT &&
    whole.text - whole.linkText > 400
  );
}
