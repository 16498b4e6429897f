/**
 * Owns what the host remembers of jobs, so that it outlives the worker that held them.
 * Leaves the jobs themselves to the worker. Rule: an id means one job for the whole session; the end of each is told
 * once; of a job whose worker is gone it is said that it is lost. What was told to a call that was lost itself has been
 * told to nobody.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Captured, JobOutput, JobSummary } from "../contract/shell.ts";

export interface JobMemory {
  /** The number of the next job, whichever worker will hold it. */
  next(): number;
  /** A job as an answer shows it. Where it has ended, whoever asked has been told. */
  note(job: JobSummary): void;
  /** The worker says that a job has ended. */
  ended(job: JobSummary): void;
  /** The worker that held all that still ran is gone. */
  lose(why: string): void;
  takeEnded(): readonly JobSummary[];
  /** All that lost workers held, oldest first. */
  lost(): readonly JobSummary[];
  /** What is left of a job that a lost worker held. */
  findLost(id: string): JobOutput | undefined;
  /** What one call is told, as long as nobody knows whether its answer arrives. */
  openTelling(): Telling;
}

export interface Telling {
  /** Runs a part of the call. */
  within<T>(act: () => T): T;
  /** The call is lost: what it was told, and is told from now on, is to be told again. */
  takeBack(): void;
}

/** The ends that a call was told first. */
interface Told {
  readonly ids: Set<string>;
  isLost: boolean;
}

/** `onEnded` is told each end as it becomes known; who else has been told is no matter to it. */
export function openJobMemory(onEnded: (job: JobSummary) => void = () => {}): JobMemory {
  /** Jobs of the worker that lives. */
  const held = new Map<string, JobSummary>();
  const lost = new Map<string, JobSummary>();
  const news = openNews((id) => lost.get(id) ?? held.get(id));
  let highest = 0;
  const keep = (job: JobSummary) => {
    held.set(job.id, job);
    highest = Math.max(highest, Number(/^job_(\d{1,9})$/.exec(job.id)?.[1] ?? 0));
  };
  return {
    next: () => highest + 1,
    note(job) {
      keep(job);
      if (job.exit !== undefined) news.tell(job.id);
    },
    ended(job) {
      keep(job);
      news.add(job);
      onEnded(job);
    },
    lose(why) {
      for (const job of held.values()) {
        const gone: JobSummary = { ...job, exit: job.exit ?? { kind: "lost", why }, unreadBytes: 0 };
        lost.set(job.id, gone);
        news.add(gone);
        if (job.exit === undefined) onEnded(gone);
      }
      held.clear();
    },
    takeEnded: news.take,
    lost: () => [...lost.values()],
    findLost(id) {
      const job = lost.get(id);
      if (job === undefined) return undefined;
      news.tell(id);
      return { job, stdout: NOTHING, stderr: NOTHING };
    },
    openTelling: news.openTelling,
  };
}

/** Which ends have been told. `find` gives what is known of a job by now. */
function openNews(find: (id: string) => JobSummary | undefined) {
  const told = new Set<string>();
  const untold = new Map<string, JobSummary>();
  const telling = new AsyncLocalStorage<Told>();
  const tell = (id: string): void => {
    const to = telling.getStore();
    if (to?.isLost === true) return;
    if (!told.has(id)) to?.ids.add(id);
    told.add(id);
    untold.delete(id);
  };
  return {
    tell,
    add(job: JobSummary): void {
      if (!told.has(job.id)) untold.set(job.id, job);
    },
    take(): readonly JobSummary[] {
      if (untold.size === 0) return NO_JOBS;
      const all = [...untold.values()];
      for (const { id } of all) tell(id);
      return all;
    },
    openTelling(): Telling {
      const to: Told = { ids: new Set(), isLost: false };
      return {
        within: (act) => telling.run(to, act),
        takeBack() {
          to.isLost = true;
          for (const id of to.ids) {
            told.delete(id);
            const job = find(id);
            if (job?.exit !== undefined) untold.set(id, job);
          }
        },
      };
    },
  };
}

const NO_JOBS: readonly JobSummary[] = [];
const NO_BYTES = new Uint8Array(0);
const NOTHING: Captured = { seen: 0, head: NO_BYTES, tail: NO_BYTES, omittedBytes: 0, omittedLines: 0 };
