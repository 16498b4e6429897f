/**
 * Owns the words with which a tool asks for a shell command to be run, and for what a command left running.
 * Leaves running it to process/, in the worker. Rule: what ended says how; what is still running is a job with an id,
 * and ends with the session at the latest.
 */

/** How something that ran came to its end. */
export type Exit =
  | { readonly kind: "exited"; readonly code: number }
  /** `SIGKILL`, by name. */
  | { readonly kind: "signalled"; readonly signal: string }
  /** Ended by us. */
  | { readonly kind: "timed-out"; readonly afterMs: number }
  | { readonly kind: "cancelled" }
  | { readonly kind: "stopped" }
  /** By itself; its status went to the shell that had started it, and that shell is gone: children that were left. */
  | { readonly kind: "ended" }
  /** The worker that held it is gone, and with it what was printed. */
  | { readonly kind: "lost"; readonly why: string };

/** What was kept of one stream: its first and its last half, in bytes. */
export interface Captured {
  /** Bytes that the stream gave in all. */
  readonly seen: number;
  /** From the start; the whole stream where nothing was left out. Ends on a line border where that keeps half of it, else between characters. */
  readonly head: Uint8Array;
  /** To the end; empty where nothing was left out. */
  readonly tail: Uint8Array;
  /** Bytes and lines (newlines) between the two; 0 where nothing was left out. */
  readonly omittedBytes: number;
  readonly omittedLines: number;
}

export interface CommandRequest {
  readonly command: string;
  /** Absolute real path. */
  readonly cwd: string;
  /** Milliseconds. */
  readonly timeoutMs: number;
  readonly onTimeout: "kill" | "background";
  /** Answer at once with a job. */
  readonly background: boolean;
  /** Whether the statuses of the last pipeline's stages, and the folder in which the command ended, are wanted. Each costs a line of shell beside the command, so only where the parser says that they can differ. */
  readonly watch: { readonly stages: boolean; readonly directory: boolean };
  /** Ask `bash -n` first: the parser found an error. */
  readonly checkSyntax: boolean;
  /** Bytes kept of each stream. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** New output as text while the command runs, several times a second at most, shortened. */
  readonly onOutput: (text: string) => void;
}

/** What the fence around a command has to say. */
export interface FenceReport {
  /** Why the command ran without one, where one was preferred. */
  readonly open?: string;
  /** What it forbids that the command ran into, as far as what was printed shows. */
  readonly denied: readonly string[];
  /** Paths that came into being and were removed: what git would have run, or what is not a command's to make. */
  readonly removed: readonly string[];
}

export type CommandEnd =
  | {
      readonly kind: "ended";
      readonly exit: Exit;
      readonly stdout: Captured;
      readonly stderr: Captured;
      readonly durationMs: number;
      /** The shell's. */
      readonly pid: number;
      /** Every process that was seen below it, the shell's first. */
      readonly pids: readonly number[];
      /** Statuses of the last pipeline, first stage first. */
      readonly stages?: readonly number[];
      /** Where the shell ended, absolute; absent where it is the folder in which it began. */
      readonly directory?: string;
      /** Children that still run: one job. */
      readonly left?: JobSummary;
      readonly fence?: FenceReport;
    }
  /** Runs on in the background, as asked or because its time was over. */
  | {
      readonly kind: "background";
      readonly job: JobSummary;
      /** What it had printed where its time was over. */
      readonly stdout: Captured;
      readonly stderr: Captured;
      readonly durationMs: number;
      readonly pid: number;
      readonly fence?: FenceReport;
    }
  | { readonly kind: "syntax-error"; readonly message: string; readonly line?: number }
  | { readonly kind: "not-started"; readonly error: string };

/** A job: what a command left running, or was started to run on. */
export interface JobSummary {
  /** `job_1`, counted through the session. */
  readonly id: string;
  /** The command as it was sent; for children that were left, the commands that run: `sleep 45, node server.js`. */
  readonly command: string;
  /** Absent while it runs. */
  readonly exit?: Exit;
  /** Of the processes that run. */
  readonly pids: readonly number[];
  /** Bytes printed so far that no read has given. */
  readonly unreadBytes: number;
}

export interface JobOutput {
  readonly job: JobSummary;
  /** What is new since the last read. */
  readonly stdout: Captured;
  readonly stderr: Captured;
}

export interface JobWait {
  readonly id: string;
  /** A regular expression in the dialect of grep, matched line by line against what is new and what comes. */
  readonly pattern?: string;
  /** A TCP port that something listens on. */
  readonly port?: number;
  /** Milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface Jobs {
  /** All of the session, oldest first. */
  list(): Promise<readonly JobSummary[]>;
  /** Undefined where there is no such job. */
  read(id: string): Promise<JobOutput | undefined>;
  /** `met` says what ended the waiting; the output is new since the last read, the matching line included. */
  wait(
    wait: JobWait,
  ): Promise<
    (JobOutput & { readonly met: "pattern" | "port" | "end" | "time"; readonly line?: string }) | undefined
  >;
  stop(id: string): Promise<JobOutput | undefined>;
  /** Jobs that ended and of which nobody has been told; each is given once. Costs nothing where there is none. */
  takeEnded(): readonly JobSummary[];
}

/** What a tool may do with a shell. */
export interface Shell {
  /** Rejects only where the worker cannot be had: `WorkerError`. A cancelled command ends as `cancelled`, with what it printed. */
  run(request: CommandRequest): Promise<CommandEnd>;
  readonly jobs: Jobs;
}

/** How long commands may run. */
export interface ShellLimits {
  /** Milliseconds, where a call names none. */
  readonly timeoutMs: number;
  /** Milliseconds, whatever a call names. */
  readonly maxTimeoutMs: number;
  /** What becomes of a command whose time is over. */
  readonly onTimeout: "kill" | "background";
}
