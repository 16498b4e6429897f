/**
 * Owns showing changed lines as the hunks of a unified diff.
 * Leaves finding them to diff-lines.ts. Rule: only `\n` ends a line here, as it does for `patch`; every other byte,
 * `\r` included, is part of the line.
 */
import type { Splice } from "./diff-regions.ts";
import { startOfLine } from "./diff-regions.ts";
import { decode, type Encoding } from "./encodings.ts";
import { countLines, countNewlines } from "./lines.ts";

/** Unchanged lines around a change: what `diff -u` and git show, and what lets `patch` find a place that has moved. */
const CONTEXT = 3;
const NO_NEWLINE = "\\ No newline at end of file\n";

interface Versions {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  readonly encoding: Encoding;
}

/** Where the next hunk's lines are counted from: a byte of `before`, the line that starts there, and how many lines `after` is ahead. */
interface Cursor {
  byte: number;
  line: number;
  ahead: number;
}

/** All hunks, in order. `changes` are on line borders and ascending. */
export function formatHunks(versions: Versions, changes: readonly Splice[]): string {
  const cursor: Cursor = { byte: 0, line: 1, ahead: 0 };
  let text = "";
  for (const group of groupChanges(versions.before, changes)) text += formatHunk(versions, group, cursor);
  return text;
}

/** Changes whose contexts would touch or overlap are one hunk. */
function groupChanges(before: Uint8Array, changes: readonly Splice[]): Splice[][] {
  const groups: Splice[][] = [];
  let previous: Splice | undefined;
  for (const change of changes) {
    const group = groups.at(-1);
    if (group !== undefined && previous !== undefined && isNear(before, previous.end, change.start))
      group.push(change);
    else groups.push([change]);
    previous = change;
  }
  return groups;
}

function isNear(before: Uint8Array, from: number, to: number): boolean {
  return skipLines(before, from, 2 * CONTEXT) >= to;
}

function formatHunk({ before, after, encoding }: Versions, group: readonly Splice[], cursor: Cursor): string {
  const first = group[0] as Splice;
  const last = group.at(-1) as Splice;
  const start = backLines(before, first.start);
  const end = skipLines(before, last.end, CONTEXT);
  const line = cursor.line + countNewlines(before, cursor.byte, start);
  const show = (mark: string, bytes: Uint8Array): string => markLines(mark, decode(bytes, encoding));
  let body = "";
  let at = start;
  let [removed, added] = [0, 0];
  for (const change of group) {
    const gone = before.subarray(change.start, change.end);
    const come = after.subarray(change.newStart, change.newEnd);
    body += show(" ", before.subarray(at, change.start)) + show("-", gone) + show("+", come);
    removed += countLines(gone);
    added += countLines(come);
    at = change.end;
  }
  body += show(" ", before.subarray(at, end));
  const oldCount = countLines(before.subarray(start, end));
  const newCount = oldCount - removed + added;
  const header = `@@ -${formatRange(line, oldCount)} +${formatRange(line + cursor.ahead, newCount)} @@\n`;
  cursor.byte = end;
  cursor.line = line + oldCount;
  cursor.ahead += added - removed;
  return header + body;
}

/** A range without lines is named by the line before it. */
function formatRange(line: number, count: number): string {
  if (count === 1) return `${line}`;
  return `${count === 0 ? line - 1 : line},${count}`;
}

function markLines(mark: string, text: string): string {
  if (text === "") return "";
  const open = !text.endsWith("\n");
  const marked = mark + (open ? text : text.slice(0, -1)).replaceAll("\n", `\n${mark}`);
  return open ? `${marked}\n${NO_NEWLINE}` : `${marked}\n`;
}

function backLines(bytes: Uint8Array, from: number): number {
  let at = from;
  for (let step = 0; step < CONTEXT && at > 0; step++) at = startOfLine(bytes, at - 1);
  return at;
}

function skipLines(bytes: Uint8Array, from: number, lines: number): number {
  let at = from;
  for (let step = 0; step < lines && at < bytes.length; step++) {
    const newline = bytes.indexOf(0x0a, at);
    at = newline < 0 ? bytes.length : newline + 1;
  }
  return at;
}
