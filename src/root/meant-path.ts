/**
 * Owns guessing which existing path was meant by one that does not exist: another case, backslashes, quotes, a line
 * number behind it, the root's own name before it, or a path of another machine whose end exists here.
 * Leaves near spellings of one name to near-names.ts. Rule: guesses are offered, never taken; nothing outside the root
 * is looked at.
 */
import { basename, join } from "node:path";
import type { Root } from "../contract/root.ts";
import { showBelow } from "./containment.ts";
import { readNames } from "./twin.ts";

/** Deeper than paths of people; each component costs one look into a directory. */
const MAX_STEPS = 30;
/** How many beginnings of a path of another machine are dropped one by one. */
const MAX_DROPPED = 8;

/** A path below the root that exists, that `asked` may stand for, and that is spelled otherwise. */
export async function findMeantPath(root: Root, asked: string): Promise<string | undefined> {
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
    const found = await findSpelled(root, steps.slice(from));
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
async function findSpelled(root: Root, steps: readonly string[]): Promise<string | undefined> {
  let at = root.path;
  for (const step of steps) {
    const names = await readNames(root.disk, at);
    const low = step.toLowerCase();
    const alike = names.includes(step) ? [step] : names.filter((name) => name.toLowerCase() === low);
    if (alike.length !== 1 || alike[0] === undefined) return undefined;
    at = join(at, alike[0]);
  }
  return at === root.path ? undefined : showBelow(root.path, at);
}
