/**
 * Owns the threads that search large trees: one small crew for the process, started when it is first needed.
 * Leaves what is searched to hand-over.ts. Rule: a thread that nobody waits for keeps no process alive and ends
 * after a while; one that fails costs time, never an answer: what it had is searched on the host's thread.
 */
import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";
import type { SearchPlan } from "../file-search.ts";
import type { Batch, FromWorker, PackedOutcome, ToWorker } from "./messages.ts";

/** More threads than that wait for the disk and for the walk. */
const MOST_THREADS = 4;
/** A crew that waits costs memory, a new one some 40 ms. */
const IDLE_MS = 10_000;

export interface Crew {
  readonly size: number;
  /** Whether any thread has started. */
  isReady(): boolean;
  /** Resolves with false where no thread could be started. */
  whenReady(): Promise<boolean>;
  begin(plan: SearchPlan, signal: AbortSignal): CrewSearch;
}

export interface CrewSearch {
  /** The outcomes in the order of the files; undefined where the thread was lost. Rejects where the search is aborted. */
  search(batch: Batch): Promise<readonly PackedOutcome[] | undefined>;
  /** Gives up what is not finished. */
  end(): void;
}

interface Pending {
  readonly search: number;
  resolve(outcomes: readonly PackedOutcome[] | undefined): void;
  reject(reason: unknown): void;
}

interface Thread {
  readonly worker: Worker;
  ready: boolean;
  /** Searches that it knows of. */
  readonly begun: Set<number>;
  readonly pending: Map<number, Pending>;
}

interface Pool extends Crew {
  end(): Promise<void>;
}

let pool: Pool | undefined;
/** Where threads cannot be started at all, that is tried once. */
let unavailable = false;

/** The crew of this process, started where there is none; undefined where there can be none. */
export function callCrew(): Crew | undefined {
  // From source there is no file that a thread could run on every version of Node: then the host's thread searches.
  if (unavailable || !import.meta.url.endsWith(".js")) return undefined;
  pool ??= startPool();
  return pool;
}

/** Whether threads wait for work: whoever calls for the crew then need not start one. */
export function isCrewReady(): boolean {
  return pool?.isReady() === true;
}

/** Ends the threads, unless a search is using them. */
export async function dismissCrew(): Promise<void> {
  await pool?.end();
}

function startPool(): Pool {
  const threads = new Set<Thread>();
  const searches = new Set<number>();
  const waiting: ((ready: boolean) => void)[] = [];
  let idle: NodeJS.Timeout | undefined;
  let counter = 0;
  const isReady = () => {
    for (const { ready } of threads) if (ready) return true;
    return false;
  };
  const settleWaiting = (ready: boolean) => {
    for (const tell of waiting.splice(0)) tell(ready);
  };
  const lose = (thread: Thread) => {
    if (!threads.delete(thread)) return;
    for (const pending of thread.pending.values()) pending.resolve(undefined);
    if (threads.size > 0) return;
    unavailable ||= !thread.ready;
    if (pool === self) pool = undefined;
    settleWaiting(false);
  };
  const size = Math.max(1, Math.min(MOST_THREADS, availableParallelism()));
  for (let i = 0; i < size; i++) threads.add(startThread({ ready: () => settleWaiting(true), lose }));
  /** Only a search that is waited for keeps the process alive. */
  const keepAlive = () => {
    for (const { worker } of threads) {
      if (searches.size > 0) worker.ref();
      else worker.unref();
    }
    clearTimeout(idle);
    if (searches.size === 0) idle = setTimeout(() => void self.end(), IDLE_MS).unref();
  };
  const self: Pool = {
    size,
    isReady,
    whenReady: async () => {
      if (threads.size === 0 || isReady()) return threads.size > 0;
      return new Promise((resolve) => waiting.push(resolve));
    },
    begin(plan, signal) {
      const id = ++counter;
      searches.add(id);
      keepAlive();
      const end = () => {
        if (searches.delete(id)) keepAlive();
      };
      return beginSearch({ id, plan, signal, threads, end, nextBatch: () => ++counter });
    },
    async end() {
      if (searches.size > 0) return;
      clearTimeout(idle);
      if (pool === self) pool = undefined;
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
  return self;
}

function startThread(tell: { ready: () => void; lose: (thread: Thread) => void }): Thread {
  // Nothing of how the host was started is meant for these threads.
  // Loaded for the search that needs a thread: most sessions start none.
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  const worker = new Worker(new URL("./search-worker.js", import.meta.url), { execArgv: [], env: {} });
  const thread: Thread = { worker, ready: false, begun: new Set(), pending: new Map() };
  worker.unref();
  worker.on("message", (message: FromWorker) => {
    if (message.kind === "ready") {
      thread.ready = true;
      tell.ready();
      return;
    }
    const pending = thread.pending.get(message.batch);
    thread.pending.delete(message.batch);
    pending?.resolve(message.outcomes);
  });
  worker.on("error", () => tell.lose(thread));
  worker.on("exit", () => tell.lose(thread));
  return thread;
}

function beginSearch(at: {
  id: number;
  plan: SearchPlan;
  signal: AbortSignal;
  threads: ReadonlySet<Thread>;
  end: () => void;
  nextBatch: () => number;
}): CrewSearch {
  const { id, plan, signal, threads } = at;
  const cancelled = new Int32Array(new SharedArrayBuffer(4));
  const giveUp = () => {
    Atomics.store(cancelled, 0, 1);
    for (const { pending } of threads) {
      for (const [batch, { search, reject }] of pending) {
        if (search !== id) continue;
        pending.delete(batch);
        reject(signal.reason);
      }
    }
  };
  signal.addEventListener("abort", giveUp, { once: true });
  return {
    async search(work) {
      const thread = pickThread(threads);
      if (thread === undefined) return undefined;
      if (!thread.begun.has(id)) post(thread, { kind: "begin", search: id, plan, cancelled });
      thread.begun.add(id);
      const batch = at.nextBatch();
      return new Promise((resolve, reject) => {
        thread.pending.set(batch, { search: id, resolve, reject });
        post(thread, { kind: "batch", search: id, batch, work });
      });
    },
    end() {
      signal.removeEventListener("abort", giveUp);
      giveUp();
      for (const thread of threads) {
        if (thread.begun.delete(id)) post(thread, { kind: "end", search: id });
      }
      at.end();
    },
  };
}

/** The one with the least to do. */
function pickThread(threads: ReadonlySet<Thread>): Thread | undefined {
  let best: Thread | undefined;
  for (const thread of threads) {
    if (thread.ready && (best === undefined || thread.pending.size < best.pending.size)) best = thread;
  }
  return best;
}

function post({ worker }: Thread, message: ToWorker): void {
  worker.postMessage(message);
}
