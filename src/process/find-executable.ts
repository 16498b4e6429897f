/**
 * Owns finding a program by its name in the folders of PATH.
 * Leaves what to look for to find-ripgrep.ts and find-bash.ts. Rule: never a file below the root, by whatever way the
 * path leads there. The attack: a repository brings a program of that name along, and PATH (`.`,
 * `./node_modules/.bin`, a link) leads to it.
 */
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, sep } from "node:path";

export function listOnPath(path: string | undefined, name: string): string[] {
  return (
    (path ?? "")
      .split(delimiter)
      // A relative folder leads to another place in each working directory.
      .filter((folder) => isAbsolute(folder))
      .map((folder) => join(folder, name))
  );
}

/** The real paths of those that can be executed and lie outside of the root. */
export function keepExecutable(paths: readonly string[], root: string): string[] {
  const outside = paths.map(findExecutable).filter((real) => real !== undefined && !isBelow(real, root));
  return [...new Set(outside)] as string[];
}

function findExecutable(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    accessSync(real, constants.X_OK);
    return statSync(real).isFile() ? real : undefined;
  } catch {
    return undefined;
  }
}

function isBelow(real: string, root: string): boolean {
  return real.startsWith(root.endsWith(sep) ? root : root + sep);
}
