/**
 * Owns tables for people: columns in line, no wider than the terminal.
 * Leaves what stands in them to the commands. Rule: a row is one line, whatever text it shows; what comes from a tool
 * or a provider cannot move the cursor or colour the screen. Where no terminal reads it nothing is cut.
 */
import { keepOnOneLine } from "../../text/one-line.ts";
import { displayWidth, fitText } from "./display-width.ts";
import { colorsFor, printLine } from "./print.ts";

export interface Column {
  readonly title: string;
  readonly align?: "left" | "right";
}

const GAP = "  ";
/** What is left for the last column however narrow the terminal is. */
const LAST_MIN = 8;
/** An id of a provider, with the one of its session before it. */
const WIDEST = 240;

/** The last column takes what the others leave. */
export function layTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): string[] {
  const cells = [columns.map(({ title }) => title), ...rows.map((row) => row.map(keepOnOneLine))];
  const widths = columns.map((_, at) => widthOf(cells.map((row) => row[at] ?? "")));
  const before = widths.slice(0, -1).reduce((sum, one) => sum + one + GAP.length, 0);
  const last = Math.max(LAST_MIN, width - before);
  return cells.map((row) =>
    row
      .map((cell, at) => {
        if (at === columns.length - 1) return fitText(cell, last);
        const widest = widths[at] ?? 0;
        const shown = Number.isFinite(width) ? fitText(cell, Math.max(widest, LAST_MIN)) : cell;
        const fill = " ".repeat(Math.max(0, widest - displayWidth(shown)));
        return columns[at]?.align === "right" ? fill + shown : shown + fill;
      })
      .join(GAP)
      .trimEnd(),
  );
}

/** One cell that is longer than any should be stands out of its column, and does not make every other as wide. */
function widthOf(cells: readonly string[]): number {
  const widths = cells.map(displayWidth).filter((width) => width <= WIDEST);
  // Not by spreading them: there may be more rows than a call takes arguments.
  return widths.reduce((widest, one) => Math.max(widest, one), 0);
}

export function printTable(columns: readonly Column[], rows: readonly (readonly string[])[]): void {
  const [head = "", ...lines] = layTable(columns, rows, columnsOf(process.stdout));
  printLine(colorsFor(process.stdout).dim(head));
  for (const line of lines) printLine(line);
}

/** Columns of a terminal; of what the person says where there is none; else without end. */
export function columnsOf(stream: NodeJS.WriteStream): number {
  const said = Number(process.env.COLUMNS);
  return stream.columns ?? (said > 0 ? said : Number.POSITIVE_INFINITY);
}

/** `2026-11-30 14:03:22`, where the person is. */
export function showTime(atMs: number): string {
  const date = new Date(atMs);
  if (Number.isNaN(date.getTime())) return "unknown";
  const two = (number: number): string => String(number).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** `1 call`, `12,000 calls`. */
export function showCount(count: number, noun: string): string {
  return `${showNumber(count)} ${noun}${count === 1 ? "" : "s"}`;
}

export function showNumber(count: number): string {
  return count.toLocaleString("en-US");
}
