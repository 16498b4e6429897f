/**
 * Owns the call that continues a page. Leaves the page to page.ts.
 * Rule: a call that is offered succeeds, so the bytes behind the page are looked at before they are offered.
 */
import type { MountedNames, ToolContext } from "../../contract/context.ts";
import { decode, type TextForm } from "../../text/encodings.ts";
import { scannerFor } from "../../text/newline-scanner.ts";
import type { Page } from "./page.ts";
import type { TextRange, TextToRead } from "./read-text.ts";

/** The arguments that continue the read; `binary` where what follows is no text. */
export async function planNext(
  page: Page,
  { source, form, range }: TextToRead,
  { limits }: ToolContext,
): Promise<TextRange | "binary" | undefined> {
  if (page.next === undefined) return undefined;
  const textLines = linesBeforeNul(await source.read(page.end, limits.readMax), form);
  if (textLines === 0) return "binary";
  if (page.next.column !== undefined) return page.next;
  // The limit counts lines: while one line is still being shown it would say nothing.
  const limit = Math.min(range.limit ?? Number.POSITIVE_INFINITY, textLines ?? Number.POSITIVE_INFINITY);
  return Number.isFinite(limit) ? { ...page.next, limit } : page.next;
}

/** Whole lines before the first NUL; undefined where there is none. */
export function linesBeforeNul(bytes: Buffer, form: TextForm): number | undefined {
  const scanner = scannerFor(form.encoding);
  if (scanner.unit === 1) {
    const at = bytes.indexOf(0);
    return at === -1 ? undefined : scanner.count(bytes.subarray(0, at));
  }
  const text = decode(bytes, form.encoding);
  const at = text.indexOf("\0");
  return at === -1 ? undefined : text.slice(0, at).split("\n").length - 1;
}

/** The last line of a page that is not the end. */
export function describeNext(
  page: Page,
  next: TextRange | "binary" | undefined,
  { path, names }: { path: string; names: MountedNames },
): string {
  const line = page.next?.offset ?? 0;
  const rest = page.next?.column === undefined ? describeRest(line, page.totalLines) : `line ${line} goes on`;
  if (next === "binary") return `[${rest}, but line ${line} is binary: it holds NULs]`;
  const call = names.suggest("read", { path, ...next });
  return call === undefined ? `[${rest}]` : `[${rest}; next: ${call}]`;
}

function describeRest(from: number, total: number | undefined): string {
  return from === total ? `line ${from} follows` : `lines ${from}–${total ?? "…"} follow`;
}
