/**
 * Owns what a path says as text: whether it is one at all, and which names below the root it comes to.
 * Leaves links and the disk to trace-path.ts. Rule: the disk is not touched, so that a path outside the root
 * tells nothing about what is there.
 */
import { isAbsolute, relative, resolve as resolvePath } from "node:path";
import type { Root } from "../contract/root.ts";
import { isInside } from "./containment.ts";
import { splitPath } from "./trace-path.ts";

/** Sixteen times what a system takes, as `..` may shorten it; a text of a megabyte is no path. */
const MAX_ASKED = 65_536;

/** What makes a text no path at all. */
export function findPathFault(path: string): string | undefined {
  if (path.length > MAX_ASKED) return "the path is too long";
  if (path.includes("\0")) return "it contains a NUL character";
  // A lone surrogate would be written as U+FFFD: another file than the one asked for.
  if (Buffer.from(path).toString() !== path) return "it is not well-formed Unicode";
  return undefined;
}

/** A text that is no path, fit to be shown. */
export function printable(path: string): string {
  return Buffer.from(path).toString().replaceAll("\0", "\\0");
}

/** The components below the root that a text comes to, or why it lies outside. */
export function aimInside(
  root: Pick<Root, "path" | "spelled">,
  path: string,
): { steps: readonly string[] } | { why: "dot-dot" | "absolute" } {
  for (const base of new Set([root.spelled, root.path])) {
    const text = resolvePath(base, path);
    if (!isInside(base, text)) continue;
    const raw = isAbsolute(path) ? (isInside(base, path) ? path.slice(base.length) : undefined) : path;
    if (raw !== undefined && !climbs(splitPath(raw))) return { steps: splitPath(raw) };
    return { steps: splitPath(relative(base, text)) };
  }
  const starts = isAbsolute(path) && !isInside(root.spelled, path) && !isInside(root.path, path);
  return { why: starts ? "absolute" : "dot-dot" };
}

/** Whether `..` leads above the start at any moment, taken as text. */
function climbs(steps: readonly string[]): boolean {
  let depth = 0;
  for (const step of steps) {
    if (step === "..") depth -= 1;
    else if (step !== "" && step !== ".") depth += 1;
    if (depth < 0) return true;
  }
  return false;
}
