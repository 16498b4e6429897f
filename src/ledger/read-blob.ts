/**
 * Owns reading kept bytes again: whole, by lines, by characters.
 * Leaves finding them to the store. Rule: a part reads the pieces that hold it and no others.
 */
import { isContinuation, type Marks, unpackMarks } from "./blob.ts";
import { removedMeanwhile } from "./ledger-error.ts";
import type { BlobRow, Store } from "./store.ts";

const NEWLINE = 0x0a;

/** Throws where the bytes of this address were pruned since it was read. */
export function getBlob(hash: string, store: Store): BlobRow {
  const blob = store.findBlob(hash);
  if (blob === undefined) throw removedMeanwhile(store.shown);
  return blob;
}

export function readBlobBytes(store: Store, blob: BlobRow): Uint8Array {
  const { count } = unpackMarks(blob.marks);
  return count === 0 ? new Uint8Array() : store.readPieces(blob, 0, count - 1);
}

export function readBlobText(store: Store, blob: BlobRow): string {
  return decode(readBlobBytes(store, blob));
}

/** Lines `start` to `end`, 1-based, both inclusive, with their endings. */
export function readBlobLines(store: Store, blob: BlobRow, start: number, end: number): string {
  const first = Math.max(1, Math.trunc(start));
  const last = Math.min(blob.lines, Math.trunc(end));
  if (!(first <= last)) return "";
  const marks = unpackMarks(blob.marks);
  const newlinesBefore = first - 1;
  // The line begins after newline number `first - 1`, in or right after the piece that holds that newline.
  const from = newlinesBefore === 0 ? 0 : findPiece(marks.count, marks.newlines, newlinesBefore - 1);
  const to = findPiece(marks.count, marks.newlines, last - 1);
  const bytes = store.readPieces(blob, from, to);
  const begin = skipNewlines(bytes, 0, newlinesBefore - marks.newlines(from));
  return decode(bytes.subarray(begin, skipNewlines(bytes, begin, last - newlinesBefore)));
}

/** Characters `start` to `end`, 0-based, half open. */
export function readBlobCharacters(store: Store, blob: BlobRow, start: number, end: number): string {
  const first = Math.max(0, Math.trunc(start));
  const last = Math.min(blob.characters, Math.trunc(end));
  if (!(first < last)) return "";
  const marks = unpackMarks(blob.marks);
  const from = findPiece(marks.count, marks.characters, first);
  const to = findPiece(marks.count, marks.characters, last - 1);
  const bytes = store.readPieces(blob, from, to);
  const begin = skipCharacters(bytes, 0, first - marks.characters(from));
  return decode(bytes.subarray(begin, skipCharacters(bytes, begin, last - first)));
}

/** The last piece before which at most `limit` were counted. */
function findPiece(count: number, before: (piece: number) => number, limit: number): number {
  let low = 0;
  let high: Marks["count"] = count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (before(middle) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Where `count` more newlines have ended; the end of the bytes where there are fewer. */
function skipNewlines(bytes: Uint8Array, start: number, count: number): number {
  let at = start;
  for (let left = count; left > 0; left--) {
    const newline = bytes.indexOf(NEWLINE, at);
    if (newline < 0) return bytes.length;
    at = newline + 1;
  }
  return at;
}

function skipCharacters(bytes: Uint8Array, start: number, count: number): number {
  let at = start;
  for (let left = count; left > 0 && at < bytes.length; left--) {
    at++;
    while (isContinuation(bytes[at])) at++;
  }
  return at;
}

/** Not by TextDecoder, which would take a leading U+FEFF away. */
function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}
