/**
 * Owns `recall`: what an earlier call returned, whole or in part.
 * Leaves keeping results to the ledger, behind the port `results`, and what a request carries of the answer to the
 * session's window, which counts for an answer of `recall` as for any other.
 * Rule: the first line says what is given, and below it stands the result's own text and nothing else: parts that
 * meet, joined, are the result. A line is given with its ending, so an answer ends as the part ends.
 */
import { z } from "zod";
import type { ToolContext } from "../../contract/context.ts";
import type { Done, ToolResult } from "../../contract/output.ts";
import { type InputProblem, isRefusal, type Refusal, refuse } from "../../contract/refusal.ts";
import type { PastResult, PastResults } from "../../contract/results.ts";
import { NO_ACCESS, type Tool } from "../../contract/tool.ts";
import { countOf } from "../../text/search-summary.ts";
import { type AskedPart, findProblems, readAsked } from "./asked-part.ts";
import { findMatchingLines } from "./find-matching-lines.ts";
import { type ListedResult, listResults, nameResult } from "./list-results.ts";
import { type Extent, placeRange } from "./place-range.ts";

const input = z.object({
  id: z
    .string()
    .optional()
    .describe(
      "The call whose result to show, `<session>/<call>` for one of an earlier session. Without it, recent results are listed.",
    ),
  range: z
    .object({
      start: z.int().min(0).optional().describe("First line, 1-based."),
      end: z.int().min(0).optional().describe("Last line, inclusive."),
    })
    .optional()
    .describe("Lines of the result to show."),
  chars: z
    .object({
      start: z.int().min(0).optional().describe("First character, 0-based."),
      end: z.int().min(0).optional().describe("Where to end, not included."),
    })
    .optional()
    .describe(
      "Characters of the result to show, for lines too long for one result. Not together with range.",
    ),
  grep: z
    .string()
    .optional()
    .describe(
      "Regular expression (RE2 syntax): only matching lines, with their numbers; within range if given.",
    ),
});

type Arguments = z.output<typeof input>;

export type RecallDetails =
  | { readonly kind: "list"; readonly results: readonly ListedResult[] }
  | {
      readonly kind: "lines" | "characters";
      readonly id: string;
      readonly tool: string;
      /** Lines are 1-based and inclusive, characters 0-based and half open. */
      readonly start: number;
      readonly end: number;
      readonly total: number;
    }
  | {
      readonly kind: "matches";
      readonly id: string;
      readonly tool: string;
      /** The numbers of the matching lines. */
      readonly lines: readonly number[];
      readonly total: number;
    };

export const recallTool: Tool<"recall", typeof input, RecallDetails> = {
  name: "recall",
  annotations: {
    title: "Recall an earlier result",
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  alwaysLoaded: true,
  input,
  describe: () =>
    "Shows what an earlier call returned: all of it, a range of its lines or characters, or the lines that match. " +
    "A long result is carried with one gap, and the line at the gap names the call of this tool that returns what is missing. " +
    "Nothing is run again. Without id it lists recent results.",
  access: () => NO_ACCESS,
  run: runRecall,
};

/** A recalled result and what is wanted of it. */
interface Recalled {
  readonly result: PastResult;
  readonly range: Extent | undefined;
  readonly chars: Extent | undefined;
  readonly context: ToolContext;
}

async function runRecall(args: Arguments, context: ToolContext): Promise<ToolResult<RecallDetails>> {
  const { results } = context.ports;
  if (results === undefined) throw new Error("there are no earlier results outside of a session");
  const asked = readAsked(args);
  const problems = findProblems(asked);
  if (problems.length > 0) return refuseInput(problems, context);
  if (args.id === undefined) return list(asked, results);
  const result = results.find(args.id);
  if (result === undefined) return refuseMissing(args.id, results);
  const lines = placeRange({ result, unit: "lines", asked: asked.range });
  if (isRefusal(lines)) return lines;
  const characters = placeRange({ result, unit: "characters", asked: asked.chars });
  if (isRefusal(characters)) return characters;
  const recalled = { result, range: lines, chars: characters, context };
  return asked.grep === undefined ? showPart(recalled) : findMatches(recalled, asked.grep);
}

function refuseInput(problems: readonly InputProblem[], { names }: ToolContext): Refusal {
  return refuse("input-invalid", {
    tool: names.name("recall") ?? "recall",
    problems,
    takes: Object.keys(input.shape).map((name) => `${name}?`),
  });
}

/** The latest ids that a refusal names: enough to see the pattern of an id that was mistyped. */
const NAMED = 5;
/** As many as the list shows. */
const LOOKED_AT = 100;

function refuseMissing(id: string, results: PastResults): Refusal {
  const listed = results.list(LOOKED_AT);
  const isInterrupted = listed.some((one) => one.id === id && one.isInterrupted === true);
  const recent = listed.filter((one) => one.isInterrupted !== true).slice(0, NAMED);
  return refuse("result-missing", {
    id,
    recent: recent.map((one) => one.id),
    ...(isInterrupted ? { isInterrupted } : {}),
  });
}

function list({ range, chars, grep }: AskedPart, results: PastResults): Done<RecallDetails> {
  const { content, listed } = listResults(results);
  const isMore = range !== undefined || chars !== undefined || grep !== undefined;
  return {
    content,
    details: { kind: "list", results: listed },
    notes: isMore
      ? [
          {
            code: "argument-ignored",
            text: "range, chars and grep say nothing without id and were ignored",
            audience: "model",
          },
        ]
      : [],
  };
}

function showPart({ result, range, chars }: Recalled): Done<RecallDetails> {
  const { id, tool, lines, characters } = result;
  const name = nameResult(result);
  if (chars !== undefined) {
    const { start, end, clause } = chars;
    return {
      content: `${name}: characters ${start}–${end} of ${characters}${clause}\n${result.readCharacters(start, end)}`,
      details: { kind: "characters", id, tool, start, end, total: characters },
    };
  }
  if (range !== undefined) {
    const { start, end, clause } = range;
    return {
      content: `${name}: lines ${start}–${end} of ${lines}${clause}\n${result.readLines(start, end)}`,
      details: { kind: "lines", id, tool, start, end, total: lines },
    };
  }
  const size = `${countOf(lines, "line")}, ${countOf(characters, "character")}`;
  return {
    content: `${name}: ${size}\n${result.content}`,
    details: { kind: "lines", id, tool, start: 1, end: lines, total: lines },
  };
}

async function findMatches(
  { result, range, context }: Recalled,
  pattern: string,
): Promise<ToolResult<RecallDetails>> {
  const found = await findMatchingLines({ result, range, pattern, context });
  if (isRefusal(found)) return found;
  const { id, tool, lines: total } = result;
  const { rows, lines, taken } = found;
  const count = lines.length === 0 ? "no matching lines" : countOf(lines.length, "matching line");
  const where =
    range === undefined ? ` of ${total}` : ` in lines ${range.start}–${range.end} of ${total}${range.clause}`;
  const head = `${nameResult(result)}: ${count}${where}${taken === undefined ? "" : `; ${taken}`}`;
  return {
    content: [head, ...rows].join("\n"),
    details: { kind: "matches", id, tool, lines, total },
  };
}
