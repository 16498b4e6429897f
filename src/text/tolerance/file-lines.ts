/**
 * Owns a file as lines that know their bytes, and slices of such lines.
 * Rule: text is for comparing; what is kept is kept by its byte offsets and never encoded again.
 */
import { isUtf8 } from "node:buffer";
import { characterBytes, decode, type Encoding } from "../encodings.ts";
import { scannerFor } from "../newline-scanner.ts";
import type { Stretch } from "./stretches.ts";

/** A line, or the part of one that a match covers. */
export interface FileLine {
  /** 1-based. */
  readonly number: number;
  /** Byte offsets of the content, half open. */
  readonly start: number;
  readonly end: number;
  /** Byte offset behind the line break; equal to `end` where none is part of it. */
  readonly breakEnd: number;
  readonly text: string;
}

/** The lines of a stretch of whole lines. */
export function splitFile(file: { bytes: Buffer; encoding: Encoding }, stretch: Stretch): FileLine[] {
  const { encoding } = file;
  const scanner = scannerFor(encoding);
  const bytes = file.bytes.subarray(0, stretch.end);
  const lines: FileLine[] = [];
  for (let start = stretch.start; start < bytes.length; ) {
    const newline = scanner.next(bytes, start);
    const end = newline === -1 ? bytes.length : newline - scanner.returnBefore(bytes, newline, start);
    const breakEnd = newline === -1 ? bytes.length : newline + scanner.unit;
    const text = decode(bytes.subarray(start, end), encoding);
    lines.push({ number: stretch.firstLine + lines.length, start, end, breakEnd, text });
    start = breakEnd;
  }
  return lines;
}

/** The part of a line between two offsets of its text. Its break belongs to the part only where `withBreak` says so. */
export function sliceLine(
  line: FileLine,
  part: { from: number; to: number; withBreak: boolean },
  file: { bytes: Buffer; encoding: Encoding },
): FileLine {
  const start = line.start + bytesOf(line, part.from, file);
  const end = part.to === line.text.length ? line.end : line.start + bytesOf(line, part.to, file);
  const breakEnd = part.withBreak ? line.breakEnd : end;
  return { number: line.number, start, end, breakEnd, text: line.text.slice(part.from, part.to) };
}

/** Bytes of the first `length` UTF-16 units of a line. */
function bytesOf(
  line: FileLine,
  length: number,
  { bytes, encoding }: { bytes: Buffer; encoding: Encoding },
): number {
  const content = bytes.subarray(line.start, line.end);
  // Every character stands for itself in valid UTF-8, so what it would be written as is what is there.
  if (encoding === "utf-8" && isUtf8(content)) return Buffer.byteLength(line.text.slice(0, length));
  let at = 0;
  for (let units = 0; units < length && at < content.length; ) {
    const step = characterBytes(content, at, encoding);
    units += decode(content.subarray(at, at + step), encoding).length;
    at += step;
  }
  return at;
}
