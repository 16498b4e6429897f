/**
 * Owns the words for what is wrong with terms.
 * Leaves what may be said to terms.ts. Rule: each is the end of a sentence that begins with the place, and says what is
 * allowed; of an unknown word it gives the nearest one that is known.
 */
import type { z } from "zod";
import { CRITERION_KINDS } from "../contract/commitment.ts";
import type { InputProblem } from "../contract/refusal.ts";
import { nearestName } from "../text/edit-distance.ts";

/** Every word that terms are made of. */
const WORDS = [
  ...["id", "objective", "evidence", "criteria", "deadline", "stakes", "budget", "stallLimit", "pinned"],
  ...["statement", "kind", "required", "paths", "tool", "path", "text", "pattern", "command", "cwd"],
  ...["timeoutMs", "from", "by", "episodes", "usd"],
];

export function toProblems(issue: z.core.$ZodIssue): InputProblem[] {
  const place = issue.path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "");
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({
      path: place === "" ? key : `${place}.${key}`,
      message: tellUnknown(key),
    }));
  return [{ path: place === "" ? "commitment" : place, message: tellIssue(issue) }];
}

function tellUnknown(key: string): string {
  const near = nearestName(key, WORDS);
  return near === undefined || near === key
    ? "is not known here"
    : `is not known here; did you mean ${near}?`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: "a text",
  array: "a list",
  object: "an object",
  boolean: "true or false",
  number: "a number",
  int: "a whole number",
};

function tellIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type": {
      const isMissing = issue.message.endsWith("received undefined");
      return `${isMissing ? "is missing, and " : ""}must be ${KINDS[issue.expected] ?? issue.expected}`;
    }
    case "invalid_value":
      return `must be one of ${issue.values.map(String).join(", ")}`;
    case "invalid_union":
      return `must be one of ${CRITERION_KINDS.join(", ")}`;
    case "too_big":
      return `must ${issue.origin === "array" || issue.origin === "string" ? "have" : "be"} at most ${issue.maximum}${unitOf(issue.origin)}`;
    case "too_small":
      return issue.origin === "number" && issue.inclusive === false
        ? `must be more than ${issue.minimum}`
        : `must ${issue.origin === "array" || issue.origin === "string" ? "have" : "be"} at least ${issue.minimum}${unitOf(issue.origin)}`;
    default:
      return /^[a-z]/.test(issue.message) ? issue.message : "is of the wrong kind";
  }
}

function unitOf(origin: string): string {
  return origin === "array" ? " entries" : origin === "string" ? " characters" : "";
}
