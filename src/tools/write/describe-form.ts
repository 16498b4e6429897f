/**
 * Owns saying how a file's outward form changed when it was overwritten: line endings, byte order mark, encoding.
 * Rule: a change of form is said, never made silently; an unchanged one is not mentioned.
 */

/** `was CRLF, now LF`, or an empty string where the form stayed. */
export function describeForm(before: Buffer, after: Buffer): string {
  const changes: string[] = [];
  const [wasMark, isMark] = [markOf(before), markOf(after)];
  if (wasMark !== isMark) changes.push(`was ${wasMark ?? "without a BOM"}, now ${isMark ?? "without a BOM"}`);
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

/** The ending of the first line; undefined where there is none, or where UTF-16 hides it. */
function endingOf(bytes: Buffer): "LF" | "CRLF" | undefined {
  const newline = bytes.indexOf(0x0a);
  if (newline === -1 || bytes.subarray(0, newline).includes(0)) return undefined;
  return bytes[newline - 1] === 0x0d ? "CRLF" : "LF";
}
