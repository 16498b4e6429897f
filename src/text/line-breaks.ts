/**
 * Owns giving new text the line endings of the place it lands in.
 * Leaves choosing the place to find-text.ts. Rule: the file decides, never the model's habit;
 * a text that lands where the file has no line ending at all is taken as it was sent.
 */
import { type Encoding, encode } from "./encodings.ts";
import { scannerFor } from "./newline-scanner.ts";

type LineBreak = "\n" | "\r\n";

/**
 * The bytes of `text` for the range `start` to `end` of a file. Its first line break becomes what the first one
 * in the range was, and so on; further ones become what the last was, or what ends the line there.
 * Undefined where the encoding cannot hold the text.
 */
export function fitLineBreaks(of: {
  text: string;
  bytes: Buffer;
  start: number;
  end: number;
  encoding: Encoding;
}): Buffer | undefined {
  if (!of.text.includes("\n")) return encode(of.text, of.encoding);
  const inside = breaksWithin(of);
  const fallback = inside.at(-1) ?? breakNear(of);
  let index = 0;
  const fitted = of.text.replace(/\r?\n/g, (sent) => inside[index++] ?? fallback ?? sent);
  return encode(fitted, of.encoding);
}

function breaksWithin(of: { bytes: Buffer; start: number; end: number; encoding: Encoding }): LineBreak[] {
  const scanner = scannerFor(of.encoding);
  const range = of.bytes.subarray(of.start, of.end);
  const breaks: LineBreak[] = [];
  for (let at = scanner.next(range, 0); at !== -1; at = scanner.next(range, at + scanner.unit)) {
    breaks.push(scanner.returnBefore(range, at, 0) > 0 ? "\r\n" : "\n");
  }
  return breaks;
}

/** The ending of the line in which the range ends, else of the line before it. */
function breakNear(of: {
  bytes: Buffer;
  start: number;
  end: number;
  encoding: Encoding;
}): LineBreak | undefined {
  const scanner = scannerFor(of.encoding);
  const after = scanner.next(of.bytes, of.end);
  if (after !== -1) return scanner.returnBefore(of.bytes, after, 0) > 0 ? "\r\n" : "\n";
  const before = scanner.previous(of.bytes, of.start);
  if (before === -1) return undefined;
  return scanner.returnBefore(of.bytes, before, 0) > 0 ? "\r\n" : "\n";
}
