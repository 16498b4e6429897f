/**
 * Owns what a move is and what stands in its way: a destination that is taken, something protected in the tree.
 * Leaves doing it to move-entry.ts and move-across.ts. Rule: looks only; a destination is judged by itself, so
 * that a dangling link exists.
 */
import { constants } from "node:fs";
import type { Place } from "../contract/access.ts";
import { type Refusal, refuse } from "../contract/refusal.ts";
import type { Root } from "../contract/root.ts";
import type { EntryKind } from "./entry-kind.ts";
import { type EntryState, inspectEntry } from "./inspect.ts";
import type { ParentDirectory } from "./parent.ts";
import { guardTree } from "./visit-tree.ts";

export interface Move {
  readonly root: Root;
  readonly from: Place;
  readonly to: Place;
  /** Replaces a file or a link at the destination; a directory never is. */
  readonly overwrite: boolean;
  readonly signal: AbortSignal;
}

export interface Moved {
  readonly kind: "file" | "directory" | "link" | "other";
  readonly replaced: boolean;
}

/** Both ends of a move, held. */
export interface MoveEnds {
  readonly source: ParentDirectory;
  readonly target: ParentDirectory;
}

/** Looks through a directory that is to be moved; the same for a copy, which cannot make FIFOs, sockets and devices. */
export async function guardWholeTree(
  move: Move,
  source: ParentDirectory,
  specials: "allowed" | "refused",
): Promise<Refusal | undefined> {
  const directory = await source.directory.enter(source.name);
  try {
    const special = specials === "refused" ? refuseSpecial : undefined;
    return await guardTree({ root: move.root, place: move.from, signal: move.signal, special }, directory);
  } finally {
    await directory.close();
  }
}

function refuseSpecial(path: string, kind: EntryKind): Refusal {
  const special = kind === "fifo" || kind === "socket" || kind === "device" ? kind : "other";
  return refuse("path-not-regular", { path, kind: special });
}

/**
 * What stands at the destination, the source itself left out: on a disk that folds case `readme` is found under
 * `README` too, and giving it that name replaces nothing. No entry of the directory has the name as it is written.
 */
export async function inspectDestination(move: Move, { source, target }: MoveEnds): Promise<EntryState> {
  const { disk } = move.root;
  const present = await inspectEntry(move.root, target);
  if (present.stats === undefined) return present;
  const stats = await disk.lstat(source.child(source.name));
  if (stats.ino !== present.stats.ino || stats.dev !== present.stats.dev) return present;
  const name = Buffer.from(target.name);
  const entries = await disk.readdir(target.directory.self);
  return entries.some((entry) => entry.name.equals(name)) ? present : { kind: "missing" };
}

/** Why the destination may not be taken. A dangling link exists. */
export async function refuseTaken(
  move: Move,
  at: { present: EntryState; kind: EntryState["kind"]; target: ParentDirectory },
): Promise<Refusal | undefined> {
  const { kind } = at.present;
  if (kind === "missing") return undefined;
  const path = move.to.shown;
  if (!move.overwrite || at.kind === "directory") return refuse("path-exists", { path, kind });
  if (kind === "directory") return refuse("path-is-directory", { path, operation: "overwrite" });
  if (kind !== "file" && kind !== "link") return refuse("path-not-regular", { path, kind });
  if (kind === "file") await move.root.disk.access(at.target.child(at.target.name), constants.W_OK);
  return undefined;
}
