/**
 * Owns `bash`: one shell command, and what is told of how it ended.
 * Leaves running it to the shell's port, its text to check-command.ts, the words of its end to render-end.ts.
 * Rule: nothing of a command is run that bash cannot read to its end; what was printed is told whatever became of it.
 */
import { z } from "zod";
import type { Access } from "../../contract/access.ts";
import type { ToolContext } from "../../contract/context.ts";
import { refuseLostWorker } from "../../contract/lost-worker.ts";
import type { Note, ToolResult } from "../../contract/output.ts";
import { isRefusal, type Refusal, refuse } from "../../contract/refusal.ts";
import type { CommandRequest } from "../../contract/shell.ts";
import type { DescriptionContext, Tool } from "../../contract/tool.ts";
import { inspect } from "../../root/inspect.ts";
import { refuseMissing } from "../../root/suggest.ts";
import type { ParsedShell } from "../../text/shell/parsed-shell.ts";
import { showBound } from "../../text/terminal/show-streams.ts";
import { findTextFault, mustAskBash, readCommand } from "./check-command.ts";
import { type BashDetails, renderEnd } from "./render-end.ts";
import { watchFiles } from "./watch-files.ts";

export type { BashDetails } from "./render-end.ts";

const input = z.object({
  command: z.string().min(1).describe("The bash command or script."),
  timeout_ms: z.int().min(1).optional().describe("Milliseconds after which the command is ended."),
  cwd: z.string().optional().describe("Directory to run in, relative to the root. Default: the root."),
  background: z.boolean().optional().describe("Answer at once with a job that runs on. Default false."),
});

type Arguments = z.output<typeof input>;

/** After a cancellation the command has 500 ms to end by itself; then it is killed and its output read to the end. */
const CANCEL_GRACE_MS = 1_400;

export const bashTool: Tool<"bash", typeof input, BashDetails> = {
  name: "bash",
  annotations: {
    title: "Run a command",
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  alwaysLoaded: false,
  input,
  describe,
  access,
  run: runBash,
  cancelGraceMs: CANCEL_GRACE_MS,
};

function describe({ limits, options, names }: DescriptionContext): string {
  const { timeoutMs, maxTimeoutMs } = options.shell;
  const jobs = names.name("jobs");
  const end = keepsRunning({ options, names }) ? "it then goes on as a job" : "it is then killed";
  const left =
    jobs === undefined
      ? "What is left running ends with the session."
      : `With background: true, and where children are left running, there is a job: see it with ${jobs}.`;
  return `Runs a bash command in the root, or in cwd, with empty standard input. Every call starts afresh: directory, variables and functions do not carry over. Default timeout ${timeoutMs} ms, at most ${maxTimeoutMs}; ${end}. Of each stream the first and last half of ${showBound(limits.bashMax)} are kept. ${left}`;
}

function access({ command, cwd }: Arguments): Access {
  return {
    paths:
      cwd === undefined
        ? []
        : [{ argument: "cwd", path: cwd, effect: "enters", link: "follow", mustExist: true }],
    // What a rule judges is what bash is given.
    runs: [readCommand(command).text],
    connects: [],
  };
}

/** Where the time is over, a command can only be kept where somebody can look after it. */
function keepsRunning({ options, names }: Pick<DescriptionContext, "options" | "names">): boolean {
  return options.shell.onTimeout === "background" && names.name("jobs") !== undefined;
}

/** Loaded with the first command. */
let parser: Promise<typeof import("../../text/shell/parse-shell.ts")> | undefined;

async function runBash(args: Arguments, context: ToolContext): Promise<ToolResult<BashDetails>> {
  const { names, ports, signal } = context;
  const tool = names.name("bash") ?? "bash";
  const { shell } = ports;
  if (shell === undefined)
    return refuse("command-not-started", { error: "there is no bash on this machine outside of the root" });
  const command = readCommand(args.command);
  const fault = findTextFault(command.text);
  if (fault !== undefined) return refuse("command-syntax", fault);
  const cwd = await enter(args, context);
  if (isRefusal(cwd)) return cwd;
  parser ??= import("../../text/shell/parse-shell.ts");
  const parsed = (await parser).parseShell(command.text);
  const time = readTimeout(args, context);
  const files = await watchFiles(context);
  signal.throwIfAborted();
  const request = makeRequest({
    args,
    context,
    parsed,
    cwd,
    command: command.text,
    timeoutMs: time.timeoutMs,
  });
  const end = await refuseLostWorker(tool, shell.run(request));
  if (isRefusal(end)) return end;
  const changes = end.kind === "ended" ? await files.compare() : undefined;
  return renderEnd({
    end,
    tool,
    command: command.text,
    parsed,
    context,
    cwd,
    changes,
    notes: [...command.notes, ...time.notes],
    isAsked: args.background === true,
  });
}

function makeRequest(of: {
  args: Arguments;
  context: ToolContext;
  parsed: ParsedShell;
  cwd: string;
  command: string;
  timeoutMs: number;
}): CommandRequest {
  const { args, context, parsed, cwd, command, timeoutMs } = of;
  return {
    command,
    timeoutMs,
    cwd,
    onTimeout: keepsRunning(context) ? "background" : "kill",
    background: args.background === true,
    watch: { stages: parsed.lastPipeline.length > 1, directory: parsed.changesDirectory },
    checkSyntax: mustAskBash(command, parsed),
    maxBytes: context.limits.bashMax,
    signal: context.signal,
    onOutput: context.progress,
  };
}

/** The real path of the folder to run in. */
async function enter(
  { cwd }: Arguments,
  { root, cwd: own, place: placeOf }: ToolContext,
): Promise<string | Refusal> {
  if (cwd === undefined) return own;
  const place = placeOf("cwd");
  if (!place.contained) return place.real;
  const state = await inspect(root, place);
  if (isRefusal(state)) return state;
  if (state.kind === "missing") return refuseMissing(root, place);
  if (state.kind !== "directory")
    return refuse("path-not-directory", { path: place.shown, ancestor: place.shown });
  return place.real;
}

function readTimeout(args: Arguments, { options }: ToolContext): { timeoutMs: number; notes: Note[] } {
  const { timeoutMs: otherwise, maxTimeoutMs } = options.shell;
  const asked = args.timeout_ms;
  if (asked === undefined) return { timeoutMs: otherwise, notes: [] };
  if (args.background === true)
    return { timeoutMs: otherwise, notes: [note("other", "timeout_ms has no effect on a background job")] };
  if (asked > maxTimeoutMs)
    return {
      timeoutMs: maxTimeoutMs,
      notes: [note("limit-clamped", `timeout_ms ${asked} was lowered to the maximum, ${maxTimeoutMs} ms`)],
    };
  const notes =
    asked < 1_000 ? [note("timeout-unit", `timeout_ms ${asked} was taken as ${asked} milliseconds`)] : [];
  return { timeoutMs: asked, notes };
}

function note(code: Note["code"], text: string): Note {
  return { code, text, audience: "model" };
}
