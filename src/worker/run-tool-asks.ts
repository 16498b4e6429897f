/**
 * Owns what a tool in the worker may ask of its host: each name, what is sent, what comes back.
 * Leaves answering to run-tool-ports.ts, asking to worker-entry/. Rule: plain data and bytes; a port that is not listed
 * in `WAYS` does not compile, so that a new one is thought about.
 */
import type { PageVisit, Visited } from "../contract/browser.ts";
import type { CommitmentList, FoundCommitment } from "../contract/commitment-view.ts";
import type { Ports } from "../contract/context.ts";
import type { TextRequest } from "../contract/network.ts";
import type { SeenRange } from "../contract/output.ts";
import type { ConvertedPage, PageConversion } from "../contract/page.ts";
import type { ProgramEnd, ProgramRequest } from "../contract/program.ts";
import type { PastResult, PastResultSummary } from "../contract/results.ts";
import type { CommandEnd, CommandRequest, JobOutput, JobSummary, Jobs, JobWait } from "../contract/shell.ts";
import type { WriterState } from "../root/temporary-name.ts";

/** Signals and functions stay where they are. */
type Plain<T> = Omit<T, "signal" | "onOutput" | "mayConnect">;

/** The tool goes on meanwhile. What may be absent is null. */
export interface Asks {
  readonly "programs.findRipgrep": { readonly input: null; readonly output: string | null };
  readonly "programs.run": { readonly input: Plain<ProgramRequest>; readonly output: ProgramEnd };
  readonly "shell.run": { readonly input: Plain<CommandRequest>; readonly output: CommandEnd };
  readonly "jobs.list": { readonly input: null; readonly output: readonly JobSummary[] };
  readonly "jobs.read": { readonly input: { readonly id: string }; readonly output: JobOutput | null };
  readonly "jobs.wait": {
    readonly input: Plain<JobWait>;
    readonly output: Exclude<Awaited<ReturnType<Jobs["wait"]>>, undefined> | null;
  };
  readonly "jobs.stop": { readonly input: { readonly id: string }; readonly output: JobOutput | null };
  readonly "pages.convert": { readonly input: Plain<PageConversion>; readonly output: ConvertedPage };
  readonly "network.fetchText": {
    readonly input: Plain<TextRequest>;
    readonly output: Awaited<ReturnType<NonNullable<Ports["network"]>["fetchText"]>>;
  };
  readonly "browser.visit": { readonly input: Plain<PageVisit>; readonly output: Visited };
  readonly "commitments.list": {
    readonly input: { readonly withClosed: boolean };
    readonly output: CommitmentList;
  };
  readonly "commitments.find": { readonly input: { readonly id: string }; readonly output: FoundCommitment };
}

/** The worker does nothing else until it has the answer: what a tool asks for between two steps. */
export interface AsksNow {
  readonly seen: { readonly input: { readonly file: string }; readonly output: readonly SeenRange[] };
  readonly seenFiles: { readonly input: null; readonly output: readonly string[] };
  readonly withholds: { readonly input: { readonly file: string }; readonly output: string | null };
  readonly keepOldBytes: {
    readonly input: { readonly file: string; readonly bytes: Uint8Array };
    readonly output: null;
  };
  /** Whether the process that made a temporary file still runs, of which a worker with a pid namespace of its own sees nothing. */
  readonly findWriter: { readonly input: { readonly name: string }; readonly output: WriterState };
  readonly "jobs.takeEnded": { readonly input: null; readonly output: readonly JobSummary[] };
  readonly "results.find": {
    readonly input: { readonly id: string };
    readonly output: Omit<PastResult, "content" | "readLines" | "readCharacters"> | null;
  };
  readonly "results.list": {
    readonly input: { readonly limit: number };
    readonly output: readonly PastResultSummary[];
  };
  readonly "results.content": { readonly input: { readonly id: string }; readonly output: string };
  readonly "results.lines": { readonly input: Span; readonly output: string };
  readonly "results.characters": { readonly input: Span; readonly output: string };
}

interface Span {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

/** How a tool in the worker has each port: by asking while it goes on, by asking while it waits, by itself, or
 * not at all. */
export const WAYS = {
  seen: "waiting",
  seenFiles: "waiting",
  withholds: "waiting",
  keepOldBytes: "waiting",
  programs: "asking",
  pages: "asking",
  // Read in the worker, in which the tool is already: a whole file would have to go to the host and come back.
  documents: "worker",
  shell: "asking",
  network: "asking",
  browser: "asking",
  results: "waiting",
  commitments: "asking",
  // What a call may connect to is asked in the host, at each hop.
  connects: "host",
} as const satisfies Readonly<Record<keyof Ports, "asking" | "waiting" | "worker" | "host">>;
