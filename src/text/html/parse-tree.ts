/**
 * Owns making a tree of elements of HTML. Leaves tags to tokenize.ts, missing ends to nesting.ts. No I/O.
 * Rule: no tree is deeper than `MAX_DEPTH`, however deep the markup goes, so that whoever walks it may call itself;
 * what lies deeper keeps its text and its order. No text is lost.
 */
import { BLOCK, RAW_TEXT, TEXT_WITH_REFERENCES, VOID } from "./elements.ts";
import { findImpliedEnd, findMatchingStart } from "./nesting.ts";
import { type Attributes, NO_ATTRIBUTES, type Token, tokenize } from "./tokenize.ts";

export interface HtmlElement {
  readonly name: string;
  readonly attributes: Attributes;
  readonly children: HtmlNode[];
  /** Whether a block lies in it, at any depth. */
  hasBlock: boolean;
}

export type HtmlNode = HtmlElement | string;

export interface HtmlTree {
  readonly root: HtmlElement;
  /** Elements that lay too deep to be kept as such. */
  readonly flattened: number;
}

/** Pages of today lie 30 to 60 deep; browsers flatten at 512. */
const MAX_DEPTH = 200;

interface Building {
  readonly open: HtmlElement[];
  /** Their names, for searching, and how many there are of each. */
  readonly names: string[];
  readonly counts: Map<string, number>;
  has(name: string): boolean;
  /** Elements that lie too deep and whose end tags are still to come, by name. */
  readonly tooDeep: Map<string, number>;
  flattened: number;
  /** Open drawings and formulas, in which `<path/>` ends itself. */
  foreign: number;
}

export function parseTree(html: string): HtmlTree {
  const root = makeElement("#root", NO_ATTRIBUTES);
  const counts = new Map<string, number>();
  const building: Building = {
    open: [root],
    names: ["#root"],
    counts,
    has: (name) => (counts.get(name) ?? 0) > 0,
    tooDeep: new Map(),
    flattened: 0,
    foreign: 0,
  };
  for (const token of tokenize(html)) take(building, token);
  return { root, flattened: building.flattened };
}

export function makeElement(name: string, attributes: Attributes): HtmlElement {
  return { name, attributes, children: [], hasBlock: false };
}

/** Their tags say nothing that their content does not. */
const TRANSPARENT = new Set(["html", "head", "body"]);
const FOREIGN = new Set(["svg", "math"]);
/** Hold the text that came with their tag, and nothing where their end is missing. */
const LEAVES = new Set([...RAW_TEXT, ...TEXT_WITH_REFERENCES, "plaintext"]);

function take(building: Building, token: Token): void {
  if (token.kind === "text") {
    append(building, token.text);
    return;
  }
  if (TRANSPARENT.has(token.name)) return;
  if (token.kind === "close") {
    close(building, token.name);
    return;
  }
  // An end tag `</br>` is read as a line break, `<image>` as an image: see the standard.
  const name = token.name === "image" && building.foreign === 0 ? "img" : token.name;
  keepOpen(building, findImpliedEnd(building, name));
  if ((name === "td" || name === "th") && isDirectlyInTable(building.names))
    open(building, makeElement("tr", NO_ATTRIBUTES));
  const element = makeElement(name, token.attributes);
  if (token.text !== undefined) element.children.push(token.text);
  if (VOID.has(name) || LEAVES.has(name) || (building.foreign > 0 && token.isSelfClosing))
    append(building, element);
  else open(building, element);
}

function isDirectlyInTable(names: readonly string[]): boolean {
  const at = names.findLastIndex((name) => name === "tr" || name === "table");
  return names[at] === "table";
}

function append({ open, names }: Building, node: HtmlNode): void {
  open.at(-1)?.children.push(node);
  if (typeof node === "string" || !(BLOCK.has(node.name) || node.hasBlock)) return;
  for (let at = names.length - 1; at >= 0; at--) {
    const above = open[at];
    if (above === undefined || above.hasBlock) return;
    above.hasBlock = true;
  }
}

function open(building: Building, element: HtmlElement): void {
  if (building.open.length >= MAX_DEPTH) {
    building.flattened++;
    building.tooDeep.set(element.name, (building.tooDeep.get(element.name) ?? 0) + 1);
    // As an empty one it still parts the texts before and after it.
    if (BLOCK.has(element.name)) append(building, element);
    return;
  }
  append(building, element);
  building.open.push(element);
  building.names.push(element.name);
  building.counts.set(element.name, (building.counts.get(element.name) ?? 0) + 1);
  if (FOREIGN.has(element.name)) building.foreign++;
}

function close(building: Building, name: string): void {
  if (name === "br") {
    append(building, makeElement("br", NO_ATTRIBUTES));
    return;
  }
  const waiting = building.tooDeep.get(name) ?? 0;
  if (waiting > 0) {
    building.tooDeep.set(name, waiting - 1);
    return;
  }
  const start = findMatchingStart(building, name);
  if (start !== undefined && start > 0) keepOpen(building, start);
}

function keepOpen(building: Building, count: number): void {
  const { open, names, counts, tooDeep } = building;
  if (count >= open.length || count < 1) return;
  for (const name of names.slice(count)) {
    counts.set(name, (counts.get(name) ?? 1) - 1);
    if (FOREIGN.has(name)) building.foreign--;
  }
  open.length = count;
  names.length = count;
  tooDeep.clear();
}
