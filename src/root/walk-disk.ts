/**
 * Owns the few synchronous disk calls of a search: read a folder, open a file, read an ignore file.
 * Leaves order and rules to walk.ts, slices of time to search-pump.ts.
 * Rule: what is read is where it is expected. The attack: a folder of the tree is exchanged for a link to the
 * outside while the tree is walked; on Linux the open descriptor's own path is compared before anything is read,
 * elsewhere the real path (a window remains there that Node cannot close).
 *
 * Synchronous on purpose: one pooled call a file takes 3 to 5 times as long as the call itself, and a search
 * makes them in slices that let the event loop breathe.
 */
import {
  closeSync,
  constants,
  type Dirent,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
} from "node:fs";
import { binaryOfText, bytesOfBinary } from "../text/path-text.ts";
import { type EntryKind, kindOfEntry } from "./entry-kind.ts";
import { errorCode } from "./system-error.ts";

export interface FolderEntry {
  /** Bytes as a binary string. */
  readonly name: string;
  readonly kind: EntryKind;
}

export interface WalkDisk {
  /** The entries of the folder at a real path (binary string), in no order. `moved` where the path leads elsewhere by now. */
  readFolder(real: string): { readonly entries: readonly FolderEntry[] } | { readonly error: string };
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
  /** Sizes of files and targets of links of one folder (binary strings); an entry that is gone is left out. */
  describe(folder: string, entries: readonly FolderEntry[]): Map<string, EntryFacts>;
}

export interface EntryFacts {
  readonly bytes?: number;
  /** Where a link leads, as it is written in it: a binary string. */
  readonly target?: string;
}

const DESCRIPTORS = process.platform === "linux" && existsSync("/proc/self/fd");
const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;

export const walkDisk: WalkDisk = {
  readFolder(real) {
    try {
      if (!DESCRIPTORS)
        return isWhereExpected(real) ? { entries: readEntries(pathArgument(real)) } : { error: "moved" };
      const fd = openSync(pathArgument(real), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK);
      try {
        return leadsTo(fd, real) ? { entries: readEntries(`/proc/self/fd/${fd}`) } : { error: "moved" };
      } finally {
        closeSync(fd);
      }
    } catch (error) {
      return { error: nameError(error) };
    }
  },
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
    withFolder(folder, (self) => {
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
      if (leadsTo(fd, real)) act(`/proc/self/fd/${fd}`);
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

function pathArgument(binary: string): string | Buffer {
  return /[\x80-\xff]/.test(binary) ? bytesOfBinary(binary) : binary;
}

function readEntries(path: string | Buffer): FolderEntry[] {
  // Node's types leave out that any encoding is allowed here.
  const options = { withFileTypes: true, encoding: "latin1" } as unknown as {
    withFileTypes: true;
    encoding: "utf8";
  };
  const entries: Dirent[] = readdirSync(path, options);
  return entries.map((entry) => ({ name: entry.name, kind: kindOfEntry(entry) }));
}

function leadsTo(fd: number, real: string): boolean {
  return readlinkSync(`/proc/self/fd/${fd}`, "latin1") === real;
}

function isWhereExpected(real: string): boolean {
  const actual = realpathSync.native(pathArgument(real));
  return binaryOfText(actual) === real;
}

/** The system's name of an error. What has none is a bug of ours and goes on. */
function nameError(error: unknown): string {
  const code = errorCode(error);
  if (code === "") throw error;
  return code;
}
