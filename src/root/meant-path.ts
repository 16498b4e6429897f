/**
 * Owns guessing which existing path was meant by one that does not exist: another case, backslashes, quotes, a line
 * number behind it, the root's own name before it, or a path of another machine whose end exists here.
 * Leaves near spellings of one name to near-names.ts. Rule: guesses are offered, never taken; nothing outside the root
 * is looked at.
 */
import { isUtf8 } from "node:buffer";
import type { Dirent } from "node:fs";
import { basename, join } from "node:path";
import type { Root } from "../contract/root.ts";
import { showBelow } from "./containment.ts";
import { type ReadFolder, readFoldersOnce } from "./read-folders.ts";

/** Deeper than paths of people; each component costs one look into a directory. */
const MAX_STEPS = 30;
/** How many beginnings of a path of another machine are dropped one by one. */
const MAX_DROPPED = 8;

/** A path below the root that exists, that `asked` may stand for, and that is spelled otherwise. */
export async function findMeantPath(
  root: Root,
  asked: string,
  read: ReadFolder = readFoldersOnce(root),
): Promise<string | undefined> {
  const text = cleanPath(asked);
  const steps = text.split("/").filter((step) => step !== "" && step !== ".");
  if (steps.length === 0 || steps.length > MAX_STEPS || steps.includes("..")) return undefined;
  const isForeign = text.startsWith("/") || text !== text.replace(/^[a-z]:\//i, "");
  const dropped = isForeign
    ? Math.min(steps.length - 1, MAX_DROPPED)
    : steps[0] === basename(root.path)
      ? 1
      : 0;
  for (let from = 0; from <= dropped; from++) {
    const found = await findSpelled(root, steps.slice(from), read);
    if (found !== undefined && found !== asked) return found;
  }
  return undefined;
}

/** A path without what clients, shells and models put around it. */
function cleanPath(asked: string): string {
  return asked
    .replace(/<\/?[a-z_]+>/gi, "")
    .replace(/[\u200b\ufeff]/g, "")
    .trim()
    .replace(/^["'`[\s]+|["'`\]\s]+$/g, "")
    .replace(/^@(?=.)/, "")
    .replace(/(?::\d+(?:[:-]\d+)?|#L\d+.*)$/, "")
    .replaceAll("\\", "/");
}

/** The path of these names where each stands there, or one alone that differs in nothing but its case. */
async function findSpelled(
  root: Root,
  steps: readonly string[],
  read: ReadFolder,
): Promise<string | undefined> {
  let at = root.path;
  for (const step of steps) {
    const alike = findAlike((await read(at))?.entries ?? [], step);
    if (alike.length !== 1 || alike[0] === undefined) return undefined;
    at = join(at, alike[0]);
  }
  return at === root.path ? undefined : showBelow(root.path, at);
}

/** The very name where it is there, else all that differ in their case. */
function findAlike(entries: readonly Dirent<Buffer>[], step: string): string[] {
  const bytes = Buffer.from(step);
  const low = step.toLowerCase();
  // Case changes no length but of letters beyond ASCII; where there are none, few names are worth a closer look.
  const isPlain = bytes.length === step.length;
  const alike: string[] = [];
  for (const { name } of entries) {
    if (isPlain && name.length !== bytes.length) continue;
    if (name.equals(bytes)) return [step];
    if (!isUtf8(name)) continue;
    const text = name.toString("utf8");
    if (text.toLowerCase() === low) alike.push(text);
  }
  return alike;
}
