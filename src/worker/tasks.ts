/**
 * Owns the named tasks of a worker: what each is given and what it gives.
 * Leaves doing them to worker-entry/, asking for them to shell.ts and programs.ts. Rule: what is given is plain data,
 * and large bytes travel beside it, never inside.
 */
import type { ConvertedPage, PageConversion } from "../contract/page.ts";
import type { PdfNotRead, PdfReading, PdfText } from "../contract/pdf.ts";
import type { ProgramRequest } from "../contract/program.ts";
import type {
  Captured,
  CommandEnd,
  CommandRequest,
  JobOutput,
  JobSummary,
  JobWait,
} from "../contract/shell.ts";
import type { BrowserEnd, BrowserRun } from "../process/browser/run-browser.ts";
import type { FenceArguments } from "../process/confine/supervise.ts";

type Plain<T> = Omit<T, "signal" | "onOutput">;

/** Bytes that were taken out of a value: their place among the parts. */
export type CapturedParts = Omit<Captured, "head" | "tail">;

/** A value whose bytes were taken out, and those bytes: head and tail of standard output, then of standard error. */
export type Parted<T> = T extends { readonly stdout: Captured; readonly stderr: Captured }
  ? Omit<T, "stdout" | "stderr"> & { readonly stdout: CapturedParts; readonly stderr: CapturedParts }
  : T;

export interface TaskTable {
  readonly "program.run": {
    readonly input: Plain<ProgramRequest>;
    /** The output is the one part. */
    readonly output:
      | { readonly kind: "ended"; readonly status: number | null }
      | { readonly kind: "not-started"; readonly error: string };
  };
  readonly "command.run": {
    readonly input: Plain<CommandRequest> & {
      readonly environment: Readonly<Record<string, string>>;
      /** Absolute path of the shell. */
      readonly bash: string;
      readonly fence?: FenceArguments;
    };
    readonly output: Parted<CommandEnd>;
  };
  readonly "browser.run": {
    readonly input: BrowserRun;
    /** The parts are the DOM and the screenshot. */
    readonly output:
      | Omit<BrowserEnd & { readonly kind: "ended" }, "dom" | "screenshot">
      | (BrowserEnd & { readonly kind: "not-started" });
  };
  readonly "page.convert": { readonly input: Plain<PageConversion>; readonly output: ConvertedPage };
  readonly "pdf.read": {
    /** The file is the one part. */
    readonly input: Omit<PdfReading, "bytes" | "signal">;
    /** The text is the one part, where there is one. */
    readonly output: Omit<PdfText, "text"> | PdfNotRead;
  };
  /** The one call of a tool: what it is given and gives travels as bytes, packed. */
  readonly "tool.run": { readonly input: null; readonly output: null };
  readonly "jobs.list": { readonly input: null; readonly output: readonly JobSummary[] };
  readonly "jobs.read": {
    readonly input: { readonly id: string };
    readonly output: Parted<JobOutput> | null;
  };
  readonly "jobs.wait": {
    readonly input: Plain<JobWait>;
    readonly output: Parted<JobOutput & { readonly met: JobMet; readonly line?: string }> | null;
  };
  readonly "jobs.stop": {
    readonly input: { readonly id: string };
    readonly output: Parted<JobOutput> | null;
  };
}

type JobMet = "pattern" | "port" | "end" | "time";

export type TaskName = keyof TaskTable;

/** What a task gives. */
export interface TaskAnswer<Value = unknown> {
  readonly value: Value;
  readonly parts: readonly Uint8Array[];
}

/** Bytes of one answer, all parts together: two streams, or one program's output, at their own bounds. */
export const MAX_ANSWER_BYTES = 536_870_912;

interface WithStreams {
  readonly stdout: Captured;
  readonly stderr: Captured;
}

/** Takes the bytes of both streams out of a value. */
export function takeStreamsOut<T extends WithStreams>(value: T): TaskAnswer<Parted<T>> {
  const { stdout, stderr } = value;
  const parted = { ...value, stdout: withoutBytes(stdout), stderr: withoutBytes(stderr) };
  return {
    value: parted as unknown as Parted<T>,
    parts: [stdout.head, stdout.tail, stderr.head, stderr.tail],
  };
}

function withoutBytes({ seen, omittedBytes, omittedLines }: Captured): CapturedParts {
  return { seen, omittedBytes, omittedLines };
}

/** Puts the bytes of both streams back. */
export function putStreamsBack<T extends WithStreams>({ value, parts }: TaskAnswer<Parted<T>>): T {
  const parted = value as unknown as { readonly stdout: CapturedParts; readonly stderr: CapturedParts };
  const [outHead = NONE, outTail = NONE, errHead = NONE, errTail = NONE] = parts;
  return {
    ...value,
    stdout: { ...parted.stdout, head: outHead, tail: outTail },
    stderr: { ...parted.stderr, head: errHead, tail: errTail },
  } as unknown as T;
}

const NONE = new Uint8Array(0);
