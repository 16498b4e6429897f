/**
 * Owns the words with which a browser is started in its fence.
 * Leaves the fence to bubblewrap-arguments.ts, the browser's own words to browser/. Rule: its profile is all that it may
 * write to, and stands for `/tmp` too. bubblewrap itself is process 1 here: it ends with the browser, and all else with it.
 */
import { dirname } from "node:path";
import { isBelow } from "./path-order.ts";
import type { FenceArguments } from "./supervise.ts";

export function fenceBrowser(of: {
  readonly fence: FenceArguments;
  readonly profile: { readonly path: string; readonly temporary: string };
  /** The browser and its arguments. */
  readonly words: readonly string[];
}): string[] {
  const { fence, profile, words } = of;
  const { path, temporary } = profile;
  return [
    fence.program,
    ...fence.args.filter((word) => word !== "--as-pid-1"),
    ...["--bind", temporary, "/tmp", ...showProgram(words[0] ?? "")],
    ...["--bind", path, path, "--chdir", path, "--"],
    ...words,
  ];
}

/** A browser that somebody has unpacked among temporary files: its folder, read-only. */
function showProgram(program: string): string[] {
  const above = ["/tmp", "/var/tmp"].find((folder) => isBelow(folder, program));
  if (above === undefined) return [];
  const shown = dirname(program) === above ? program : dirname(program);
  return ["--ro-bind", shown, shown];
}
