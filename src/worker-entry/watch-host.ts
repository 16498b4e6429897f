/**
 * Owns ending the worker where its host is gone and it does not notice, because a tool hangs in it.
 * Leaves the ordinary end to main.ts, which hears of it on its channel. Rule: a thread of its own looks, so that
 * nothing that the tool does keeps it from looking.
 *
 * Known by the parent's pid, which changes when the parent ends: not on Windows, where such a worker stays.
 */
import { isMainThread, Worker, workerData } from "node:worker_threads";

const LOOK_MS = 1_000;
/** Longer than an orderly end takes. */
const LAST_MS = 9_000;

/** Starts looking. `marker` is what everything carries that this worker starts. */
export function watchHost(marker: string): void {
  const watched: Watched = { marker, host: process.ppid };
  new Worker(new URL(import.meta.url), { workerData: watched, execArgv: [], env: {} }).unref();
}

interface Watched {
  readonly marker: string;
  readonly host: number;
}

function look({ marker, host }: Watched): void {
  const looking = setInterval(() => {
    if (process.ppid === host) return;
    clearInterval(looking);
    // By then it has ended by itself, or it hangs.
    setTimeout(() => void endAll(marker), LAST_MS);
  }, LOOK_MS);
}

async function endAll(marker: string): Promise<void> {
  const [{ endMarked }, { killOwnProcess }] = await Promise.all([
    import("../process/end-marked.ts"),
    import("../process/signal.ts"),
  ]);
  await endMarked(marker).finally(killOwnProcess);
}

if (!isMainThread) look(workerData as Watched);
