/**
 * Owns the entries of a folder as the system gives them, whole or in pieces.
 * Leaves which folder to walk-disk.ts, their order to folder-entries.ts. Rule: names are bytes, and nothing is looked
 * at but what the folder itself says of them.
 */
import { type Dir, type Dirent, opendirSync, readdirSync } from "node:fs";
import { type EntryKind, kindOfEntry } from "./entry-kind.ts";
import { nameError } from "./system-error.ts";

export interface FolderEntry {
  /** Bytes as a binary string. */
  readonly name: string;
  readonly kind: EntryKind;
}

/** In the bytes that a folder takes itself: some thousand entries, or, where it counts them instead (ZFS), so many. */
export const LARGE_FOLDER = 40_000;
/** Entries read between two pauses: well under a millisecond. */
const PIECE = 1000;

// Node's types leave out that any encoding is allowed here. Made once: a copy for every folder costs as much as its entries.
const PIECES = { encoding: "latin1", bufferSize: 256 } as unknown as { encoding: "utf8" };
const WHOLE = { encoding: "latin1", withFileTypes: true } as unknown as {
  encoding: "utf8";
  withFileTypes: true;
};

export function readEntries(path: string | Buffer): FolderEntry[] {
  const entries: Dirent[] = readdirSync(path, WHOLE);
  return entries.map((entry) => ({ name: entry.name, kind: kindOfEntry(entry) }));
}

/** Piece by piece; what it reads from holds the open folder. */
export function readPieces(path: string): Generator<readonly FolderEntry[] | { error: string }, void> {
  return pieces(opendirSync(path, PIECES));
}

function* pieces(folder: Dir): Generator<readonly FolderEntry[] | { error: string }, void> {
  let piece: FolderEntry[] = [];
  try {
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      piece.push({ name: entry.name, kind: kindOfEntry(entry) });
      if (piece.length < PIECE) continue;
      yield piece;
      piece = [];
    }
    yield piece;
  } catch (error) {
    yield { error: nameError(error) };
  } finally {
    folder.closeSync();
  }
}
