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
    parts.push(`${formatCount(count)} withheld by rule ${rule}`);
  }
  if (left.unreadable.length > 0) {
    parts.push(
      `not readable: ${nameSome(left.unreadable.map(({ path, error }) => `${show(path)} (${error})`))}`,
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

/** Room kept for the first line and for notes: a quarter of a small page, never more than this. */
const MAX_RESERVE = 2_000;

export function bodyRoom(resultMax: number): number {
  return resultMax - Math.min(MAX_RESERVE, Math.ceil(resultMax / 4));
}
