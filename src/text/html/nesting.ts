/**
 * Owns which elements end where their end tags are missing, and which end tags end nothing.
 * Leaves building to parse-tree.ts. No I/O.
 * Rule: as browsers read it in what pages do (lists, tables, paragraphs without end tags); where browsers would move
 * elements about, text keeps its order instead.
 */
import { BLOCK, FORMATTING, HEADING } from "./elements.ts";

interface ImpliedEnd {
  /** The outermost of these is ended … */
  readonly ends: readonly string[];
  /** … that lies above the nearest of these. */
  readonly within: readonly string[];
}

const CELL = ["td", "th", "caption"];
const SCOPE = [...CELL, "table", "object", "template", "button", "applet", "marquee"];

const OPENING: ReadonlyMap<string, ImpliedEnd> = new Map(
  Object.entries({
    li: { ends: ["li"], within: ["ul", "ol", "menu", "dir", ...SCOPE] },
    dt: { ends: ["dt", "dd"], within: ["dl", ...SCOPE] },
    dd: { ends: ["dt", "dd"], within: ["dl", ...SCOPE] },
    tr: { ends: ["tr", "colgroup", ...CELL], within: ["table"] },
    td: { ends: CELL, within: ["tr", "table"] },
    th: { ends: CELL, within: ["tr", "table"] },
    thead: { ends: ["tr", "thead", "tbody", "tfoot", "colgroup", ...CELL], within: ["table"] },
    tbody: { ends: ["tr", "thead", "tbody", "tfoot", "colgroup", ...CELL], within: ["table"] },
    tfoot: { ends: ["tr", "thead", "tbody", "tfoot", "colgroup", ...CELL], within: ["table"] },
    option: { ends: ["option"], within: ["select", "datalist", "optgroup"] },
    optgroup: { ends: ["option", "optgroup"], within: ["select"] },
    rt: { ends: ["rt", "rp"], within: ["ruby"] },
    rp: { ends: ["rt", "rp"], within: ["ruby"] },
    // A link around a list does not end at the first link in it.
    a: { ends: ["a"], within: [...BLOCK] },
    table: { ends: ["table"], within: CELL },
  } satisfies Record<string, ImpliedEnd>),
);

const PARAGRAPH: ImpliedEnd = { ends: ["p"], within: SCOPE };
/** Blocks that may stand in a paragraph's place alone, and never in it. */
const IN_PARAGRAPH = new Set([
  "caption",
  "tr",
  "td",
  "th",
  "tbody",
  "thead",
  "tfoot",
  "legend",
  "figcaption",
]);

/** The elements that are open, by their names, the outermost first. */
export interface OpenNames {
  readonly names: readonly string[];
  /** Without a search: pages have many tags that end nothing. */
  has(name: string): boolean;
}

/** How many of the open elements stay open when an element of this name begins. */
export function findImpliedEnd(open: OpenNames, name: string): number {
  let end = open.names.length;
  if (HEADING.has(name) && HEADING.has(open.names[end - 1] ?? "")) end--;
  const implied = OPENING.get(name);
  if (implied !== undefined) end = Math.min(end, findOutermost(open, implied));
  if (BLOCK.has(name) && !IN_PARAGRAPH.has(name)) end = Math.min(end, findOutermost(open, PARAGRAPH));
  return end;
}

function findOutermost(open: OpenNames, { ends, within }: ImpliedEnd): number {
  const { names } = open;
  let outermost = names.length;
  if (!ends.some((name) => open.has(name))) return outermost;
  for (let at = names.length - 1; at >= 0; at--) {
    const name = names[at] ?? "";
    if (ends.includes(name)) outermost = at;
    else if (within.includes(name)) break;
  }
  return outermost;
}

const TABLE_PARTS = new Set(["table", "tr", "td", "th", "caption", "thead", "tbody", "tfoot"]);
const TABLE_ONLY: ReadonlySet<string> = new Set(["table"]);
const SCOPE_SET: ReadonlySet<string> = new Set(SCOPE);
const LISTS = new Set([...SCOPE, "ul", "ol", "menu", "dir"]);
/** An end of formatting goes through these; what else it would go through, it leaves. */
const LIGHT = new Set(["p", "center", "h1", "h2", "h3", "h4", "h5", "h6"]);

/** How many of the open elements stay open after an end tag of this name; undefined where it ends none. */
export function findMatchingStart(open: OpenNames, name: string): number | undefined {
  if (!open.has(name) && !HEADING.has(name)) return undefined;
  for (let at = open.names.length - 1; at >= 0; at--) {
    const candidate = open.names[at] ?? "";
    if (candidate === name) return at;
    if (HEADING.has(name) && HEADING.has(candidate)) return at;
    if (stops(candidate, name)) return undefined;
  }
  return undefined;
}

function stops(passed: string, name: string): boolean {
  if (TABLE_PARTS.has(name)) return TABLE_ONLY.has(passed);
  if (name === "li") return LISTS.has(passed);
  if (BLOCK.has(name)) return SCOPE_SET.has(passed);
  if (FORMATTING.has(name)) return BLOCK.has(passed) && !LIGHT.has(passed);
  return BLOCK.has(passed);
}
