/**
 * Owns what is shown of an answer that is an error: the first line and a little of what the server says.
 * Leaves the text to read-body.ts. Rule: an error page is worth a paragraph, never the whole window.
 */

/** Error pages say what is wrong in a line or two; the rest is decoration. */
const MAX_EXCERPT = 1_000;

export function excerptBody(content: string): string {
  const end = content.indexOf("\n");
  if (end < 0) return content;
  const head = content.slice(0, end);
  const body = content.slice(end + 1);
  if (body.length <= MAX_EXCERPT) return content;
  const shown = body.slice(0, MAX_EXCERPT);
  const isSplit = (shown.charCodeAt(shown.length - 1) & 0xfc00) === 0xd800;
  return `${head}; only its beginning is shown\n${isSplit ? shown.slice(0, -1) : shown}…`;
}
