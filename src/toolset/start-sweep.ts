/**
 * Owns when the sweep for what killed processes left runs: temporary files, folders of sessions. Leaves sweeping to root/.
 * Rule: it delays no call and keeps no process alive, and it has ended when `close` has.
 */
import type { Root } from "../contract/root.ts";
import { sweepSessionFolders } from "../root/session-folder.ts";
import { sweepAbandoned } from "../root/sweep.ts";

/** Starts a sweep soon. The function it gives waits for its end; a sweep that has not begun by then never does. */
export function startSweep(root: Root, signal: AbortSignal): () => Promise<void> {
  let running: Promise<void> | undefined;
  const begin = setImmediate(() => {
    // What cannot be swept up today is swept up at a later mount; nobody's call fails for it.
    running = sweepAbandoned(root, { signal })
      .then(() => sweepSessionFolders({ signal }))
      .catch(() => undefined);
  });
  begin.unref();
  return async () => {
    clearImmediate(begin);
    await running;
  };
}
