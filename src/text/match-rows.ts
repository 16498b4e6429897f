/**
 * Owns the rows that a search shows of one file: matching lines, the lines around them, and gaps.
 * Leaves finding to the finders and words to whoever renders. Rule: each line is shown once, in order.
 */
import { isUtf8 } from "node:buffer";
import { cutLine } from "./line-window.ts";
import { countNewlines } from "./lines.ts";

export interface Row {
  readonly kind: "match" | "context" | "gap";
  /** 1-based; 0 for a gap. */
  readonly line: number;
  /** False on the further lines of a match that crosses lines. */
  readonly first?: false;
  readonly text: string;
  /** Present instead of text where the bytes are no UTF-8: to be decoded once the file's encoding is known. */
  readonly raw?: Buffer;
  readonly cutBefore?: boolean;
  readonly cutAfter?: boolean;
  readonly column?: number;
  readonly characters?: number;
}

export interface RowOptions {
  /** Lines of context on each side. */
  readonly context: number;
  /** Characters shown of a line. */
  readonly lineWindow: number;
  /** Rows beyond are not kept: no answer has room for them. */
  readonly mostRows: number;
}

/** What is held of the file: `bytes[0, end)`, of which the first line is number `line`. */
interface Held {
  readonly bytes: Buffer;
  readonly end: number;
}

export interface RowCollector {
  readonly rows: Row[];
  /** Adds the matching lines that start at `start` and end (without their ending) at `end`. */
  add(held: Held, match: { start: number; end: number; matchStart: number }): void;
  /** Adds the context that is still owed and stands in what is held. */
  settle(held: Held): void;
  /** Passes over bytes that are no text: a byte order mark. */
  skip(count: number): void;
  /** Tells that `count` bytes are dropped from the front of what is held. */
  drop(bytes: Buffer, count: number): void;
  /** The same without counting their lines, which takes longer than looking through them: `startAt` makes up for it. */
  dropUncounted(count: number): void;
  /** The number of the first line of what is held. */
  startAt(line: number): void;
}

const GAP: Row = { kind: "gap", line: 0, text: "" };

export function makeRowCollector(options: RowOptions): RowCollector {
  const { context } = options;
  const rows: Row[] = [];
  // The first line not yet shown: where it starts, and its number.
  let next = 0;
  let line = 1;
  let owed = 0;
  const show = (held: Held, kind: "match" | "context", matchStart: number, further?: true) => {
    const newline = held.bytes.indexOf(10, next);
    const last = newline < 0 || newline >= held.end ? held.end : newline;
    const end = last > next && last < held.end && held.bytes[last - 1] === 13 ? last - 1 : last;
    if (rows.length < options.mostRows) {
      const row = makeRow({
        bytes: held.bytes,
        start: next,
        end,
        matchStart: Math.max(matchStart, next),
        kind,
        line,
        options,
      });
      rows.push(further === true ? { ...row, first: false } : row);
    }
    next = last + 1;
    line++;
  };
  const settleUntil = (held: Held, limit: number) => {
    for (; owed > 0 && next < limit; owed--) show(held, "context", next);
  };
  const skipTo = (bytes: Buffer, start: number) => {
    line += countNewlines(bytes, next, start);
    next = start;
  };
  return {
    rows,
    add(held, { start, end, matchStart }) {
      settleUntil(held, start);
      const before = stepLinesBack(held.bytes, { from: start, floor: next, count: context });
      if (before > next && rows.length > 0 && context > 0) rows.push(GAP);
      if (before > next) skipTo(held.bytes, before);
      while (next < start) show(held, "context", next);
      show(held, "match", Math.min(matchStart, end));
      while (next <= end && next < held.end) show(held, "match", next, true);
      owed = context;
    },
    settle: (held) => settleUntil(held, held.end),
    skip(count) {
      next += count;
    },
    drop(bytes, count) {
      if (next < count) skipTo(bytes, count);
      next -= count;
    },
    dropUncounted(count) {
      next = Math.max(next - count, 0);
    },
    startAt(first) {
      line = first;
    },
  };
}

/** The start of the line `count` lines above the one that starts at `from`, not before `floor`. */
export function stepLinesBack(
  bytes: Buffer,
  { from, floor, count }: { from: number; floor: number; count: number },
): number {
  let at = from;
  for (let left = count; left > 0 && at > floor; left--) {
    const newline = at >= 2 ? bytes.lastIndexOf(10, at - 2) : -1;
    at = Math.max(floor, newline + 1);
  }
  return at;
}

function makeRow(at: {
  bytes: Buffer;
  start: number;
  end: number;
  matchStart: number;
  kind: "match" | "context";
  line: number;
  options: RowOptions;
}): Row {
  const { bytes, kind, line, options } = at;
  const part = cutLine({ ...at, most: options.lineWindow });
  const slice = bytes.subarray(part.start, part.end);
  const base = isUtf8(slice)
    ? { kind, line, text: slice.toString("utf8") }
    : { kind, line, text: "", raw: Buffer.from(slice) };
  if (!part.cutBefore && !part.cutAfter) return base;
  const { cutBefore, cutAfter, column, characters } = part;
  return {
    ...base,
    cutBefore,
    cutAfter,
    ...(kind === "match" && column !== undefined ? { column } : {}),
    ...(characters === undefined ? {} : { characters }),
  };
}
