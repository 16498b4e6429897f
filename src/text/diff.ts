/**
 * Owns the unified diff of two versions of a file.
 * Leaves narrowing to diff-regions.ts, comparing to diff-lines.ts, hunks to diff-hunks.ts.
 * Rule: `patch -p1` makes `after` of `before` byte for byte wherever both are UTF-8, whatever their endings. In any
 * other encoding the diff is the decoded text, to be read rather than applied.
 */
import { formatHunks } from "./diff-hunks.ts";
import { compareRegions } from "./diff-lines.ts";
import { findRegion, findSplicedRegions, type Splice } from "./diff-regions.ts";
import { decode, type Encoding } from "./encodings.ts";

export type { Splice } from "./diff-regions.ts";

export interface DiffUse {
  /** Relative to the root, with `/`; shown with `a/` and `b/` before it. */
  readonly path: string;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  /** Where it is known: what was put in place of what, ascending and not overlapping. Nothing else is then compared. */
  readonly splices?: readonly Splice[];
  /** `utf-8` where it is left out. */
  readonly encoding?: Encoding;
}

export interface UnifiedDiff {
  /** With the two header lines; empty where nothing differs. */
  readonly patch: string;
  /** The same without them. */
  readonly hunks: string;
  /** Whether a shorter diff may exist: the search for the shortest was given up. */
  readonly shortened: boolean;
}

export async function unifiedDiff(use: DiffUse): Promise<UnifiedDiff> {
  const encoding = use.encoding ?? "utf-8";
  // In UTF-16 a byte 0x0A may be half of another character.
  if (encoding === "utf-16le" || encoding === "utf-16be") {
    const before = Buffer.from(decode(use.before, encoding), "utf8");
    const after = Buffer.from(decode(use.after, encoding), "utf8");
    return unifiedDiff({ path: use.path, before, after });
  }
  const { before, after } = use;
  const { changes, shortened } = await compareRegions(before, after, listRegions(use));
  if (changes.length === 0) return { patch: "", hunks: "", shortened };
  const hunks = formatHunks({ before, after, encoding }, changes);
  return {
    patch: `--- ${formatName("a", use.path)}\n+++ ${formatName("b", use.path)}\n${hunks}`,
    hunks,
    shortened,
  };
}

function listRegions({ before, after, splices }: DiffUse): readonly Splice[] {
  if (splices !== undefined) return findSplicedRegions(before, after, splices);
  const region = findRegion(before, after);
  return region === undefined ? [] : [region];
}

/**
 * A name as `patch` and git read it: quoted as in C where it has what would end it or the line (a name with a line
 * break could otherwise name another file to patch), and with a tab behind it where it has blanks.
 */
function formatName(side: "a" | "b", path: string): string {
  const name = `${side}/${path}`;
  if (/[\0-\x1f"\\\x7f]/.test(name)) return `"${name.replace(/[\0-\x1f"\\\x7f]/g, escapeCharacter)}"`;
  return name.includes(" ") ? `${name}\t` : name;
}

function escapeCharacter(character: string): string {
  if (character === '"' || character === "\\") return `\\${character}`;
  return `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`;
}
