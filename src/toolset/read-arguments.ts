/**
 * Owns taking a call's arguments in whatever form they come, up to one record without a prototype.
 * Leaves names and types to normalise.ts. Rule: JSON text or an object; everything else is a refusal.
 */

import { isRefusal, type Refusal, refuse } from "../contract/refusal.ts";
import { findEnvelope } from "./find-envelope.ts";
import type { Findings } from "./findings.ts";
import { listArguments, type ObjectSchema } from "./input-schema.ts";
import { readJson } from "./json-repair.ts";
import { copyPlain } from "./plain-copy.ts";
import { showValue } from "./show-value.ts";

export interface ArgumentsQuestion {
  /** The mounted name, for the refusal. */
  readonly name: string;
  /** The tool's own name, without the prefix. */
  readonly bare: string;
  readonly args: unknown;
  readonly changes: boolean;
  readonly schema: ObjectSchema;
  readonly findings: Findings;
}

/** Put into one by the model, once more by its client. */
const MAX_ENVELOPES = 3;

/** The arguments as one record. */
export function readArguments(question: ArgumentsQuestion): Record<string, unknown> | Refusal {
  const names = [question.name, question.bare];
  let record = readRecord(question);
  for (let opened = 0; opened < MAX_ENVELOPES && !isRefusal(record); opened++) {
    const args = findEnvelope(record, { names, schema: question.schema });
    if (args === undefined) return record;
    question.findings.repairs.push("arguments in an envelope");
    record = readRecord({ ...question, args });
  }
  return record;
}

function readRecord(question: ArgumentsQuestion): Record<string, unknown> | Refusal {
  const { args } = question;
  const value = typeof args === "string" ? readText(args, question) : { value: args };
  if ("kind" in value) return value;
  // Providers send nothing at all, or "", for a call without arguments.
  if (value.value === undefined || value.value === null)
    return Object.create(null) as Record<string, unknown>;
  const copied = copyPlain(value.value);
  if ("problem" in copied) return refuseArguments(question, copied.problem);
  if (typeof copied.value === "object" && copied.value !== null && !Array.isArray(copied.value))
    return copied.value as Record<string, unknown>;
  return refuseArguments(question, {
    path: "arguments",
    message: `must be one JSON object, not ${showValue(copied.value)}`,
  });
}

function readText(text: string, question: ArgumentsQuestion): { value: unknown } | Refusal {
  if (text.trim() === "") return { value: undefined };
  const reading = readJson(text, { unknownEscapes: question.changes ? "refuse" : "literal" });
  if (reading.kind === "truncated") return refuseTruncated(question);
  if (reading.kind === "broken")
    return refuseArguments(question, { path: "arguments", message: `are not JSON: ${reading.message}` });
  question.findings.repairs.push(...reading.repairs);
  for (const taken of reading.escapes)
    question.findings.note(`the escape ${taken} is not JSON and was taken literally`, "argument-repaired");
  return { value: reading.value };
}

export function refuseTruncated(question: Pick<ArgumentsQuestion, "name" | "args">): Refusal {
  const text = typeof question.args === "string" ? question.args : "";
  let characters = 0;
  for (const _ of text) characters += 1;
  return refuse("input-truncated", { tool: question.name, characters });
}

function refuseArguments(
  question: Pick<ArgumentsQuestion, "name" | "schema">,
  problem: { path: string; message: string },
): Refusal {
  return refuse("input-invalid", {
    tool: question.name,
    problems: [problem],
    takes: listArguments(question.schema),
  });
}
