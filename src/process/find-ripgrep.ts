/**
 * Owns finding ripgrep: the one on PATH, else the packaged one.
 * Leaves looking through folders to find-executable.ts and running it to spawn-program.ts. Rule: never one below the root.
 */
import { createRequire } from "node:module";
import { keepExecutable, listOnPath } from "./find-executable.ts";

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
  return keepExecutable([...listOnPath(path, NAME), ...(packaged ? findPackaged() : [])], root);
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
