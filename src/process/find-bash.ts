/**
 * Owns finding the bash that runs commands.
 * Leaves looking through folders to find-executable.ts and running it to run-command.ts. Rule: never one below the root;
 * on Windows the launcher of WSL comes last, because its bash sees other paths and other programs than the host.
 */
import { join } from "node:path";
import { keepExecutable, listOnPath } from "./find-executable.ts";

export interface BashSearch {
  /** The root's real path. */
  readonly root: string;
  /** The folders to look in, as PATH has them. */
  readonly path: string | undefined;
}

/** The real path of bash; undefined where there is none. */
export function findBash({ root, path }: BashSearch): string | undefined {
  const places = process.platform === "win32" ? listOnWindows(path) : listOnPosix(path);
  return keepExecutable(places, root)[0];
}

function listOnPosix(path: string | undefined): string[] {
  return [...listOnPath(path, "bash"), "/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"];
}

function listOnWindows(path: string | undefined): string[] {
  // Git puts `cmd\git.exe` on PATH, seldom its bash.
  const besideGit = listOnPath(path, "git.exe").flatMap((git) =>
    ["../../bin/bash.exe", "../../usr/bin/bash.exe"].map((way) => join(git, way)),
  );
  const installed = [process.env.ProgramFiles, process.env["ProgramFiles(x86)"]]
    .filter((folder) => folder !== undefined)
    .map((folder) => join(folder, "Git", "bin", "bash.exe"));
  const onPath = listOnPath(path, "bash.exe");
  return [
    ...besideGit,
    ...installed,
    ...onPath.filter((bash) => !isLauncher(bash)),
    ...onPath.filter(isLauncher),
  ];
}

/** `System32\bash.exe` and its alias in `WindowsApps` start WSL. */
function isLauncher(path: string): boolean {
  return /\\(system32|sysnative|windowsapps)\\/i.test(path);
}
