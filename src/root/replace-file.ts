/**
 * Owns putting bytes into a file so that every other process sees the old file or the new one, never between.
 * Leaves what the bytes are to the tools. Rule: a temporary file in the same directory, owner and mode set,
 * flushed, compared, renamed, and the directory flushed; on any failure it is removed and created parents with it.
 *
 * Not kept, because Node has no call for them: access control lists and extended attributes. Between the last
 * comparison and the rename another process can still write: the window is one system call wide, and no POSIX
 * system offers a rename that compares.
 */
import type { BigIntStats } from "node:fs";
import { constants } from "node:fs";
import { dirname } from "node:path";
import type { Place } from "../contract/access.ts";
import { type Refusal, refuse } from "../contract/refusal.ts";
import type { Root } from "../contract/root.ts";
import { withCommitLock } from "./commit-lock.ts";
import { refuseIrregular } from "./entry-kind.ts";
import { inspectEntry } from "./inspect.ts";
import { type FileVersion, isSameVersion, versionOf } from "./open-file.ts";
import { type ParentDirectory, withCreatedParent } from "./parent.ts";
import { guardPlace } from "./protect.ts";
import { sweepOnce } from "./sweep.ts";
import { refuseSystemErrors } from "./system-error.ts";
import { giveOwnership, type TemporaryFile, withTemporaryFile } from "./temporary-file.ts";

export interface Replacement {
  readonly root: Root;
  readonly place: Place;
  /** The new bytes, in order. */
  readonly pieces: readonly Uint8Array[];
  /** What must still be there right before the rename. */
  readonly expected: FileVersion | "absent" | "any";
  /** Replaces this name alone where the file has others; they keep the old text. */
  readonly breakHardLinks?: boolean;
  readonly signal: AbortSignal;
}

export interface Replaced {
  readonly version: FileVersion;
  readonly created: boolean;
  /** Hard links that keep the old text. */
  readonly otherNames: number;
}

/** Bytes between two looks at the signal. */
const SLICE_BYTES = 8 * 1024 * 1024;

/** Writes a file anew, creating it and its parents where they are missing. */
export async function replaceFile(replacement: Replacement): Promise<Replaced | Refusal> {
  const { root, place, signal } = replacement;
  signal.throwIfAborted();
  if (place.real === root.path) return refuse("path-is-directory", { path: place.shown, operation: "write" });
  const guarded = guardPlace(root, place);
  if (guarded !== undefined) return guarded;
  return refuseSystemErrors({ place, operation: "write" }, () =>
    withCreatedParent(root, place, (parent) => replaceIn(replacement, parent)),
  );
}

async function replaceIn(replacement: Replacement, parent: ParentDirectory): Promise<Replaced | Refusal> {
  const { root, place } = replacement;
  const old = (await inspectEntry(root, parent)).stats;
  const refusal = refuseTarget(replacement, old) ?? refuseForeign(place, old);
  if (refusal !== undefined) return refusal;
  // A rename asks only for the directory; a file that its owner made read-only would be replaced without this.
  if (old !== undefined) await root.disk.access(parent.child(parent.name), constants.W_OK);
  await sweepOnce(root, parent.directory, dirname(place.real));
  // Nobody else may read the new text before it has the old file's mode.
  const mode = old === undefined ? 0o666 : 0o600;
  return withTemporaryFile({ root, directory: parent.directory, mode }, (file) =>
    fillTemporary(replacement, { parent, old, file }),
  );
}

/** Only the superuser can give a file to its owner; anybody else would take it over, and is told so before anything is made. */
function refuseForeign(place: Place, old: BigIntStats | undefined): Refusal | undefined {
  const user = process.geteuid?.();
  if (old === undefined || user === undefined || user === 0 || old.uid === BigInt(user)) return undefined;
  return refuse("file-owner", { path: place.shown, uid: Number(old.uid), gid: Number(old.gid) });
}

/** Why the target may not be replaced as it is now. */
function refuseTarget(replacement: Replacement, now: BigIntStats | undefined): Refusal | undefined {
  const path = replacement.place.shown;
  const { expected } = replacement;
  if (now === undefined) {
    return expected === "absent" || expected === "any"
      ? undefined
      : refuse("file-changed", { path, lines: [] });
  }
  const irregular = refuseIrregular(now, { path, operation: "write" });
  if (irregular !== undefined) return irregular;
  if (expected === "absent") return refuse("path-exists", { path, kind: "file" });
  if (expected !== "any" && !isSameVersion(expected, versionOf(now)))
    return refuse("file-changed", { path, lines: [] });
  if (now.nlink > 1n && replacement.breakHardLinks !== true) {
    return refuse("file-hard-links", { path, count: Number(now.nlink) });
  }
  return undefined;
}

async function fillTemporary(
  replacement: Replacement,
  at: { parent: ParentDirectory; old: BigIntStats | undefined; file: TemporaryFile },
): Promise<Replaced | Refusal> {
  const { place, signal } = replacement;
  const { parent, old, file } = at;
  for (const piece of replacement.pieces) {
    for (let start = 0; start < piece.byteLength; start += SLICE_BYTES) {
      signal.throwIfAborted();
      await file.handle.write(piece.subarray(start, start + SLICE_BYTES));
    }
  }
  const owner = old === undefined ? undefined : await giveOwnership(file.handle, old, place);
  if (owner !== undefined) return owner;
  await file.handle.sync();
  if (!(await parent.directory.isSame())) return refuse("path-changed", { path: place.shown });
  signal.throwIfAborted();
  const changed = await withCommitLock(place.real, signal, () =>
    file.takeNameUnless(
      parent.name,
      (now) => refuseTarget(replacement, now) ?? refuseExchanged(place, old, now),
    ),
  );
  if (changed !== undefined) return changed;
  await parent.sync();
  const version = versionOf(await file.handle.stat());
  return { version, created: old === undefined, otherNames: old === undefined ? 0 : Number(old.nlink) - 1 };
}

/** With `any`, what is replaced must still be what the mode and the owner were taken from. */
function refuseExchanged(
  place: Place,
  old: BigIntStats | undefined,
  now: BigIntStats | undefined,
): Refusal | undefined {
  if (old?.ino === now?.ino && old?.mode === now?.mode && old?.uid === now?.uid && old?.gid === now?.gid) {
    return undefined;
  }
  return refuse("file-changed", { path: place.shown, lines: [] });
}
