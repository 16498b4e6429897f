/**
 * Owns finding ripgrep: the one on PATH, else the packaged one.
 * Leaves running it to spawn-program.ts. Rule: never a file below the root. The attack: a repository brings an `rg`
 * along, and PATH (`.`, `./node_modules/.bin`, a link) leads to it.
 */
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, isAbsolute, join, sep } from "node:path";

const NAME = process.platform === "win32" ? "rg.exe" : "rg";

export interface RipgrepSearch {
  /** The root's real path. */
  readonly root: string;
  /** The folders to look in, as PATH has them. */
  readonly path: string | undefined;
  /** Whether the packaged one will do. */
  readonly packaged: boolean;
}

/** The real paths of what may be ripgrep, the preferred one first. Whether one answers is not asked here. */
export function listRipgreps({ root, path, packaged }: RipgrepSearch): string[] {
  const found = (path ?? "")
    .split(delimiter)
    // A relative folder leads to another place in each working directory.
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, NAME));
  const all = [...found, ...(packaged ? findPackaged() : [])].map(findExecutable);
  const outside = all.filter((real) => real !== undefined && !isBelow(real, root));
  return [...new Set(outside)] as string[];
}

/** The package holds no code that is needed: its program lies in a package of its own for each system. */
function findPackaged(): string[] {
  const require = createRequire(import.meta.url);
  try {
    const from = createRequire(require.resolve("@vscode/ripgrep"));
    return [from.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${NAME}`)];
  } catch {
    return [];
  }
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
