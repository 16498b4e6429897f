/**
 * Owns the lines that a terminal would show: a cursor that writes over what stands there, and rows without end.
 * Leaves reading the text to fold-terminal.ts.
 * Rule: linear in what is written. A line that is finished is one string; it is taken apart again only where the
 * cursor goes back up to it and it is short, and what pads a line is never more than was written.
 */

/** Characters of a line that is taken apart again. */
const LONGEST_REOPENED = 1_024;
/** As wide as terminals are. */
const MOST_COLUMNS = 250;

export interface Screen {
  readonly rows: string[];
  readonly redrawn: Set<number>;
  row: number;
  column: number;
  /** The row in which the cursor is, character by character. */
  cells: string[];
  /** How many blanks may still be put in for columns that were skipped. */
  padding: number;
}

export function openScreen(): Screen {
  return { rows: [], redrawn: new Set(), row: 0, column: 0, cells: [], padding: 0 };
}

/** Characters, without any control among them. */
export function writeText(screen: Screen, text: string): void {
  for (const character of text) {
    screen.padding++;
    if (screen.column > screen.cells.length) pad(screen);
    if (screen.column < screen.cells.length) screen.redrawn.add(screen.row);
    screen.cells[screen.column++] = character;
  }
}

function pad(screen: Screen): void {
  while (screen.cells.length < screen.column && screen.padding > 0) {
    screen.cells.push(" ");
    screen.padding--;
  }
  screen.column = Math.min(screen.column, screen.cells.length);
}

export function startLine(screen: Screen): void {
  if (screen.row + 1 < screen.rows.length) enterRow(screen, screen.row + 1);
  else {
    leaveRow(screen);
    screen.row++;
    screen.cells = [];
  }
  screen.column = 0;
}

function leaveRow(screen: Screen): void {
  screen.rows[screen.row] = screen.cells.join("");
}

function enterRow(screen: Screen, row: number): void {
  leaveRow(screen);
  screen.row = row;
  screen.cells = [...(screen.rows[row] ?? "")];
}

/** Columns from the left, 0-based. */
export function moveTo(screen: Screen, column: number): void {
  screen.column = Math.min(Math.max(column, 0), Math.max(screen.cells.length, MOST_COLUMNS));
}

/** Rows, down where positive. */
export function moveRows(screen: Screen, by: number): void {
  const { row, rows, cells } = screen;
  const to = Math.min(Math.max(row + by, 0), Math.max(rows.length - 1, row));
  if (to !== row && Math.max((rows[to] ?? "").length, cells.length) <= LONGEST_REOPENED) enterRow(screen, to);
}

export function eraseLine(screen: Screen, part: "right" | "left" | "all"): void {
  const { cells, column } = screen;
  if (cells.length > 0) screen.redrawn.add(screen.row);
  if (part === "all") screen.cells = [];
  else if (part === "right") cells.length = Math.min(cells.length, column);
  else if (column < LONGEST_REOPENED) cells.fill(" ", 0, Math.min(column + 1, cells.length));
}

/** From the cursor on. */
export function eraseBelow(screen: Screen): void {
  const { cells, column, row, rows } = screen;
  if (cells.length > column || row + 1 < rows.length) screen.redrawn.add(row);
  cells.length = Math.min(cells.length, column);
  rows.length = Math.min(rows.length, row + 1);
}

export function readScreen(screen: Screen): string {
  leaveRow(screen);
  return screen.rows.join("\n");
}
