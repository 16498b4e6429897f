/**
 * Owns the first line of a page: how long the file is, what of it is shown, and what is odd about its bytes.
 * Rule: what is ordinary (LF, UTF-8, a final newline, the whole file) is not mentioned.
 */
import type { Page } from "./page.ts";
import type { TextDetails } from "./read-text.ts";

export function describePage(page: Page, details: TextDetails, rendering: string | undefined): string {
  if (details.size === 0) return "empty (0 bytes)";
  const facts = [...(rendering === undefined ? [] : [rendering]), ...lengthOf(page, details)];
  const { shown } = details;
  const isWhole = page.next === undefined && page.start === 0;
  if (shown === undefined) facts.push("no text behind the byte order mark");
  else if (page.column !== undefined) facts.push(describePart(page, shown.start));
  else if (!isWhole)
    facts.push(shown.start === shown.end ? `showing ${shown.start}` : `showing ${shown.start}–${shown.end}`);
  if (details.ending === "CRLF") facts.push("CRLF");
  if (details.ending === "mixed") facts.push("LF and CRLF mixed");
  if (details.finalNewline === false) facts.push("no final newline");
  if (details.encoding !== "utf-8") facts.push(details.encoding.toUpperCase());
  if (details.firstBadOffset !== undefined) facts.push(describeBad(details));
  return facts.join(", ");
}

function lengthOf(page: Page, { totalLines, size }: TextDetails): string[] {
  if (totalLines !== undefined) return [countOf(totalLines, "line")];
  return [`more than ${countOf(page.countedLines, "line")}`, `${size} bytes`];
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function describePart(page: Page, line: number): string {
  const column = page.column ?? 1;
  const characters = [...(page.lines[0]?.text ?? "")].length;
  const end = page.next?.column === undefined ? ", to its end" : "";
  return `showing line ${line} from column ${column} to ${column + characters - 1}${end}`;
}

function describeBad({ encoding, firstBadOffset }: TextDetails): string {
  const as = encoding === "utf-8" ? "such bytes shown as Windows-1252" : `shown as ${encoding}`;
  return `not valid UTF-8 (first bad byte at offset ${firstBadOffset}; ${as})`;
}
