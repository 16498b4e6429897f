/**
 * Owns where configurations are: the person's one file, and the project's in its root.
 * Leaves reading them to person-file.ts and project-file.ts. Rule: loads nothing, so that the server can look whether
 * there is one before it loads what reads it.
 */
import { lstatSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

export const PROJECT_FILE = "haft.config.json";

/** `$XDG_CONFIG_HOME/haft/config.json`; a relative XDG_CONFIG_HOME is none, as its specification says. */
export function configurationPath(environment: NodeJS.ProcessEnv = process.env): string {
  const named = environment.XDG_CONFIG_HOME;
  const base = named !== undefined && isAbsolute(named) ? named : join(homeFolder(), ".config");
  return join(base, "haft", "config.json");
}

/**
 * The person's own folder, always absolute. The attack: under an empty or relative HOME, as services have it, the
 * person's configuration would be looked for below the working directory, where a repository may have put one.
 */
export function homeFolder(): string {
  for (const look of [homedir, () => userInfo().homedir]) {
    try {
      const folder = look();
      if (isAbsolute(folder)) return folder;
    } catch {
      // A user that the system has no entry of, and no HOME.
    }
  }
  return resolve("/");
}

/** Whether any file may have a say in this root. What cannot be looked at may be one. */
export function isConfigured(root: string): boolean {
  return [configurationPath(), join(root, PROJECT_FILE)].some((path) => {
    try {
      return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
    } catch {
      return true;
    }
  });
}
