/**
 * Owns the parts that refusals' sentences are made of, and the small turns of phrase that they share. Leaves whole sentences to phrase-*.ts.
 * Rule: deterministic and bounded; a list says how many it leaves out.
 */
import type { MountedNames } from "../contract/context.ts";
import type { LineRange } from "../contract/refusal.ts";
import type { AnyTool } from "../contract/tool.ts";

export interface PhraseContext {
  readonly names: MountedNames;
  /** The tool that was called; absent where the name is unknown. */
  readonly tool?: Pick<AnyTool, "name" | "annotations"> | undefined;
}

/** What is wrong, and what would work: the sentences before and after "Nothing was changed." */
export interface Phrase {
  readonly wrong: string;
  readonly advice?: string | undefined;
  /** Lines that follow all sentences. */
  readonly below?: string | undefined;
}

const MOST_ITEMS = 20;

/** `1 line`, `2 lines`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** `a, b, c and 4 more`. */
export function listItems(items: readonly string[], total: number = items.length): string {
  const shown = items.slice(0, MOST_ITEMS);
  const more = total - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}

/** `lines 1–20, 40`. */
export function listRanges(ranges: readonly LineRange[]): string {
  const parts = ranges.map(({ start, end }) => (start === end ? `${start}` : `${start}–${end}`));
  const single = ranges.length === 1 && ranges[0]?.start === ranges[0]?.end;
  return `${single ? "line" : "lines"} ${listItems(parts)}`;
}

/** The call that shows a directory: `list`, or `read`, which does the same there. */
export function suggestList(names: MountedNames, path: string): string | undefined {
  // A place outside the root was chosen by the host's resolver, which takes other words for it.
  if (path.startsWith("/")) return undefined;
  return names.suggest("list", { path }) ?? names.suggest("read", { path });
}

/** `See it with list {"path":"src"}.` */
export function adviseList(names: MountedNames, path: string): string | undefined {
  const call = suggestList(names, path);
  return call === undefined ? undefined : `See what is there: ${call}`;
}

/** Joins the sentences that are there. */
export function joinSentences(...sentences: readonly (string | undefined)[]): string {
  return sentences.filter((sentence) => sentence !== undefined && sentence !== "").join(" ");
}
