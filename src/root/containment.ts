/**
 * Owns the one question of containment: does a path lie at or below a directory.
 * Leaves links to the callers, who ask about real paths. Rule: whole components, so that
 * `/x/box-other` is not inside `/x/box`.
 */
import { sep } from "node:path";

/** Whether `path` is `directory` or below it. Both absolute and normalised. */
export function isInside(directory: string, path: string): boolean {
  if (path === directory) return true;
  return path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

/** Relative to the root with `/`, `.` for the root itself. */
export function showBelow(root: string, path: string): string {
  if (path === root) return ".";
  const rest = path.slice(root.endsWith(sep) ? root.length : root.length + 1);
  return sep === "/" ? rest : rest.split(sep).join("/");
}
