/**
 * Owns reading an open file into memory that is used again for the next one.
 * Leaves what is looked for in it to search-file.ts. Rule: memory grows with the longest line, up to a bound.
 */
import type { WalkDisk } from "../../root/walk-disk.ts";
import { countNewlines } from "../../text/lines.ts";

export interface Reader {
  readonly disk: WalkDisk;
  /** Reused from file to file; grows with the longest line. */
  readonly memory: { bytes: Buffer };
}

/** What is held of a file. */
export interface Hold {
  /** Bytes of `memory` that are in use. */
  length: number;
  position: number;
  ended: boolean;
  error: string | undefined;
}

export const FIRST_MEMORY = 1_048_576;
/** The longest line that is searched, and the largest text that must be held whole (UTF-16, matches across lines). */
const MAX_MEMORY = 33_554_432;
export const READ_BYTES = 262_144;

export function startHold(): Hold {
  return { length: 0, position: 0, ended: false, error: undefined };
}

/** Reads until the memory is full or the file ends. */
export function* fill(search: Reader, fd: number, hold: Hold): Generator<undefined, void> {
  const { bytes } = search.memory;
  while (hold.length < bytes.length) {
    readPiece(search, fd, hold);
    if (hold.ended || hold.error !== undefined) return;
    if (hold.length >= READ_BYTES) yield undefined;
  }
}

export function readPiece({ disk, memory: { bytes } }: Reader, fd: number, hold: Hold): void {
  const length = Math.min(READ_BYTES, bytes.length - hold.length);
  const read = disk.read(fd, bytes, { offset: hold.length, length, position: hold.position });
  if (typeof read !== "number") hold.error = read.error;
  else if (read === 0) hold.ended = true;
  else {
    hold.length += read;
    hold.position += read;
  }
}

export function grow({ memory }: Reader, hold: Hold): boolean {
  if (memory.bytes.length >= MAX_MEMORY) return false;
  const grown = Buffer.allocUnsafe(memory.bytes.length * 2);
  memory.bytes.copy(grown, 0, 0, hold.length);
  memory.bytes = grown;
  return true;
}

/** Newlines in front of what is held, where they were passed over. Read once more: a file is seldom asked. */
export function* countLinesBefore({ disk }: Reader, fd: number, hold: Hold): Generator<undefined, number> {
  const before = hold.position - hold.length;
  const into = Buffer.allocUnsafe(Math.min(READ_BYTES, before));
  let count = 0;
  for (let position = 0; position < before; ) {
    const length = Math.min(into.length, before - position);
    const read = disk.read(fd, into, { offset: 0, length, position });
    // Cut off since: what was there is no longer to be counted.
    if (typeof read !== "number" || read === 0) break;
    count += countNewlines(into, 0, read);
    position += read;
    yield undefined;
  }
  return count;
}
