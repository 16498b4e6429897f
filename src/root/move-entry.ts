/**
 * Owns giving an entry another name, by rename where the file system can and by copying where it cannot.
 * Leaves the copying to move-across.ts. Rule: never over anything that was not allowed to go, a directory never
 * into itself, a tree with something protected in it never at all; a link is moved itself.
 *
 * The destination is looked at right before the rename. What another process makes there in between is
 * replaced: Node has no rename that refuses (`RENAME_NOREPLACE`), so a window of one system call remains.
 */
import { constants } from "node:fs";
import { posix } from "node:path";
import { isRefusal, type Refusal, refuse } from "../contract/refusal.ts";
import { isInside } from "./containment.ts";
import { type EntryState, inspectEntry } from "./inspect.ts";
import { moveAcross } from "./move-across.ts";
import {
  guardWholeTree,
  inspectDestination,
  type Move,
  type Moved,
  type MoveEnds,
  refuseTaken,
} from "./move-checks.ts";
import { type ParentDirectory, withCreatedParent, withParent } from "./parent.ts";
import { guardPlace, guardRoot } from "./protect.ts";
import { refuseMissing } from "./suggest.ts";
import { errorCode, refuseSystemErrors } from "./system-error.ts";

/** Moves an entry, creating the parents of its destination. */
export async function moveEntry(move: Move): Promise<Moved | Refusal> {
  const { root, from, to } = move;
  move.signal.throwIfAborted();
  const guarded = guardRoot(root, from) ?? guardPlace(root, from) ?? guardPlace(root, to);
  if (guarded !== undefined) return guarded;
  const moved = await refuseSystemErrors({ place: from, operation: "move" }, () =>
    withParent(root, from, (source) => moveFrom(move, source)),
  );
  return moved === "missing" ? refuseMissing(root, from) : moved;
}

async function moveFrom(move: Move, source: ParentDirectory): Promise<Moved | Refusal | "missing"> {
  const { root, from, to, signal } = move;
  const { kind } = await inspectEntry(root, source);
  if (kind === "missing") return "missing";
  if (kind === "link" && from.link === "follow") return refuse("path-changed", { path: from.shown });
  if (from.real === to.real || (kind === "directory" && isInside(from.real, to.real))) {
    return refuse("move-into-itself", { from: from.shown, to: to.shown });
  }
  if (kind !== "directory" && /[/]\.?$/.test(to.asked)) {
    const whole = posix.join(to.shown, source.name);
    return refuse("path-invalid", {
      path: to.asked,
      reason: `it names a directory; give the whole new path, ${whole}`,
    });
  }
  if (isInside(to.real, root.path)) return refuse("path-exists", { path: to.shown, kind: "directory" });
  if (kind === "directory") {
    const refusal = await guardWholeTree(move, source, "allowed");
    if (refusal !== undefined) return refusal;
  }
  // Asked first, so that a refusal names the right end, and no copy is made whose original could not go.
  await root.disk.access(source.directory.self, constants.W_OK);
  return refuseSystemErrors({ place: to, operation: "move to" }, () =>
    withCreatedParent(root, to, async (target) => {
      const present = await inspectDestination(move, { source, target });
      const taken = await refuseTaken(move, { present, kind, target });
      if (taken !== undefined) return taken;
      if (!(await source.directory.isSame()) || !(await target.directory.isSame())) {
        return refuse("path-changed", { path: from.shown });
      }
      signal.throwIfAborted();
      return moveNow(move, { source, target }, { kind, present });
    }),
  );
}

async function moveNow(
  move: Move,
  ends: MoveEnds,
  state: { kind: EntryState["kind"]; present: EntryState },
): Promise<Moved | Refusal> {
  const { disk } = move.root;
  const from = ends.source.child(ends.source.name);
  const kind =
    state.kind === "file" || state.kind === "directory" || state.kind === "link" ? state.kind : "other";
  const replaced = state.present.kind !== "missing";
  const stats = await disk.lstat(from);
  if (stats.ino === state.present.stats?.ino && stats.dev === state.present.stats.dev) {
    // Two names of one file: a rename would do nothing, and say that it was done.
    await disk.unlink(from);
    return { kind, replaced };
  }
  try {
    await disk.rename(from, ends.target.child(ends.target.name));
  } catch (error) {
    if (errorCode(error) !== "EXDEV") throw error;
    const refusal = await moveAcross(move, ends, kind);
    if (isRefusal(refusal)) return refusal;
  }
  return { kind, replaced };
}
