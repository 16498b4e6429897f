/**
 * Owns the one line that tells how far a long export is.
 * Leaves deciding whether anybody looks to the command. Rule: it is written over, a few times a second, and gone at the
 * end; a short export shows none.
 */
import { showNumber } from "./print-table.ts";

/** A person sees no more of them. */
const INTERVAL_MS = 100;
const ERASE_LINE = "\r\x1b[2K";

export interface Progress {
  update(progress: { readonly done: number; readonly total: number }): void;
  close(): void;
}

export function openProgress(
  stream: { write(text: string): unknown },
  now: () => number = () => performance.now(),
): Progress {
  let shownAtMs = now();
  let isShown = false;
  return {
    update({ done, total }) {
      if (now() - shownAtMs < INTERVAL_MS) return;
      shownAtMs = now();
      isShown = true;
      const percent = Math.floor((100 * done) / Math.max(1, total));
      stream.write(`${ERASE_LINE}${percent} % (${showNumber(done)} of ${showNumber(total)} entries)`);
    },
    close() {
      if (isShown) stream.write(ERASE_LINE);
    },
  };
}
