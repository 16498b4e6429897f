/**
 * Owns finding the name that looks like the asked one but has other bytes: another kind of space, another
 * Unicode normalisation (screenshots of macOS have U+202F where everybody types a blank).
 * Leaves near spellings to suggest.ts. Rule: exactly one name fits, or none is taken.
 */
import { isUtf8 } from "node:buffer";
import type { Disk } from "../contract/disk.ts";
import { openDirectory } from "./directory.ts";
import { errorCode } from "./system-error.ts";

const PLAIN = /^[\x00-\x7f]*$/;
/** Plain names that other characters fold to: a blank, and the three of ASCII that Unicode has twice. */
const HAS_TWINS = /[ ;`K]|[^\x00-\x7f]/;

/** What two names have in common that differ only in kinds of space and normalisation. */
export function foldName(name: string): string {
  if (PLAIN.test(name)) return name;
  return name.normalize("NFC").replace(/\p{Zs}/gu, " ");
}

/** Whether another name may look like this one. */
export function hasTwins(name: string): boolean {
  return HAS_TWINS.test(name);
}

/** The one entry of a real directory that is the twin of `name`. */
export async function findTwin(
  disk: Disk,
  wanted: { directory: string; name: string },
): Promise<string | undefined> {
  if (!hasTwins(wanted.name)) return undefined;
  const folded = foldName(wanted.name);
  const twins = (await readNames(disk, wanted.directory)).filter((name) => foldName(name) === folded);
  return twins.length === 1 ? twins[0] : undefined;
}

/** The UTF-8 names in a real directory; none where it is no directory or cannot be read. */
async function readNames(disk: Disk, path: string): Promise<string[]> {
  try {
    const directory = await openDirectory(disk, path);
    if (directory === undefined) return [];
    try {
      const entries = await disk.readdir(directory.self);
      return entries.filter((entry) => isUtf8(entry.name)).map((entry) => entry.name.toString("utf8"));
    } finally {
      await directory.close();
    }
  } catch (error) {
    // A directory that may be passed through but not read has no twins to offer.
    if (!["EACCES", "EPERM", "ENOENT", "ENOTDIR"].includes(errorCode(error))) throw error;
    return [];
  }
}
