/**
 * Owns the few synchronous disk calls of a search: read a folder, open a file, read an ignore file.
 * Leaves order and rules to walk.ts, slices of time to search-pump.ts.
 * Rule: what is read is where it is expected. The attack: a folder of the tree is exchanged for a link to the
 * outside while the tree is walked; on Linux the open descriptor's own path is compared before anything is read,
 * and files are opened through the descriptor of their folder; elsewhere the real path is compared (a window remains
 * there that Node cannot close).
 *
 * Synchronous on purpose: one pooled call a file takes 3 to 5 times as long as the call itself, and a search
 * makes them in slices that let the event loop breathe.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
} from "node:fs";
import { binaryOfText, bytesOfBinary } from "../text/path-text.ts";
import type { EntryKind } from "./entry-kind.ts";
import { type FolderEntry, LARGE_FOLDER, readEntries, readPieces } from "./read-entries.ts";
import { nameError } from "./system-error.ts";

/** A folder that was found where it is expected; good until it is released. */
export interface HeldFolder {
  /** With a final `/`. */
  readonly real: string;
  readonly fd: number | undefined;
}

export type FolderRead =
  | { readonly entries: readonly FolderEntry[] }
  /** A large folder, piece by piece; a piece may be an error, which is then the last. */
  | { readonly pieces: Generator<readonly FolderEntry[] | { readonly error: string }, void> }
  | { readonly error: string };

export interface WalkDisk {
  /** The entries of the folder at a real path (binary string), in no order. `moved` where the path leads elsewhere by now. */
  readFolder(real: string): FolderRead;
  /** Holds the folder at a real path (binary string, with a final `/`) for opening files in it. */
  holdFolder(real: string): HeldFolder | { readonly error: string };
  release(folder: HeldFolder): void;
  /**
   * Opens a file of a held folder, never through a link, never waiting. What it is, is told by reading: a folder and
   * a FIFO answer a read at a position with an error, and `isRegular` tells the rest.
   */
  openWithin(folder: HeldFolder, name: string): { readonly fd: number } | { readonly error: string };
  isRegular(fd: number): boolean;
  /** Opens a regular file at a real path (binary string), never through a link, never waiting. */
  openFile(real: string): { readonly fd: number; readonly size: number } | { readonly error: string };
  /** The number of bytes read, 0 at the end. */
  read(
    fd: number,
    into: Uint8Array,
    at: { offset: number; length: number; position: number },
  ): number | { readonly error: string };
  close(fd: number): void;
  /** A small file whole, as a binary string; undefined where there is none, it is no regular file, or it is larger. */
  findSmall(real: string, options: { maxBytes: number; followLink: boolean }): string | undefined;
  exists(real: string): boolean;
  /** Sizes of files and targets of links of one folder (with or without a final `/`; binary strings); an entry that is gone is left out. */
  describe(folder: string, entries: readonly FolderEntry[]): Map<string, EntryFacts>;
}

export interface EntryFacts {
  readonly bytes?: number;
  /** Where a link leads, as it is written in it: a binary string. */
  readonly target?: string;
}

const DESCRIPTORS = process.platform === "linux" && existsSync("/proc/self/fd");
/**
 * Where open descriptors are reached. Spelled with our number there, which need not be the one that we know (another
 * namespace): following `self` on the way to every file takes longer than the rest of the way.
 */
const OPEN = DESCRIPTORS ? `/proc/${readlinkSync("/proc/self")}/fd/` : "";
const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;

export const walkDisk: WalkDisk = {
  readFolder(real) {
    try {
      if (!DESCRIPTORS)
        return isWhereExpected(real) ? { entries: readEntries(pathArgument(real)) } : { error: "moved" };
      const fd = openSync(pathArgument(real), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK);
      try {
        if (!leadsTo(fd, real)) return { error: "moved" };
        const self = `${OPEN}${fd}`;
        if (fstatSync(fd).size < LARGE_FOLDER) return { entries: readEntries(self) };
        // The open folder is held by what reads it from here on.
        return { pieces: readPieces(self) };
      } finally {
        closeSync(fd);
      }
    } catch (error) {
      return { error: nameError(error) };
    }
  },
  holdFolder(real) {
    const path = withoutSlash(real);
    let fd: number | undefined;
    try {
      if (!DESCRIPTORS) return isWhereExpected(path) ? { real, fd } : { error: "moved" };
      fd = openSync(pathArgument(path), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK);
      if (leadsTo(fd, path)) return { real, fd };
      closeSync(fd);
      return { error: "moved" };
    } catch (error) {
      if (fd !== undefined) closeSync(fd);
      return { error: nameError(error) };
    }
  },
  release({ fd }) {
    if (fd !== undefined) closeSync(fd);
  },
  openWithin({ real, fd }, name) {
    if (fd === undefined) return walkDisk.openFile(real + name);
    try {
      const path = `${OPEN}${fd}/${name}`;
      return {
        fd: openSync(
          NON_ASCII.test(name) ? bytesOfBinary(path) : path,
          O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY,
        ),
      };
    } catch (error) {
      return { error: nameError(error) };
    }
  },
  isRegular: (fd) => fstatSync(fd).isFile(),
  openFile(real) {
    let fd: number | undefined;
    try {
      if (!DESCRIPTORS && !isWhereExpected(real)) return { error: "moved" };
      fd = openSync(pathArgument(real), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
      const stats = fstatSync(fd);
      if (stats.isFile() && (!DESCRIPTORS || leadsTo(fd, real))) return { fd, size: stats.size };
      closeSync(fd);
      return { error: "moved" };
    } catch (error) {
      if (fd !== undefined) closeSync(fd);
      return { error: nameError(error) };
    }
  },
  read(fd, into, { offset, length, position }) {
    try {
      return readSync(fd, into, offset, length, position);
    } catch (error) {
      return { error: nameError(error) };
    }
  },
  close: (fd) => closeSync(fd),
  findSmall(real, { maxBytes, followLink }) {
    let fd: number;
    try {
      fd = openSync(pathArgument(real), O_RDONLY | O_NONBLOCK | O_NOCTTY | (followLink ? 0 : O_NOFOLLOW));
    } catch {
      return undefined;
    }
    try {
      const stats = fstatSync(fd);
      if (!stats.isFile() || stats.size > maxBytes) return undefined;
      const bytes = Buffer.alloc(stats.size);
      return bytes.toString("latin1", 0, readSync(fd, bytes, 0, bytes.length, 0));
    } catch {
      return undefined;
    } finally {
      closeSync(fd);
    }
  },
  exists: (real) => existsSync(pathArgument(real)),
  describe(folder, entries) {
    const facts = new Map<string, EntryFacts>();
    withFolder(withoutSlash(folder), (self) => {
      for (const entry of entries) {
        const found = findFacts(`${self}/${entry.name}`, entry.kind);
        if (found !== undefined) facts.set(entry.name, found);
      }
    });
    return facts;
  },
};

/** Runs `act` on the path under which a folder is reached, where it is still there. */
function withFolder(real: string, act: (self: string) => void): void {
  try {
    if (!DESCRIPTORS) {
      if (isWhereExpected(real)) act(real);
      return;
    }
    const fd = openSync(pathArgument(real), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK);
    try {
      if (leadsTo(fd, real)) act(`${OPEN}${fd}`);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    nameError(error);
  }
}

function findFacts(path: string, kind: EntryKind): EntryFacts | undefined {
  try {
    if (kind === "link") return { target: readlinkSync(pathArgument(path), "latin1") };
    if (kind === "file") return { bytes: lstatSync(pathArgument(path)).size };
    return {};
  } catch (error) {
    nameError(error);
    return undefined;
  }
}

const NON_ASCII = /[\x80-\xff]/;

function pathArgument(binary: string): string | Buffer {
  return NON_ASCII.test(binary) ? bytesOfBinary(binary) : binary;
}

function withoutSlash(folder: string): string {
  return folder.length > 1 && folder.endsWith("/") ? folder.slice(0, -1) : folder;
}

function leadsTo(fd: number, real: string): boolean {
  return readlinkSync(`${OPEN}${fd}`, "latin1") === real;
}

function isWhereExpected(real: string): boolean {
  const actual = realpathSync.native(pathArgument(real));
  return binaryOfText(actual) === real;
}
