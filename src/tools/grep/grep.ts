/**
 * Owns `grep`: which lines of which files match a pattern.
 * Leaves searching to the engines, the text to render.ts, and what a pattern means to text/regex-pattern.ts.
 * Rule: the first line says what was searched and what was not; no match is an answer, not a failure.
 */
import { z } from "zod";
import type { ToolContext } from "../../contract/context.ts";
import type { Note, ToolResult } from "../../contract/output.ts";
import { isRefusal, type Refusal, refuse } from "../../contract/refusal.ts";
import { NO_ACCESS, type Tool } from "../../contract/tool.ts";
import { inspectSearched } from "../../root/inspect-searched.ts";
import { finishIn, makeSlices } from "../../root/search-pump.ts";
import { refuseMissing } from "../../root/suggest.ts";
import { compileGlob } from "../../text/glob-pattern.ts";
import { makePatternTables } from "../../text/pattern-tables.ts";
import { compilePattern } from "../../text/regex-pattern.ts";
import { bodyRoom } from "../../text/search-summary.ts";
import { findIgnoredMatch } from "./builtin-engine.ts";
import { searchWith } from "./choose-engine.ts";
import type { GrepMode, IncludeFilter, SearchJob } from "./engine.ts";
import { renderOutcome } from "./render.ts";
import { dismissCrew } from "./workers/crew.ts";

const input = z.object({
  pattern: z.string().min(1).describe("Regular expression (RE2 syntax) matched against each line."),
  path: z.string().optional().describe("File or directory to search. Default: the root."),
  glob: z
    .string()
    .optional()
    .describe(
      "Only files that match, for example `*.ts` or `src/**/*.{ts,tsx}`; `!*.test.ts` leaves files out.",
    ),
  ignore_case: z.boolean().optional().describe("Ignore case. Default false."),
  literal: z.boolean().optional().describe("Take the pattern as plain text. Default false."),
  context: z.int().min(0).optional().describe("Lines to show around each match. Default 0."),
  multiline: z.boolean().optional().describe("Let matches cross lines. Default false."),
  mode: z
    .enum(["content", "files", "count"])
    .optional()
    .describe("content: matching lines (default); files: paths only; count: matches per file."),
  limit: z.int().min(1).optional().describe("Matches to show at most (files, in the other modes)."),
});

export interface GrepDetails {
  readonly engine: "builtin" | "ripgrep";
  readonly mode: GrepMode;
  readonly path: string;
  /** Matching lines in all, at least where `complete` is false. */
  readonly matches: number;
  readonly files: number;
  readonly searched: number;
  readonly skipped: { readonly binary: number; readonly tooLarge: number; readonly unreadable: number };
  readonly ignored: number;
  readonly withheld: number;
  /** False where the search stopped at its limit and the counts are lower bounds. */
  readonly complete: boolean;
  /** What is shown, by file. */
  readonly results: readonly GrepFile[];
}

export interface GrepFile {
  readonly path: string;
  readonly matches: number;
  readonly lines: readonly { readonly line: number; readonly text: string; readonly match: boolean }[];
}

export const grepTool: Tool<"grep", typeof input, GrepDetails> = {
  name: "grep",
  annotations: {
    title: "Search in files",
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  alwaysLoaded: true,
  input,
  describe: ({ limits }) =>
    `Searches file contents with a regular expression (RE2 syntax: no look-around, no back-references; \`literal\` for plain text). Case-sensitive unless ignore_case. Each file's path, then its lines as 12:text, context as 11-text. Ignored and binary files, .git, node_modules and target are left out unless path names them. At most ${limits.grepMax} matches are shown; the rest are counted.`,
  access: ({ path }) => ({
    ...NO_ACCESS,
    paths: [{ argument: "path", path: path ?? ".", effect: "reads", link: "follow", mustExist: true }],
  }),
  run: runGrep,
  release: dismissCrew,
};

type Arguments = z.output<typeof input>;

async function runGrep(args: Arguments, context: ToolContext): Promise<ToolResult<GrepDetails>> {
  const { job, notes } = (await prepareJob(args, context)) as { job: SearchJob | Refusal; notes: Note[] };
  if (isRefusal(job)) return job;
  const { outcome, engine } = await searchWith(context, job);
  const hidden =
    outcome.files === 0 && outcome.counts.ignored > 0
      ? await findIgnoredMatch(job, outcome.counts.hidden)
      : undefined;
  return renderOutcome({ args, context, job, outcome, hidden, notes, engine });
}

async function prepareJob(
  args: Arguments,
  context: ToolContext,
): Promise<{ job: SearchJob | Refusal; notes: Note[] }> {
  const { limits } = context;
  const place = context.place("path");
  const notes: Note[] = [];
  const state = await inspectSearched(context.root, place);
  if (isRefusal(state)) return { job: state, notes };
  if (state.kind === "missing") return { job: await refuseMissing(context.root, place), notes };
  if (state.kind === "link") return { job: refuse("path-changed", { path: place.shown }), notes };
  if (state.kind !== "file" && state.kind !== "directory") {
    return { job: refuse("path-not-regular", { path: place.shown, kind: state.kind }), notes };
  }
  const asked = {
    pattern: args.pattern,
    literal: args.literal === true,
    ignoreCase: args.ignore_case === true,
    multiline: args.multiline === true,
  };
  await finishIn(makeSlices(context.signal), makePatternTables(asked));
  const pattern = compilePattern(asked);
  if (isRefusal(pattern)) return { job: pattern, notes };
  const include = readInclude(args.glob);
  if (isRefusal(include)) return { job: include, notes };
  const job: SearchJob = {
    root: context.root,
    place,
    single: state.kind === "file",
    withholds: context.ports.withholds,
    pattern,
    include,
    mode: args.mode ?? "content",
    limit: clamp({
      name: "limit",
      asked: args.limit,
      most: limits.grepMax,
      otherwise: limits.grepMax,
      notes,
    }),
    context: clamp({ name: "context", asked: args.context, most: limits.contextMax, otherwise: 0, notes }),
    lineWindow: limits.lineWindow,
    room: bodyRoom(limits.resultMax),
    signal: context.signal,
  };
  return { job, notes };
}

function readInclude(glob: string | undefined): IncludeFilter | undefined | Refusal {
  if (glob === undefined) return undefined;
  const excludes = glob.startsWith("!") && !glob.startsWith("!(");
  const text = excludes ? glob.slice(1) : glob;
  const compiled = compileGlob(text);
  return isRefusal(compiled) ? compiled : { glob: compiled, text, excludes };
}

function clamp(at: {
  name: string;
  asked: number | undefined;
  most: number;
  otherwise: number;
  notes: Note[];
}): number {
  const { name, asked, most, otherwise, notes } = at;
  if (asked === undefined) return otherwise;
  if (asked <= most) return asked;
  notes.push({
    code: "limit-clamped",
    text: `${name} is at most ${most}, so ${most} was used`,
    audience: "model",
  });
  return most;
}
