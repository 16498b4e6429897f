/**
 * Owns naming byte spans of a file by its lines, so that a refusal can say which lines were not shown.
 * Rule: lines as every tool counts them, in the file's own encoding, 1-based and inclusive; neighbouring spans become
 * one range.
 */
import type { LineRange } from "../../contract/refusal.ts";
import { countLinesOf, scannerOf } from "../../text/newline-scanner.ts";
import type { Span } from "../../text/seen.ts";

/** `spans` ascend. A span at the very end of the file names its last line. */
export function linesOfSpans(bytes: Buffer, spans: readonly Span[]): LineRange[] {
  const scanner = scannerOf(bytes);
  const total = countLinesOf(bytes);
  const ranges: { start: number; end: number }[] = [];
  let at = 0;
  let newlines = 0;
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    newlines += scanner.count(bytes.subarray(at, span.start));
    at = span.start;
    const start = Math.min(newlines + 1, Math.max(total, 1));
    // The line feed that ends the span belongs to its last line and opens no further one.
    const inside = scanner.count(bytes.subarray(span.start, Math.max(span.end - scanner.unit, span.start)));
    const end = Math.min(start + inside, Math.max(total, 1));
    const last = ranges.at(-1);
    if (last !== undefined && start <= last.end + 1) last.end = Math.max(last.end, end);
    else ranges.push({ start, end });
  }
  return ranges;
}
