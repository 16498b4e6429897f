/**
 * Owns what a file or folder is at this very moment, as one hash.
 * Leaves what follows from a change to whoever compares. Rule: synchronous, so that it can be asked inside a
 * transaction, and therefore bounded; what is above the bounds, withheld, or outside has no fingerprint and says why.
 *
 * The attack: a proof is taken of a file, and the file is then exchanged for a link to another one. Where a path really
 * leads is part of what is remembered, and the last name is opened without following.
 */
import { createHash, type Hash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
} from "node:fs";
import { join } from "node:path";
import { OutsideRootError } from "../contract/errors.ts";
import type { Root } from "../contract/root.ts";
import { showBelow } from "./containment.ts";
import { under } from "./resolve.ts";
import { errorCode } from "./system-error.ts";

export type Fingerprint =
  | {
      readonly kind: "file" | "folder";
      /** Where the path led, relative to the root. */
      readonly real: string;
      /** sha-256, in hexadecimal. */
      readonly hash: string;
      readonly bytes: number;
    }
  /** Nothing is there. */
  | { readonly kind: "absent" }
  | { readonly kind: "unseen"; readonly why: string };

/** Hashed in some tenths of a second, for which nothing else runs. */
export const MOST_BYTES = 67_108_864;
/** Of one folder. */
const MOST_FILES = 5_000;
const CHUNK_BYTES = 1_048_576;
/** Folders that programs fill, and that walks leave out too. */
const LEFT_OUT: ReadonlySet<string> = new Set([".git", ".haft", "node_modules", "target"]);

class Unseen extends Error {}

/** `keep` is given the bytes of a file as they are read. */
export function takeFingerprint(root: Root, path: string, keep?: (bytes: Buffer) => void): Fingerprint {
  return explainFailure(path, () => {
    const real = findReal(root, path);
    const stats = lstatSync(real, { throwIfNoEntry: false });
    if (stats === undefined) return { kind: "absent" };
    return stats.isFile() ? fingerprintFile(root, real, keep) : fingerprintFolder(root, real, stats);
  });
}

/** A file as it was hashed, and the marks by which a change of it shows. */
interface Remembered {
  readonly marks: string;
  readonly fingerprint: Fingerprint;
}

/** The clock by which a file system tells times of change may stand for so long while files change. */
const RACY_MS = 2_000;

/**
 * Looks at many paths again and again: what has the same inode, length and times as before is not read again. For
 * views; what decides anything takes a fingerprint of its own.
 */
export function openGlances(root: Root): (path: string) => Fingerprint {
  const known = new Map<string, Remembered>();
  return (path) =>
    explainFailure(path, () => {
      const real = findReal(root, path);
      const stats = lstatSync(real, { throwIfNoEntry: false, bigint: true });
      if (stats === undefined) return { kind: "absent" };
      if (!stats.isFile()) return fingerprintFolder(root, real, stats);
      const marks = [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join();
      const before = known.get(real);
      if (before?.marks === marks) return before.fingerprint;
      const fingerprint = fingerprintFile(root, real);
      if (Number(stats.ctimeMs) < Date.now() - RACY_MS) known.set(real, { marks, fingerprint });
      return fingerprint;
    });
}

function explainFailure(path: string, look: () => Fingerprint): Fingerprint {
  try {
    return look();
  } catch (error) {
    if (error instanceof Unseen) return { kind: "unseen", why: error.message };
    if (error instanceof OutsideRootError) return { kind: "unseen", why: tellOutside(error, path) };
    const code = errorCode(error);
    if (code === "") throw error;
    return { kind: "unseen", why: `cannot be read (${code})` };
  }
}

function findReal(root: Root, path: string): string {
  const real = under(root.path, path);
  const rule = root.withholds?.(real);
  if (rule !== undefined) throw new Unseen(`is withheld by rule ${rule}`);
  return real;
}

function fingerprintFile(root: Root, real: string, keep?: (bytes: Buffer) => void): Fingerprint {
  const hash = createHash("sha256");
  const bytes = addFile({ hash, path: real, left: MOST_BYTES, keep });
  return { kind: "file", real: showBelow(root.path, real), hash: hash.digest("hex"), bytes };
}

function fingerprintFolder(root: Root, real: string, stats: { isDirectory(): boolean }): Fingerprint {
  if (!stats.isDirectory()) throw new Unseen("is neither a file nor a folder");
  const hash = createHash("sha256");
  const bytes = addFolder(root, real, hash);
  return { kind: "folder", real: showBelow(root.path, real), hash: hash.digest("hex"), bytes };
}

function tellOutside({ message }: OutsideRootError, path: string): string {
  return message.startsWith(`${path} `) ? message.slice(path.length + 1) : "is outside the root";
}

interface Adding {
  readonly hash: Hash;
  readonly path: string;
  /** Bytes that may yet be read. */
  readonly left: number;
  readonly keep?: ((bytes: Buffer) => void) | undefined;
}

function addFile({ hash, path, left, keep }: Adding): number {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Unseen("was exchanged while it was looked at");
    if (stats.size > left) throw new Unseen(`is larger than the ${MOST_BYTES} bytes that a proof remembers`);
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, stats.size + 1));
    let bytes = 0;
    for (;;) {
      const read = readSync(file, chunk, 0, chunk.length, null);
      if (read === 0) return bytes;
      bytes += read;
      // It grows while it is read.
      if (bytes > left) throw new Unseen(`is larger than the ${MOST_BYTES} bytes that a proof remembers`);
      hash.update(chunk.subarray(0, read));
      keep?.(Buffer.from(chunk.subarray(0, read)));
    }
  } finally {
    closeSync(file);
  }
}

/** All files below, in the order of their paths, each with its own length before its bytes. */
function addFolder(root: Root, folder: string, hash: Hash): number {
  const waiting = [folder];
  let files = 0;
  let bytes = 0;
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const entries = readdirSync(at, { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    const folders: string[] = [];
    for (const entry of entries) {
      const path = join(at, entry.name);
      if (LEFT_OUT.has(entry.name) || root.withholds?.(path) !== undefined) continue;
      files += 1;
      if (files > MOST_FILES)
        throw new Unseen(`holds more than the ${MOST_FILES} files that a proof remembers`);
      const name = path.slice(folder.length);
      if (entry.isDirectory()) {
        hash.update(JSON.stringify(["folder", name]));
        folders.push(path);
      } else if (entry.isFile()) {
        const own = createHash("sha256");
        const size = addFile({ hash: own, path, left: MOST_BYTES - bytes });
        bytes += size;
        hash.update(JSON.stringify(["file", name, size, own.digest("hex")]));
      } else if (entry.isSymbolicLink()) hash.update(JSON.stringify(["link", name, readlinkSync(path)]));
      else hash.update(JSON.stringify(["other", name]));
    }
    waiting.push(...folders.reverse());
  }
  return bytes;
}
