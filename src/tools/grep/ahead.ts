/**
 * Owns when files are read ahead: where the disk is slow to give them, as told by how long those before took.
 * Leaves reading to root/read-ahead.ts. Rule: it decides how long a search takes and never what it answers. Files that
 * the system does not hold take as long here as in ripgrep one after the other, and half of that several at once.
 */
import type { FilePlace } from "../../root/folder-opener.ts";
import { readBeginnings } from "../../root/read-ahead.ts";

/** From the system's memory a file is there in a hundredth of a millisecond, from a fast disk in six of them. */
const SLOW_MS = 0.04;
/** And so many of its bytes are read and looked through in a millisecond, or more. */
const BYTES_A_MS = 1_000_000;
/** So many slow files in a row are no accident. */
const MOST_ACCIDENTS = 1;
/** The same where several are read at once. */
const SLOW_AT_ONCE_MS = 0.02;
const BYTES_AT_ONCE_A_MS = 4_000_000;
/** Files that are read at once: enough to keep a disk busy, few enough to be waited for before a search is left. */
const AT_ONCE = 128;

/** Files that are being read, in their order. */
export interface Fetch {
  add(files: readonly FilePlace[]): void;
  /** Resolves once all are read. Never rejects. */
  finish(): Promise<void>;
}

export interface ReadAhead {
  /** Tells how long it took to begin with a file that was not read ahead. */
  note(begun: { readonly tookMs: number; readonly bytes: number }): void;
  /** How many files are to be read ahead now; 0 where that would only cost time. */
  wanted(): number;
  /** Begins with files that are read at once. */
  fetch(): Fetch;
  /** From now on somebody else reads. */
  stop(): void;
}

/** `always` is for tests: whether it pays is not asked. */
export function makeReadAhead(when: "slow" | "always" = "slow"): ReadAhead {
  let slow = 0;
  let stopped = false;
  return {
    note({ tookMs, bytes }) {
      slow = tookMs > SLOW_MS + bytes / BYTES_A_MS ? slow + 1 : 0;
    },
    wanted: () => (!stopped && (when === "always" || slow > MOST_ACCIDENTS) ? AT_ONCE : 0),
    stop() {
      stopped = true;
    },
    fetch() {
      const begun = performance.now();
      const beginnings = readBeginnings();
      let count = 0;
      return {
        add(files) {
          count += files.length;
          beginnings.add(files);
        },
        async finish() {
          const bytes = await beginnings.finish();
          if (performance.now() - begun < count * SLOW_AT_ONCE_MS + bytes / BYTES_AT_ONCE_A_MS) slow = 0;
        },
      };
    },
  };
}
