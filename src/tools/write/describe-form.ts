/**
 * Owns telling what an overwrite changed beside the text: line endings, byte order mark, encoding.
 * Rule: a change of form is said, never made silently; an unchanged one is not mentioned.
 */
import { scannerOf } from "../../text/newline-scanner.ts";

/** `was CRLF, now LF`, or an empty string where the form stayed. */
export function describeForm(before: Buffer, after: Buffer): string {
  const changes: string[] = [];
  const [wasMark, isMark] = [markOf(before), markOf(after)];
  if (wasMark !== isMark) {
    const plain = wasMark?.startsWith("UTF-16") ? "UTF-8" : "without a BOM";
    changes.push(`was ${wasMark ?? "without a BOM"}, now ${isMark ?? plain}`);
  }
  const [was, is] = [endingOf(before), endingOf(after)];
  if (was !== undefined && is !== undefined && was !== is) changes.push(`was ${was}, now ${is}`);
  return changes.join("; ");
}

function markOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "UTF-8 with a BOM";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "UTF-16LE";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "UTF-16BE";
  return undefined;
}

/** The ending of the first line; undefined where there is none, or where NULs before it tell that it is no text. */
function endingOf(bytes: Buffer): "LF" | "CRLF" | undefined {
  const scanner = scannerOf(bytes);
  const newline = scanner.next(bytes, 0);
  if (newline === -1 || (scanner.unit === 1 && bytes.subarray(0, newline).includes(0))) return undefined;
  return scanner.returnBefore(bytes, newline, 0) > 0 ? "CRLF" : "LF";
}
