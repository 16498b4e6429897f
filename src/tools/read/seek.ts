/**
 * Owns finding a line, and a column in a line, by streaming. Leaves the page itself to page.ts.
 * Rule: memory stays at a chunk or two, whatever the size of the file.
 */
import { characterBytes, type TextForm } from "../../text/encodings.ts";
import { scannerFor } from "../../text/newline-scanner.ts";
import { type ByteSource, chunksOf } from "./byte-source.ts";

/** The longest character of any encoding that is read here. */
const LONGEST_CHARACTER_BYTES = 4;

export interface TextSource {
  readonly source: ByteSource;
  readonly form: TextForm;
  readonly signal: AbortSignal;
}

/** Where the line starts, or how many lines there are when it is past the end. Line 1 starts behind the BOM. */
export async function seekLine(
  text: TextSource,
  line: number,
): Promise<{ position: number } | { lines: number }> {
  const { source, form, signal } = text;
  const scanner = scannerFor(form.encoding);
  if (line === 1) return { position: form.bomBytes };
  let newlines = 0;
  let endsLine = false;
  for await (const { at, bytes } of chunksOf(source, { start: 0, end: source.size, signal })) {
    const here = scanner.count(bytes);
    if (newlines + here >= line - 1) {
      const position = at + scanner.behindNth(bytes, line - 1 - newlines);
      return position < source.size ? { position } : { lines: line - 1 };
    }
    newlines += here;
    endsLine = scanner.endsLine(bytes);
  }
  const isOpen = source.size > form.bomBytes && !endsLine;
  return { lines: newlines + (isOpen ? 1 : 0) };
}

/** Lines that begin in `start` to `end`, where `start` is the start of a line or lies in line `line`. */
export async function countNewlinesTo(text: TextSource, span: { start: number; end: number }) {
  const scanner = scannerFor(text.form.encoding);
  let newlines = 0;
  let endsLine = false;
  for await (const { bytes } of chunksOf(text.source, { ...span, signal: text.signal })) {
    newlines += scanner.count(bytes);
    endsLine = scanner.endsLine(bytes);
  }
  return { newlines, endsLine };
}

/**
 * Where column `column` (1-based, in characters) of the line at `start` lies; its characters in all where the line is shorter.
 */
export async function seekColumn(
  text: TextSource,
  start: number,
  column: number,
): Promise<{ position: number } | { characters: number }> {
  const { source, form, signal } = text;
  const scanner = scannerFor(form.encoding);
  let position = start;
  let passed = 0;
  while (position < source.size) {
    signal.throwIfAborted();
    const bytes = await source.read(position, 1_048_576);
    if (bytes.length === 0) break;
    const newline = scanner.next(bytes, 0);
    const isLast = newline !== -1 || position + bytes.length >= source.size;
    const lineEnd = newline === -1 ? bytes.length : newline - scanner.returnBefore(bytes, newline, 0);
    // A character may continue in the next chunk; a `\r` at its end may belong to the line break there.
    const safeEnd = isLast ? lineEnd : bytes.length - 2 * LONGEST_CHARACTER_BYTES;
    let at = 0;
    for (; at < safeEnd; at += characterBytes(bytes, at, form.encoding)) {
      if (passed === column - 1) return { position: position + at };
      passed++;
    }
    if (isLast) break;
    position += at;
  }
  return { characters: passed };
}
