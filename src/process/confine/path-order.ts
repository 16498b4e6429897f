/**
 * Owns how paths of a fence stand to each other: below, above, the topmost.
 * Leaves what they mean to its callers. Rule: whole components, absolute and real.
 */

/** Whether `path` is `folder` or below it. */
export function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

/** Without those that lie below others. */
export function keepTopmost(paths: readonly string[]): string[] {
  const sorted = [...new Set(paths)].sort();
  return sorted.filter((path) => !sorted.some((other) => other !== path && isBelow(other, path)));
}

export function isInAny(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => isBelow(folder, path));
}
