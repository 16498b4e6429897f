/**
 * Owns the words that list, glob and grep share: counts, what was left out, and where a page ends.
 * Leaves what was found to the tools. Rule: what is not shown is counted in the first line.
 */

export interface LeftOut {
  readonly ignored: number;
  readonly withheld: ReadonlyMap<string, number>;
  readonly unreadable: readonly { readonly path: string; readonly error: string }[];
}

/** `1 file`, `2 files`, `1,234 files`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Names at most a few of a list, the rest as a number. */
export function nameSome(names: readonly string[], most = 5): string {
  const rest = names.length - most;
  return rest > 0 ? `${names.slice(0, most).join(", ")} and ${formatCount(rest)} more` : names.join(", ");
}

/** The parts of a first line that tell what was left out, in a fixed order. `show` turns a path into shown text. */
export function describeLeftOut(left: LeftOut, show: (path: string) => string): string[] {
  const parts: string[] = [];
  if (left.ignored > 0) parts.push(`${formatCount(left.ignored)} ignored`);
  for (const [rule, count] of [...left.withheld].sort(([a], [b]) => (a < b ? -1 : 1))) {
    parts.push(`${formatCount(count)} withheld by rule ${clipMiddle(rule)}`);
  }
  if (left.unreadable.length > 0) {
    parts.push(
      `not readable: ${nameSome(left.unreadable.map(({ path, error }) => `${clipMiddle(show(path))} (${error})`))}`,
    );
  }
  return parts;
}

/**
 * As many of `lines` as fit into `most` characters, each with its newline. Where a page ends early, the caller
 * says so in the first line, for which it has kept room.
 */
export function fitLines(lines: readonly string[], most: number): readonly string[] {
  let used = 0;
  for (const [index, line] of lines.entries()) {
    used += line.length + 1;
    if (used > most) return lines.slice(0, index);
  }
  return lines;
}

/** Room kept for the first line: a quarter of a small page, never more than this. */
const MAX_HEAD = 2_000;
/** Room kept for the notes that the toolset adds. */
const MAX_NOTES = 1_000;

export function bodyRoom(resultMax: number): number {
  return resultMax - Math.min(MAX_HEAD, Math.ceil(resultMax / 4));
}

/**
 * A first line and as many lines as fit below it. `renderHead` is told how many do, since it says so.
 * Together they are never longer than `resultMax`, whatever names and patterns are in them.
 */
export function fitPage(page: {
  readonly lines: readonly string[];
  readonly resultMax: number;
  readonly renderHead: (kept: number) => string;
}): { readonly content: string; readonly kept: number } {
  const { lines, resultMax, renderHead } = page;
  const most = resultMax - Math.min(MAX_NOTES, resultMax >> 3);
  let kept = fitLines(lines, bodyRoom(resultMax));
  let content = [renderHead(kept.length), ...kept].join("\n");
  if (content.length > most) {
    // The number shown may get longer when fewer are.
    kept = fitLines(lines, most - renderHead(kept.length).length - 20);
    content = [renderHead(kept.length), ...kept].join("\n");
  }
  if (content.length > most) content = content.slice(0, most).toWellFormed();
  return { content, kept: kept.length };
}

/** Longer calls are not told in a first line. */
const LONGEST_CALL = 400;

/** `showing the first 200; next: list {…}, or narrow the pattern`. */
export function describeCut(kept: number, how: { narrow: string; next: string | undefined }): string {
  const { narrow, next } = how;
  const call = next === undefined || next.length > LONGEST_CALL ? "" : `next: ${next}, or `;
  return `showing the first ${formatCount(kept)}; ${call}${narrow}`;
}

/** A text in the middle of a sentence: long ones are cut in their middle. */
export function clipMiddle(text: string, most = 200): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const side = (most - 1) >> 1;
  return `${characters.slice(0, side).join("")}…${characters.slice(-side).join("")}`;
}
