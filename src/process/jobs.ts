/**
 * Owns the jobs of one worker: their ids, who has been told of their ends, ending all of them.
 * Leaves one job to job.ts and waiting to wait-for-job.ts. Rule: an id is given once; each end is told once.
 */
import type { Jobs as ContractJobs, JobSummary } from "../contract/shell.ts";
import { CANCEL_GRACE_MS } from "./end-tree.ts";
import { type Job, openJob } from "./job.ts";
import { nameRunning } from "./name-running.ts";
import type { ProcessRow } from "./process-table.ts";
import type { StartedCommand } from "./start-command.ts";

export interface Jobs extends ContractJobs {
  /** Goes on with a command in the background. */
  adopt(started: StartedCommand): JobSummary;
  /** Goes on with what a command left running. */
  adoptLeft(started: StartedCommand, running: readonly ProcessRow[]): JobSummary;
  close(): Promise<void>;
}

export interface JobsRequest {
  /** The number of the first. */
  readonly firstJob: number;
  readonly onJobEnded: (job: JobSummary) => void;
}

/** A job holds up to two streams at their bound: of older ones that have ended, what nobody read is given up. */
const MAX_UNREAD_ENDED = 50;

export function openJobs({ firstJob, onJobEnded }: JobsRequest): Jobs {
  const jobs = new Map<string, Job>();
  const untold = new Set<Job>();
  let next = firstJob;

  function add(of: { readonly command: string; readonly started: StartedCommand; hasShell: boolean }) {
    const job = openJob({ id: `job_${next++}`, ...of });
    jobs.set(job.id, job);
    void job.over.then(() => {
      untold.add(job);
      onJobEnded(job.summarise());
      forgetOldOutput(jobs);
    });
    return job.summarise();
  }

  /** What somebody is shown, somebody has been told. */
  function tell<T extends { readonly job: JobSummary }>(job: Job, shown: T): T {
    if (shown.job.exit !== undefined) untold.delete(job);
    return shown;
  }

  return {
    adopt: (started) => add({ started, command: started.command, hasShell: true }),
    adoptLeft: (started, running) =>
      add({ started, command: nameRunning(started, running), hasShell: false }),
    async list() {
      return [...jobs.values()].map((job) => tell(job, { job: job.summarise() }).job);
    },
    async read(id) {
      const job = jobs.get(id);
      return job === undefined ? undefined : tell(job, job.take());
    },
    async wait(wait) {
      const job = jobs.get(wait.id);
      if (job === undefined) return undefined;
      // Patterns are a good part of all code here, and most workers wait for none: they start sooner without.
      const { waitForJob } = await import("./wait-for-job.ts");
      const met = await waitForJob(job, wait);
      return tell(job, { ...job.take(), ...met });
    },
    async stop(id) {
      const job = jobs.get(id);
      if (job === undefined) return undefined;
      await job.stop({ graceMs: CANCEL_GRACE_MS });
      return tell(job, job.take());
    },
    takeEnded() {
      const ended = [...untold].map((job) => job.summarise());
      untold.clear();
      return ended;
    },
    async close() {
      await Promise.all([...jobs.values()].map((job) => job.stop({ graceMs: CANCEL_GRACE_MS })));
    },
  };
}

function forgetOldOutput(jobs: ReadonlyMap<string, Job>): void {
  const holding = [...jobs.values()].filter((job) => job.isOver() && job.summarise().unreadBytes > 0);
  for (const job of holding.slice(0, -MAX_UNREAD_ENDED)) job.take();
}
