/**
 * Owns telling what an overwrite changed beside the text: line endings, byte order mark, encoding.
 * Rule: a change of form is said, never made silently; an unchanged one is not mentioned.
 */
import { detectForm, firstInvalidUtf8 } from "../../text/encodings.ts";
import { kindOf } from "../../text/kinds.ts";
import { scannerOf } from "../../text/newline-scanner.ts";

/** Bytes by which kind and encoding are told. */
const SAMPLE_BYTES = 65_536;

/** `was CRLF, now LF`, or an empty string where the form stayed. */
export async function describeForm(before: Buffer, after: Buffer): Promise<string> {
  const changes: string[] = [];
  const [wasMark, isMark] = [markOf(before), markOf(after)];
  if (wasMark !== isMark) {
    const plain = wasMark?.startsWith("UTF-16") ? "UTF-8" : "without a BOM";
    changes.push(`was ${wasMark ?? "without a BOM"}, now ${isMark ?? plain}`);
  }
  const encoding = wasMark === undefined ? await findOtherEncoding(before) : undefined;
  if (encoding !== undefined && after.length > 0) changes.push(`was ${encoding}, now UTF-8`);
  const [was, is] = [endingOf(before), endingOf(after)];
  if (was !== undefined && is !== undefined && was !== is) changes.push(`was ${was}, now ${is}`);
  return changes.join("; ");
}

/** What a text is in that is no UTF-8; undefined where it is UTF-8, or no text. */
async function findOtherEncoding(bytes: Buffer): Promise<string | undefined> {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  if (firstInvalidUtf8(bytes) < 0 || sample.includes(0) || kindOf(sample).kind !== "text") return undefined;
  const { encoding } = await detectForm(sample);
  return encoding === "utf-8" ? "no valid UTF-8 (Windows-1252 or the like)" : encoding;
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
