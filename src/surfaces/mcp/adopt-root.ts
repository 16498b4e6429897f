/**
 * Owns turning a client's answer into the mounted root, and what happens where there is no answer.
 * Leaves asking to root-question.ts. Rule: every choice that the person did not make is said on standard error.
 */
import { parse } from "node:path";
import { chooseRoot } from "./client-roots.ts";
import type { RootSwitch } from "./root-switch.ts";

export interface AdoptOptions {
  readonly cwd: string;
  readonly roots: RootSwitch;
  /** One line for the person who reads standard error. */
  readonly warn: (text: string) => void;
}

/** Mounts the first `file:` root, else the working directory; gives the roots that cannot be reached. */
export async function adoptRoots(
  named: readonly { readonly uri: string }[],
  options: AdoptOptions,
): Promise<readonly string[]> {
  const { first, others } = chooseRoot(named);
  if (first === undefined) await fallBack("the client names no file: root", options);
  else await take(first, options);
  if (others.length > 0) options.warn(`further roots of the client are not reachable: ${others.join(", ")}`);
  return others;
}

/** Mounts the working directory, and says so. */
export async function fallBack(why: string, options: AdoptOptions): Promise<void> {
  const { cwd, roots, warn } = options;
  // Desktop clients start their servers in the top folder: taking it would hand the whole disk over unasked.
  if (parse(cwd).root === cwd) {
    const reason = `${why}, and the working directory is ${cwd}: start haft mcp with --root DIR`;
    warn(reason);
    roots.miss(reason);
    return;
  }
  warn(`${why}: the root is the working directory, ${cwd} (--root DIR names another)`);
  await take(cwd, options);
}

/** A root that cannot be mounted leaves none: the next best directory is not what anybody asked for. */
async function take(root: string, { roots, warn }: AdoptOptions): Promise<void> {
  const failed = await roots.take(root);
  if (failed !== undefined) warn(`the root ${root} cannot be mounted: ${failed}`);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
