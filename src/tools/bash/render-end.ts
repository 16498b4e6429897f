/**
 * Owns what is told of how a command ended: the first line, the sections, the details, and the failure that it amounts to.
 * Leaves the words for statuses and jobs to text/shell/, the sections to text/terminal/.
 * Rule: the first line tells the end first; nothing in the content changes from one run to the next but what the command printed.
 */
import type { ToolContext } from "../../contract/context.ts";
import type { Done, Failed, Note, Sight, ToolResult } from "../../contract/output.ts";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import type { Captured, CommandEnd, Exit } from "../../contract/shell.ts";
import { isInside, showBelow } from "../../root/containment.ts";
import { keepOnOneLine } from "../../text/one-line.ts";
import { describeExit, describeStages, explainStatus } from "../../text/shell/exit-words.ts";
import { adviseJob, nameJob, noteEndedJobs } from "../../text/shell/job-words.ts";
import type { ParsedShell } from "../../text/shell/parsed-shell.ts";
import { findScreenProgram } from "../../text/shell/screen-programs.ts";
import { type ShownStreams, showStreams } from "../../text/terminal/show-streams.ts";
import { noteFence } from "./note-fence.ts";
import type { FileChange } from "./watch-files.ts";

interface StreamDetails {
  /** Bytes printed in all. */
  readonly seen: number;
  /** Bytes of them in the content. */
  readonly kept: number;
}

export interface BashDetails {
  readonly durationMs: number;
  /** Absent while it runs on. */
  readonly exit?: Exit;
  /** Null where a signal ended it or it runs on. */
  readonly code: number | null;
  readonly signal: string | null;
  readonly pid: number;
  /** Every process that was seen below the shell, the shell's first. */
  readonly pids: readonly number[];
  readonly stdout: StreamDetails;
  readonly stderr: StreamDetails;
  /** Statuses of the last pipeline. */
  readonly stages?: readonly number[];
  /** Where the command ended, where that is another folder than the one it began in. */
  readonly directory?: string;
  /** What runs on. */
  readonly job?: { readonly id: string; readonly command: string; readonly pids: readonly number[] };
  /** Files that this session has shown and the command changed or deleted. Of others nothing is claimed. */
  readonly changes?: { readonly paths: readonly string[]; readonly complete: false };
}

export interface EndedCommand {
  readonly end: CommandEnd;
  /** The mounted name. */
  readonly tool: string;
  readonly command: string;
  readonly parsed: ParsedShell;
  readonly context: Pick<ToolContext, "limits" | "names" | "ports" | "root">;
  readonly cwd: string;
  readonly changes: readonly FileChange[] | undefined;
  readonly notes: readonly Note[];
  /** Whether a job was asked for. */
  readonly isAsked: boolean;
}

export async function renderEnd(of: EndedCommand): Promise<ToolResult<BashDetails>> {
  const { end } = of;
  if (end.kind === "syntax-error")
    return refuse("command-syntax", {
      message: end.message,
      ...(end.line === undefined ? {} : { line: end.line }),
    });
  if (end.kind === "not-started") return refuse("command-not-started", { error: end.error });
  const streams = await showStreams({ ...end, maxBytes: of.context.limits.bashMax });
  return end.kind === "background" ? renderBackground(of, end, streams) : renderEnded(of, end, streams);
}

type Background = Extract<CommandEnd, { kind: "background" }>;
type Ended = Extract<CommandEnd, { kind: "ended" }>;

function renderBackground(of: EndedCommand, end: Background, streams: ShownStreams): Done<BashDetails> {
  const { names } = of.context;
  const { job } = end;
  const head = of.isAsked
    ? `${nameJob(job)} started in the background`
    : `still running when its time was over: now ${nameJob(job)} in the background`;
  const advice: Note = { code: "other", text: `${job.id}: ${adviseJob(names, job.id)}`, audience: "model" };
  return {
    content: joinContent([head, ...streams.cut], of.isAsked ? streams.body : streams.body || NO_OUTPUT),
    details: {
      durationMs: end.durationMs,
      code: null,
      signal: null,
      pid: end.pid,
      pids: job.pids,
      stdout: measure(end.stdout),
      stderr: measure(end.stderr),
      job: { id: job.id, command: job.command, pids: job.pids },
    },
    notes: [...of.notes, ...streams.notes, ...noteFence(end), advice, ...takeEnded(of)],
  };
}

const NO_OUTPUT = "(no output)";

function renderEnded(of: EndedCommand, end: Ended, streams: ShownStreams): ToolResult<BashDetails> {
  const content = joinContent(
    [describeEnd(of, end, streams), ...describeRest(of, end), ...streams.cut],
    streams.body || NO_OUTPUT,
  );
  const changes = of.changes ?? [];
  const sights: Sight[] = changes.map(({ file }) => ({ file, ranges: [], replace: true }));
  const result = {
    content,
    details: describeDetails(of, end),
    notes: [...of.notes, ...streams.notes, ...noteFence(end), ...noteEnd(of, end), ...takeEnded(of)],
    sights,
    changed: changes.map(({ shown }) => shown),
  };
  const refusal = findFailure(of.tool, end.exit);
  if (refusal === undefined) return result;
  return { kind: "failed", refusal, ...result } satisfies Failed<BashDetails>;
}

function findFailure(tool: string, exit: Exit): Refusal | undefined {
  switch (exit.kind) {
    case "exited":
      return exit.code === 0 ? undefined : refuse("command-failed", { code: exit.code, signal: null });
    case "signalled":
      return refuse("command-failed", { code: null, signal: exit.signal });
    case "timed-out":
      return refuse("command-timed-out", { timeoutMs: exit.afterMs });
    case "lost":
      return refuse("worker-lost", { tool, why: exit.why });
    default:
      return refuse("call-cancelled", { tool });
  }
}

function describeEnd({ parsed }: EndedCommand, { exit }: Ended, { errors }: ShownStreams): string {
  const words = describeExit(exit);
  if (exit.kind !== "exited" || exit.code === 0) return words;
  const meaning = explainStatus({ code: exit.code, parsed, errors });
  return meaning === undefined ? words : `${words} (${meaning})`;
}

/** What else belongs into the first line: stages that failed, children that were left. */
function describeRest({ parsed }: EndedCommand, { stages, left }: Ended): string[] {
  const failed = describeStages(stages ?? [], parsed);
  return [
    ...(failed.length === 0 ? [] : [`earlier in the pipeline: ${failed.join(", ")}`]),
    ...(left === undefined ? [] : [`${nameJob(left)} still running`]),
  ];
}

function noteEnd(of: EndedCommand, { exit, left, directory }: Ended): Note[] {
  const { names } = of.context;
  const notes: Note[] = [];
  const waiting = exit.kind === "timed-out" ? findScreenProgram(of.parsed) : undefined;
  if (waiting !== undefined) {
    const way = names.name("edit") ?? names.name("write");
    const text = `${waiting} waits for keys, and no terminal is here to press them${way === undefined ? "" : `: change files with ${way}`}`;
    notes.push({ code: "other", text, audience: "model" });
  }
  if (left !== undefined)
    notes.push({ code: "other", text: `${left.id}: ${adviseJob(names, left.id)}`, audience: "model" });
  if (directory !== undefined) {
    const back = of.cwd === of.context.root.path ? "in the root" : "in the root or its own cwd";
    const where = keepOnOneLine(showDirectory(of, directory)).toWellFormed();
    notes.push({
      code: "other",
      text: `the command ended in ${where}; the next call starts again ${back}`,
      audience: "model",
    });
  }
  return notes;
}

function showDirectory({ context: { root } }: EndedCommand, directory: string): string {
  if (directory === root.path) return "the root";
  return isInside(root.path, directory) ? showBelow(root.path, directory) : directory;
}

function takeEnded({ context: { ports, names } }: EndedCommand): Note[] {
  return noteEndedJobs(ports.shell?.jobs.takeEnded() ?? [], names);
}

function describeDetails(of: EndedCommand, end: Ended): BashDetails {
  const { exit, left, directory, stages } = end;
  return {
    durationMs: end.durationMs,
    exit,
    code: exit.kind === "exited" ? exit.code : null,
    signal: exit.kind === "signalled" ? exit.signal : null,
    pid: end.pid,
    pids: end.pids,
    stdout: measure(end.stdout),
    stderr: measure(end.stderr),
    ...(stages === undefined ? {} : { stages }),
    ...(directory === undefined ? {} : { directory: showDirectory(of, directory).toWellFormed() }),
    ...(left === undefined ? {} : { job: { id: left.id, command: left.command, pids: left.pids } }),
    changes: { paths: (of.changes ?? []).map(({ shown }) => shown), complete: false },
  };
}

function measure({ seen, omittedBytes }: Captured): StreamDetails {
  return { seen, kept: seen - omittedBytes };
}

function joinContent(head: readonly string[], body: string): string {
  return [head.join("; "), body].filter((part) => part !== "").join("\n");
}
