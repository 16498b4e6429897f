/**
 * Owns where a list of paths that was cut goes on: the folder, or the beginning of a name, whose paths start with the
 * first that is not shown. Leaves making a call of it to the tools.
 * Rule: in a list sorted by bytes, nothing that was shown last is in the block, and the first that was not is.
 */

export interface NextBlock {
  /** Empty where it is the folder that the paths start from. */
  readonly folder: string;
  /** Absent where the whole folder is meant. */
  readonly prefix?: string;
}

/** What would be more than a name in a pattern. */
const META = /[*?[\]{}\\!+@()]/;

/** Undefined where a pattern cannot name it. */
export function findNextBlock(last: string, next: string): NextBlock | undefined {
  const [before, after] = [last.split("/"), next.split("/")];
  const depth = after.length - 1;
  let same = 0;
  while (same < depth && before[same] === after[same]) same++;
  if (same < depth) return { folder: after.slice(0, same + 1).join("/") };
  const folder = after.slice(0, depth).join("/");
  const name = before[depth];
  if (name === undefined) return { folder };
  const prefix = beginningOf(after[depth] ?? "", name);
  return META.test(prefix) ? undefined : { folder, prefix };
}

/** As much of `name` as tells it from `other`. */
function beginningOf(name: string, other: string): string {
  const [characters, others] = [[...name], [...other]];
  const at = characters.findIndex((character, index) => character !== others[index]);
  return characters.slice(0, at < 0 ? characters.length : at + 1).join("");
}
