/**
 * Owns looking at an entry without opening it.
 * Leaves contents to open-file.ts and trees to walk.ts. Rule: the entry itself, never what a link leads to;
 * nothing is a state (`missing`), not a refusal.
 */
import type { BigIntStats } from "node:fs";
import type { Place } from "../contract/access.ts";
import type { DiskPath } from "../contract/disk.ts";
import { isRefusal, type Refusal, refuse } from "../contract/refusal.ts";
import type { Root } from "../contract/root.ts";
import { openDirectory } from "./directory.ts";
import { type EntryKind, kindOfEntry } from "./entry-kind.ts";
import { type ParentDirectory, withParent } from "./parent.ts";
import { showName } from "./show-name.ts";
import { errorCode, refuseSystemErrors } from "./system-error.ts";

export interface EntryState {
  readonly kind: EntryKind | "missing";
  readonly stats?: BigIntStats;
  /** Where a link leads, as it is written in it. */
  readonly target?: string;
}

/** What is at a place. */
export async function inspect(root: Root, place: Place): Promise<EntryState | Refusal> {
  return refuseSystemErrors({ place, operation: "look up" }, async () => {
    if (place.real === root.path) return inspectRoot(root, place);
    const state = await withParent(root, place, (parent) => inspectEntry(root, parent));
    // Without a parent there is no entry; whether that is a refusal is for the caller to say.
    return isRefusal(state) && state.code === "path-missing" ? { kind: "missing" } : state;
  });
}

/** What is at the name of a held parent. */
export async function inspectEntry(root: Root, parent: ParentDirectory): Promise<EntryState> {
  const path = parent.child(parent.name);
  let stats: BigIntStats;
  try {
    stats = await root.disk.lstat(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return { kind: "missing" };
    throw error;
  }
  const kind = kindOfEntry(stats);
  if (kind !== "link") return { kind, stats };
  return { kind, stats, target: await readTarget(root, path) };
}

/** Where a link leads. The race: it was exchanged for something else since it was looked at. */
async function readTarget(root: Root, path: DiskPath): Promise<string> {
  try {
    return showName(await root.disk.readlink(path));
  } catch (error) {
    // What is no link is EINVAL, which elsewhere is a bug of ours and not news about the tree.
    if (errorCode(error) !== "EINVAL") throw error;
    throw Object.assign(new Error("a link was exchanged", { cause: error }), { code: "ESTALE" });
  }
}

async function inspectRoot(root: Root, place: Place): Promise<EntryState | Refusal> {
  const directory = await openDirectory(root.disk, root.path);
  if (directory === undefined) return refuse("path-changed", { path: place.shown });
  await directory.close();
  return { kind: "directory", stats: await root.disk.lstat(root.path) };
}
