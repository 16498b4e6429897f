/**
 * Owns making a root: the directory must exist, and is known by its real path from then on.
 * Leaves every operation to the other files. Rule: synchronous, once, and only wrong options throw.
 */
import { isUtf8 } from "node:buffer";
import { realpathSync, statSync } from "node:fs";
import { resolve as resolvePath } from "node:path";
import type { Disk } from "../contract/disk.ts";
import { OptionsError } from "../contract/errors.ts";
import type { ResolveHook, Root } from "../contract/root.ts";
import { nodeDisk } from "./disk.ts";

export interface RootOptions {
  readonly root: string;
  readonly resolve?: ResolveHook | undefined;
  readonly extraIgnore?: readonly string[] | undefined;
  readonly allowGenerated?: boolean | undefined;
  readonly agentId?: string | undefined;
  readonly withholds?: Root["withholds"];
  /** For tests: a disk that fails on demand. */
  readonly disk?: Disk | undefined;
}

/** Opens a root. Throws `OptionsError` where the directory does not exist or is none. */
export function openRoot(options: RootOptions): Root {
  const spelled = resolvePath(options.root);
  return Object.freeze({
    path: findRealRoot(options.root, spelled),
    spelled,
    disk: options.disk ?? nodeDisk,
    ...(options.resolve === undefined ? {} : { resolve: options.resolve }),
    extraIgnore: Object.freeze([...(options.extraIgnore ?? [])]),
    allowGenerated: options.allowGenerated ?? false,
    agentId: options.agentId ?? "main",
    ...(options.withholds === undefined ? {} : { withholds: options.withholds }),
  });
}

function findRealRoot(given: string, spelled: string): string {
  const expected = "a directory that exists";
  if (given === "" || given.includes("\0"))
    throw new OptionsError({ option: "root", expected, got: JSON.stringify(given) });
  let real: Buffer;
  try {
    real = realpathSync.native(spelled, { encoding: "buffer" });
    if (!statSync(real).isDirectory())
      throw new OptionsError({ option: "root", expected, got: `${given}, which is none` });
  } catch (error) {
    if (error instanceof OptionsError) throw error;
    throw new OptionsError({ option: "root", expected, got: given });
  }
  // Paths are strings here; a root that no string can name would make every comparison a guess.
  if (!isUtf8(real))
    throw new OptionsError({ option: "root", expected: "a directory whose path is UTF-8", got: given });
  return real.toString("utf8");
}
