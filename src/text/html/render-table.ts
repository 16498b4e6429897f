/**
 * Owns tables: whether one holds data or only places parts of the page, and its rows as text.
 * Leaves the text of a cell to render-inline.ts, the parts that are placed to whoever renders blocks. No I/O.
 * Rule: every cell of data stands in its column, spanned ones repeated; what is placed keeps its order.
 */
import { HEADING } from "./elements.ts";
import type { HtmlElement, HtmlNode } from "./parse-tree.ts";
import { isLineNumber } from "./preformatted.ts";
import type { Place } from "./render-blocks.ts";
import { renderInline } from "./render-inline.ts";
import type { RenderScope } from "./render-scope.ts";

interface Row {
  readonly cells: readonly HtmlElement[];
  readonly isHead: boolean;
}

export function renderTable(
  table: HtmlElement,
  scope: RenderScope,
  of: {
    readonly place: Place;
    readonly renderCell: (cell: HtmlElement, scope: RenderScope, place: Place) => void;
  },
): void {
  const { rows, others } = readRows(table, scope);
  for (const other of others) of.renderCell(other, scope, of.place);
  if (isLayout(table, rows)) {
    renderPlaced(rows, scope, of);
    return;
  }
  const grid = fillGrid(rows, (cell) => cellText(cell, scope));
  if (grid.length > 0) scope.writer.block(drawGrid(grid, scope.style));
}

function isElement(node: HtmlNode): node is HtmlElement {
  return typeof node !== "string";
}

const ROW_GROUPS = new Set(["thead", "tbody", "tfoot"]);

function readRows(
  table: HtmlElement,
  scope: RenderScope,
): { readonly rows: readonly Row[]; readonly others: readonly HtmlElement[] } {
  const rows: Row[] = [];
  const others: HtmlElement[] = [];
  const visit = (parent: HtmlElement, inHead: boolean): void => {
    for (const child of parent.children.filter(isElement)) {
      if (scope.isLeftOut(child)) continue;
      if (ROW_GROUPS.has(child.name)) visit(child, child.name === "thead");
      else if (child.name !== "tr") others.push(holdAlone(child));
      else {
        const cells = child.children
          .filter(isElement)
          .filter((cell) => !scope.isLeftOut(cell) && !isLineNumber(cell));
        rows.push({ cells, isHead: inHead || cells.every(({ name }) => name === "th") });
      }
    }
  };
  visit(table, false);
  return { rows: rows.filter(({ cells }) => cells.length > 0), others };
}

/** As the one child of an element, to be rendered as what it is. */
function holdAlone(element: HtmlElement): HtmlElement {
  return { name: "div", attributes: new Map(), children: [element], hasBlock: true };
}

function isLayout(table: HtmlElement, rows: readonly Row[]): boolean {
  if (/^(?:presentation|none)$/.test(table.attributes.get("role") ?? "")) return true;
  const cells = rows.flatMap((row) => row.cells);
  const hasNames = cells.some(({ name }) => name === "th");
  if (cells.some((cell) => holdsBlocks(cell, hasNames))) return true;
  const widest = rows.reduce((most, row) => Math.max(most, row.cells.length), 0);
  return widest < 2 || (rows.length < 2 && !hasNames) || widest * rows.length > MOST_CELLS;
}

const NEVER_DATA = new Set(["table", "pre", "blockquote", "figure", "article", "section", "hr", ...HEADING]);
const RARELY_DATA = new Set(["ul", "ol", "dl"]);

function holdsBlocks(cell: HtmlElement, hasNames: boolean): boolean {
  if (!cell.hasBlock) return false;
  return cell.children
    .filter(isElement)
    .some(
      (child) =>
        NEVER_DATA.has(child.name) ||
        (!hasNames && RARELY_DATA.has(child.name)) ||
        holdsBlocks(child, hasNames),
    );
}

/** Short cells of one row are one line. */
function renderPlaced(
  rows: readonly Row[],
  scope: RenderScope,
  of: {
    readonly place: Place;
    readonly renderCell: (cell: HtmlElement, scope: RenderScope, place: Place) => void;
  },
): void {
  for (const { cells } of rows) {
    if (cells.every((cell) => !cell.hasBlock)) {
      const children = cells.flatMap((cell): HtmlNode[] => [...cell.children, " "]);
      const line = { name: "div", attributes: new Map(), children, hasBlock: false };
      of.renderCell(line, scope, of.place);
    } else for (const cell of cells) of.renderCell(cell, scope, of.place);
  }
}

function cellText(cell: HtmlElement, scope: RenderScope): string {
  const isMarkdown = scope.style === "markdown";
  const text = renderInline(cell.children, scope, {
    lineBreak: isMarkdown ? "<br>" : " / ",
    isStrong: cell.name === "th",
  });
  const line = text.replaceAll("\n", " ").replace(/(?:<br>| \/ )+$/, "");
  return isMarkdown ? line.replaceAll("|", "\\|") : line;
}

/** Tables that people read are narrower. What a cell claims beyond that is not repeated. */
const MOST_COLUMNS = 100;
const MOST_SPAN = 1_000;
/** Characters of spanned cells that are said again. */
const MOST_REPEATED = 20_000;
/** A table of more is placed line by line. */
const MOST_CELLS = 100_000;

interface GridRow {
  readonly cells: string[];
  readonly isHead: boolean;
}

function fillGrid(rows: readonly Row[], textOf: (cell: HtmlElement) => string): readonly GridRow[] {
  const grid: GridRow[] = rows.map(({ isHead }) => ({ cells: [], isHead }));
  let [repeated, filled] = [0, 0];
  for (const [y, { cells }] of rows.entries()) {
    let x = 0;
    for (const cell of cells) {
      while (grid[y]?.cells[x] !== undefined) x++;
      if (x >= MOST_COLUMNS) break;
      const text = textOf(cell);
      const spans = filled < MOST_CELLS;
      const width = spans ? Math.min(readSpan(cell, "colspan"), MOST_COLUMNS - x) : 1;
      const height = spans ? Math.min(readSpan(cell, "rowspan"), rows.length - y) : 1;
      filled += width * height;
      for (let down = 0; down < height; down++)
        for (let right = 0; right < width; right++) {
          const isFirst = down === 0 && right === 0;
          // Only down: a name that spans columns is said once.
          if (!isFirst && right === 0) repeated += text.length;
          const shown = isFirst || (right === 0 && repeated < MOST_REPEATED) ? text : "";
          const target = grid[y + down];
          if (target !== undefined) target.cells[x + right] = shown;
        }
      x += width;
    }
  }
  return grid.filter(({ cells }) => cells.some((text) => text !== undefined && text !== ""));
}

function readSpan({ attributes }: HtmlElement, name: "colspan" | "rowspan"): number {
  const span = Number.parseInt(attributes.get(name) ?? "1", 10);
  return Number.isSafeInteger(span) && span > 0 ? Math.min(span, MOST_SPAN) : 1;
}

/** Names of columns, where a page makes them bold and no more. */
const BOLD = /^\*\*([^*]+)\*\*$/;

function drawGrid(grid: readonly GridRow[], style: "markdown" | "text"): string {
  const width = grid.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const rows = grid.map(({ cells }) => Array.from({ length: width }, (_, x) => cells[x] ?? ""));
  if (style === "text") return rows.map((cells) => cells.join(" | ").trimEnd()).join("\n");
  const [first = [], ...rest] = rows;
  const isNamed = grid[0]?.isHead === true || (rest.length > 0 && first.every((text) => BOLD.test(text)));
  // Markdown has no table without a head.
  const [head, body] = isNamed
    ? [first.map((text) => text.replace(BOLD, "$1")), rest]
    : [first.map(() => ""), rows];
  return [drawRow(head), drawRow(head.map(() => "---")), ...body.map(drawRow)].join("\n");
}

function drawRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
