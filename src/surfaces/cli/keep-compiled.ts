/**
 * Owns keeping what Node has compiled for the next start, where this Node can (from 22.8 on).
 * Rule: in the person's own cache and not in the system's folder for temporary files, where others could put what is
 * then run as ours. Where it cannot be kept, nothing is different but the time.
 */
import module from "node:module";
import { isAbsolute, join } from "node:path";
import { homeFolder } from "../config/places.ts";

interface Keeps {
  /** Respects NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE. Does not throw for a folder that cannot be had. */
  enableCompileCache?(folder: string): unknown;
}

export function keepCompiled(): void {
  (module as Keeps).enableCompileCache?.(join(cacheFolder(), "haft", "compiled"));
}

function cacheFolder(): string {
  const named = process.platform === "win32" ? process.env.LOCALAPPDATA : process.env.XDG_CACHE_HOME;
  if (named !== undefined && isAbsolute(named)) return named;
  return join(homeFolder(), process.platform === "darwin" ? join("Library", "Caches") : ".cache");
}
