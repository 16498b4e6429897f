/**
 * Owns paths that are written for another reader than the file system: `~/x` for a shell, `file:///x` for a browser.
 * Leaves placing what they come to to resolve.ts. Rule: text and the person's home alone; the disk is not touched.
 */
import { homedir } from "node:os";
import { isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import { findPathFault } from "./aim.ts";

export type OtherSpelling = { readonly absolute: string } | { readonly reason: string };

/**
 * What such a path means as an absolute one. Taken by its letters it would become a new folder named `~`, which the
 * next `rm -rf ~` of a person turns into the loss of a home.
 */
export function readOtherSpelling(path: string): OtherSpelling | undefined {
  const home = /^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/.exec(path);
  if (home !== null) return atHome(home[0], path.slice(home[0].length));
  if (!/^file:\/\//i.test(path)) return undefined;
  try {
    const absolute = fileURLToPath(path);
    const fault = findPathFault(absolute);
    return fault === undefined ? { absolute } : { reason: fault };
  } catch {
    return { reason: "it is a file: address that names no path of this machine" };
  }
}

function atHome(word: string, rest: string): OtherSpelling {
  const home = homedir();
  return isAbsolute(home)
    ? { absolute: `${home}${rest}` }
    : { reason: `${word} stands for a home directory, and there is none here` };
}
