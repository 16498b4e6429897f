/**
 * Owns the reference that edits are judged by: what a list of exact edits does to bytes, written as plainly as can be.
 * Leaves every tolerance to the product. Rule: bytes in, bytes out; where it cannot say, it says undefined.
 */

export interface NaiveEdit {
  readonly old_text: string;
  readonly new_text: string;
  readonly replace_all?: boolean;
}

/** The text with all edits applied in order, or undefined where an entry must be refused. Endings are taken as LF. */
export function replaceNaively(text: string, edits: readonly NaiveEdit[]): string | undefined {
  let now = text;
  for (const { old_text: asked, new_text: put, replace_all: all } of edits) {
    const starts = findStarts(now, asked);
    if (starts.length === 0 || (starts.length > 1 && all !== true)) return undefined;
    now =
      all === true
        ? now.split(asked).join(put)
        : now.slice(0, starts[0]) + put + now.slice((starts[0] ?? 0) + asked.length);
  }
  return now === text ? undefined : now;
}

/** Where `asked` starts in `text`, overlapping places included. */
function findStarts(text: string, asked: string): number[] {
  const starts: number[] = [];
  if (asked === "") return starts;
  for (let at = text.indexOf(asked); at !== -1; at = text.indexOf(asked, at + 1)) starts.push(at);
  return starts;
}
