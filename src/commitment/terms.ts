/**
 * Owns what a host may say of a new commitment, and what is wrong with it.
 * Leaves everything that happens later to judge-event.ts. Rule: all problems at once, by their places; what is kept is
 * complete, so that no later default gives an old commitment another meaning.
 */
import { z } from "zod";
import { type CommitmentTerms, STAKES, STRENGTHS } from "../contract/commitment.ts";
import { type InputProblem, isRefusal, type Refusal, refuse } from "../contract/refusal.ts";
import { compilePattern } from "../text/regex-pattern.ts";
import { toProblems } from "./term-problems.ts";

/** Characters: what a person still reads in one go, and what 1,000 of stay a list. */
const LONGEST_TEXT = 4_000;
/** A script has room; a program belongs into a file. */
const LONGEST_COMMAND = 100_000;
const MOST_CRITERIA = 100;
const MOST_PATHS = 100;
const STALL_LIMIT = 3;

/** What is written in a sentence or an id is text that every surface can show. */
const text = z
  .string()
  .refine((value) => value.trim() !== "", "must not be empty")
  .refine((value) => [...value].length <= LONGEST_TEXT, `must have at most ${LONGEST_TEXT} characters`)
  .refine((value) => value.isWellFormed(), "must be well-formed Unicode: it has half of a surrogate pair");
const path = z
  .string()
  .min(1, "must not be empty")
  .max(LONGEST_TEXT)
  .refine((value) => !value.includes("\0") && value.isWellFormed(), "can be no path");

const ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
const CRITERION_ID = z
  .string()
  .regex(ID, "must be 1 to 64 letters, digits, _, - and ., and begin with a letter or digit");

const shared = {
  id: CRITERION_ID.optional(),
  statement: text,
  required: z.boolean().default(true),
  paths: z.array(path).max(MOST_PATHS).optional(),
};
const criterion = z.discriminatedUnion("kind", [
  z.strictObject({ ...shared, kind: z.literal("statement") }),
  z.strictObject({ ...shared, kind: z.literal("tool-call"), tool: text.optional() }),
  z.strictObject({ ...shared, kind: z.literal("file-exists"), path }),
  z.strictObject({
    ...shared,
    kind: z.literal("file-contains"),
    path,
    text: z.string().min(1, "must not be empty").max(LONGEST_COMMAND).optional(),
    pattern: z.string().min(1, "must not be empty").max(LONGEST_TEXT).optional(),
  }),
  z.strictObject({
    ...shared,
    kind: z.literal("shell"),
    command: z
      .string()
      .refine((value) => value.trim() !== "", "must not be empty")
      .max(LONGEST_COMMAND),
    cwd: path.optional(),
    timeoutMs: z.int().min(1).optional(),
  }),
  z.strictObject({ ...shared, kind: z.literal("receipt"), from: text.optional() }),
  z.strictObject({ ...shared, kind: z.literal("attestation"), by: text.optional() }),
]);

/** A day without a time lasts until its end. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/** A time as a person or a program gives it, in the form in which it is kept; undefined where it is none. */
export function readInstant(given: string): string | undefined {
  const isDay = DAY.test(given);
  if (!isDay && !INSTANT.test(given)) return undefined;
  const date = new Date(isDay ? `${given}T23:59:59Z` : given);
  // The 30th of February is otherwise some day in March.
  if (Number.isNaN(date.getTime()) || (isDay && date.toISOString().slice(0, 10) !== given)) return undefined;
  return date.toISOString().replace(/\.\d{3}Z$/, "Z");
}

const deadline = z.string().transform((given, context) => {
  const instant = readInstant(given);
  if (instant !== undefined) return instant;
  context.issues.push({
    code: "custom",
    input: given,
    message:
      "must be a day (2026-10-31, until its end in UTC) or a time with its zone (2026-10-31T17:00:00Z)",
  });
  return z.NEVER;
});

const terms = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{8,64}$/, "must be 8 to 64 letters, digits, _ and -")
    .optional(),
  objective: text,
  evidence: z.enum(STRENGTHS).default("observed"),
  criteria: z.array(criterion).min(1, "must have at least one criterion").max(MOST_CRITERIA),
  deadline: deadline.optional(),
  stakes: z.enum(STAKES).default("normal"),
  budget: z
    .strictObject({ episodes: z.int().min(1).optional(), usd: z.number().positive().optional() })
    .optional(),
  stallLimit: z.int().min(1).default(STALL_LIMIT),
  pinned: z.boolean().default(false),
});

/** What a host says. */
export type CommitmentInput = z.input<typeof terms>;

/** `id` is there where the host gave one. */
export function readTerms(
  input: unknown,
): { readonly id: string | undefined; readonly terms: CommitmentTerms } | Refusal {
  const parsed = terms.safeParse(input);
  if (!parsed.success)
    return refuse("commitment-invalid", { problems: parsed.error.issues.flatMap(toProblems) });
  const { id, ...given } = parsed.data;
  const criteria = given.criteria.map((one, index) => ({ ...one, id: one.id ?? `c${index + 1}` }));
  const problems = findProblems(criteria);
  if (problems.length > 0) return refuse("commitment-invalid", { problems });
  return { id, terms: dropUndefined({ ...given, criteria }) };
}

type Kept = CommitmentTerms["criteria"][number];

function findProblems(
  criteria: readonly { readonly id: string; readonly required: boolean; readonly kind: Kept["kind"] }[],
) {
  const problems: InputProblem[] = [];
  const seen = new Set<string>();
  for (const [index, one] of criteria.entries()) {
    if (seen.has(one.id))
      problems.push({ path: `criteria[${index}].id`, message: `${one.id} is the id of another one already` });
    seen.add(one.id);
    const content = one as { readonly text?: string; readonly pattern?: string };
    if (one.kind === "file-contains") problems.push(...findContentProblems(content, `criteria[${index}]`));
  }
  if (!criteria.some(({ required }) => required))
    problems.push({
      path: "criteria",
      message: "must have at least one that is required: else nothing proves it",
    });
  return problems;
}

function findContentProblems(
  { text: literal, pattern }: { readonly text?: string; readonly pattern?: string },
  place: string,
): InputProblem[] {
  if ((literal === undefined) === (pattern === undefined))
    return [{ path: place, message: "must have one of text and pattern" }];
  if (pattern === undefined) return [];
  const compiled = compilePattern({ pattern, literal: false, ignoreCase: false, multiline: false });
  if (isRefusal(compiled))
    return [
      { path: `${place}.pattern`, message: `must be of linear time, without ${compiled.facts.construct}` },
    ];
  return compiled.taken === undefined
    ? []
    : [{ path: `${place}.pattern`, message: compiled.taken.replace(/^.*: /, "is no regular expression: ") }];
}

/** JSON has none of them, and what is read back must equal what was written. */
function dropUndefined(value: unknown): CommitmentTerms {
  return JSON.parse(JSON.stringify(value)) as CommitmentTerms;
}
