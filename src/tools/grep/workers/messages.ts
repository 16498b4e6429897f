/**
 * Owns the words between the host's thread and the threads that search.
 * Leaves sending to crew.ts and search-worker.ts. Rule: plain data. A worker is told which files to look into;
 * which ones those are, what is ignored and what a rule withholds is decided on the host's thread alone.
 */
import type { FilePlace } from "../../../root/folder-opener.ts";
import type { WalkRun } from "../../../root/walk-counts.ts";
import type { SearchPlan } from "../file-search.ts";
import type { FileOutcome } from "../search-file.ts";

export type ToWorker =
  | {
      readonly kind: "begin";
      readonly search: number;
      readonly plan: SearchPlan;
      readonly cancelled: Int32Array;
    }
  | { readonly kind: "batch"; readonly search: number; readonly batch: number; readonly work: Batch }
  | { readonly kind: "end"; readonly search: number };

export interface Batch {
  /** Places, packed. */
  readonly files: string;
  readonly rowsFor: number;
}

export type FromWorker =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly batch: number; readonly outcomes: readonly PackedOutcome[] };

/** Each folder once, with its final `/`, and behind it the names in it; a NUL behind each. */
export function packPlaces(runs: readonly Pick<WalkRun, "folder" | "entries">[]): string {
  const parts: string[] = [];
  let last: string | undefined;
  for (const { folder, entries } of runs) {
    if (folder !== last) parts.push(folder);
    last = folder;
    for (const { name } of entries) parts.push(name);
  }
  parts.push("");
  return parts.join("\0");
}

export function* unpackPlaces(packed: string): Generator<FilePlace, void> {
  let folder = "";
  for (let from = 0; from < packed.length; ) {
    const end = packed.indexOf("\0", from);
    const part = packed.slice(from, end);
    if (part.endsWith("/")) folder = part;
    else yield { folder, name: part };
    from = end + 1;
  }
}

/** A number is the length of a file that was searched and has no match: nearly all of them. */
export type PackedOutcome = number | FileOutcome;

export function packOutcome(outcome: FileOutcome): PackedOutcome {
  return outcome.kind === "searched" && outcome.matches === 0 ? outcome.bytes : outcome;
}

/** What is no number, as it was before it was sent. */
export function unpackOutcome(packed: FileOutcome): FileOutcome {
  if (packed.kind !== "searched") return packed;
  // What was a Buffer there arrives as plain bytes.
  const rows = packed.rows.map((row) => (row.raw === undefined ? row : { ...row, raw: asBuffer(row.raw) }));
  return { ...packed, rows, sample: packed.sample === undefined ? undefined : asBuffer(packed.sample) };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
