/**
 * Owns which variables send a command's temporary files and caches to scratch, each with its reason.
 * Leaves the rest of the environment to process/. Rule: only what is temporary or can be fetched again; never a
 * place where a tool keeps what a person installed or configured.
 */
import { join } from "node:path";

const TEMPORARY: Readonly<Record<string, string>> = {
  TMPDIR: "POSIX, and nearly every program",
  TMP: "Windows, and programs that come from there",
  TEMP: "as TMP",
};

/** Directories below `cache`. */
const CACHES: Readonly<Record<string, { readonly below: string; readonly reason: string }>> = {
  XDG_CACHE_HOME: { below: "xdg", reason: "the common place: go build, ccache, pre-commit, fontconfig" },
  npm_config_cache: { below: "npm", reason: "npm and npx; its default is ~/.npm" },
  YARN_CACHE_FOLDER: { below: "yarn", reason: "yarn; its default on macOS is not below XDG_CACHE_HOME" },
  BUN_INSTALL_CACHE_DIR: { below: "bun", reason: "bun; its default is ~/.bun/install/cache" },
  PIP_CACHE_DIR: { below: "pip", reason: "pip; its default on macOS is not below XDG_CACHE_HOME" },
  UV_CACHE_DIR: { below: "uv", reason: "uv; likewise where ~/.cache exists already" },
};

export interface ScratchPlaces {
  readonly tmp: string;
  readonly cache: string;
  readonly sharedCaches: boolean;
}

export function scratchVariables({ tmp, cache, sharedCaches }: ScratchPlaces): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const name of Object.keys(TEMPORARY)) variables[name] = tmp;
  if (sharedCaches) return variables;
  for (const [name, { below }] of Object.entries(CACHES)) variables[name] = join(cache, below);
  return variables;
}
