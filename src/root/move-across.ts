/**
 * Owns moving to another file system: a copy under a temporary name, which then takes the final one, and the
 * original removed last. Leaves the copying to copy-entry.ts and the checks to move-entry.ts.
 * Rule: the destination appears whole or not at all, and the original goes only once the copy is flushed. Killed
 * in between, both are there. Where a tree's original cannot be removed entirely, the refusal says that the copy is whole.
 */
import { isRefusal, type Refusal, refuse } from "../contract/refusal.ts";
import { type Copying, copyEntry, fillCopy, type Spot } from "./copy-entry.ts";
import type { Directory } from "./directory.ts";
import { inspectEntry } from "./inspect.ts";
import { guardWholeTree, type Move, type Moved, type MoveEnds, refuseTaken } from "./move-checks.ts";
import { isSameVersion, versionOf } from "./open-file.ts";
import type { ParentDirectory } from "./parent.ts";
import { emptyDirectory } from "./remove-entry.ts";
import { removeTemporaryTree } from "./sweep.ts";
import { refuseSystemError } from "./system-error.ts";
import { tryTwice, withTemporaryFile } from "./temporary-file.ts";
import { newTemporaryName } from "./temporary-name.ts";

/** Moves by copying. Undefined where it is done. */
export async function moveAcross(
  move: Move,
  ends: MoveEnds,
  kind: Moved["kind"],
): Promise<Refusal | undefined> {
  if (kind === "file") return moveFile(move, ends);
  if (kind === "directory") {
    const refusal = await guardWholeTree(move, ends.source, "refused");
    return refusal ?? moveBuilt(move, ends, kind);
  }
  if (kind === "link") return moveBuilt(move, ends, kind);
  const state = await inspectEntry(move.root, ends.source);
  const special =
    state.kind === "fifo" || state.kind === "socket" || state.kind === "device" ? state.kind : "other";
  return refuse("path-not-regular", { path: move.from.shown, kind: special });
}

async function moveFile(move: Move, ends: MoveEnds): Promise<Refusal | undefined> {
  const { root } = move;
  const { source, target } = ends;
  return withTemporaryFile({ root, directory: target.directory, mode: 0o600 }, async (file) => {
    const spot = spotOf(target);
    const copied = await fillCopy(copyingOf(move), spotOf(source), { handle: file.handle, spot });
    if (isRefusal(copied)) return copied;
    const taken = await refuseTakenNow(move, ends);
    if (taken !== undefined) return taken;
    const now = (await inspectEntry(root, source)).stats;
    if (now === undefined || !isSameVersion(copied, versionOf(now))) {
      return refuse("file-changed", { path: move.from.shown, lines: [] });
    }
    const replaces = (await inspectEntry(root, target)).kind !== "missing";
    await file.takeName(target.name);
    return removeOriginal(move, ends, replaces ? "stays" : "goes");
  });
}

/** Flushes the copy's name, then removes the original; where that fails, a copy that replaced nothing goes again. */
async function removeOriginal(move: Move, ends: MoveEnds, copy: "stays" | "goes"): Promise<undefined> {
  const { disk } = move.root;
  try {
    await ends.target.sync();
    await disk.unlink(ends.source.child(ends.source.name));
  } catch (error) {
    if (copy === "goes") await tryTwice(() => disk.unlink(ends.target.child(ends.target.name)));
    throw error;
  }
}

/** Directories and links: built under a temporary name beside the destination, then renamed. */
async function moveBuilt(
  move: Move,
  ends: MoveEnds,
  kind: "directory" | "link",
): Promise<Refusal | undefined> {
  const { root } = move;
  const { target } = ends;
  const temporary = newTemporaryName();
  let named = false;
  let replaces = false;
  try {
    const refusal =
      (await copyEntry(copyingOf(move), spotOf(ends.source), {
        directory: target.directory,
        name: temporary,
      })) ?? (await refuseTakenNow(move, ends));
    if (refusal !== undefined) return refusal;
    replaces = (await inspectEntry(root, target)).kind !== "missing";
    await root.disk.rename(target.child(temporary), target.child(target.name));
    named = true;
  } finally {
    if (!named) await removeBuilt(move, target.directory, { name: temporary, kind });
  }
  if (kind === "link") return removeOriginal(move, ends, replaces ? "stays" : "goes");
  await target.sync();
  return removeOriginalTree(move, ends);
}

async function removeBuilt(
  move: Move,
  directory: Directory,
  built: { name: string; kind: "directory" | "link" },
): Promise<void> {
  const { root } = move;
  if (built.kind === "link") await tryTwice(() => root.disk.unlink(directory.child(built.name)));
  else await tryTwice(() => removeTemporaryTree(root, directory, built.name));
}

async function removeOriginalTree(move: Move, ends: MoveEnds): Promise<Refusal | undefined> {
  const { root, from, to } = move;
  // The copy is whole and has its name: from here on cancelling would only leave the tree twice.
  const signal = new AbortController().signal;
  const count = { files: 0, directories: 1 };
  try {
    const directory = await ends.source.directory.enter(ends.source.name);
    try {
      const refusal = await emptyDirectory({ root, place: from, signal, count }, directory);
      if (refusal !== undefined) return refusal;
    } finally {
      await directory.close();
    }
    await root.disk.rmdir(ends.source.child(ends.source.name));
    return undefined;
  } catch (error) {
    const done = `${to.shown} is complete, and only what remains of ${from.shown} could not be removed`;
    return refuseSystemError(error, { place: from, operation: "move", done });
  }
}

async function refuseTakenNow(move: Move, ends: MoveEnds): Promise<Refusal | undefined> {
  const present = await inspectEntry(move.root, ends.target);
  const { kind } = await inspectEntry(move.root, ends.source);
  return refuseTaken(move, { present, kind, target: ends.target });
}

function copyingOf(move: Move): Copying {
  return { root: move.root, place: move.from, signal: move.signal };
}

function spotOf(parent: ParentDirectory): Spot {
  return { directory: parent.directory, name: parent.name };
}
