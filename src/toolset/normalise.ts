/**
 * Owns bringing arguments into the types that a tool's schema wants, guided by that schema.
 * Leaves other names to apply-aliases.ts, and what is still wrong to check-input.ts.
 * Rule: only what has one meaning is changed. `"12"` is 12; a string is never made from anything else.
 */
import type { ArgumentAliases } from "../contract/tool.ts";
import { nearestName } from "../text/edit-distance.ts";
import { isRecord } from "../text/is-record.ts";
import { EMPTY_IS_A_VALUE, FOLDS, isCommentary } from "./aliases.ts";
import { applyAliases, isEmptyAbsent, isGiven, type Level, listRows } from "./apply-aliases.ts";
import type { Findings } from "./findings.ts";
import { listArguments, type ObjectSchema, type PlainSchema } from "./input-schema.ts";
import { readJson } from "./json-repair.ts";
import { copyPlain, joinPath } from "./plain-copy.ts";
import { readBoolean, readNumber } from "./read-scalar.ts";

interface Walk {
  readonly tool: string;
  readonly changes: boolean;
  readonly findings: Findings;
  readonly aliases?: ArgumentAliases | undefined;
}

/** Normalises the whole arguments of a call, in place. `record` is a copy without a prototype (plain-copy.ts). */
export function normaliseArguments(
  call: Walk & { schema: ObjectSchema; record: Record<string, unknown> },
): void {
  normaliseRecord({ ...call, path: "" });
}

function normaliseRecord(level: Level): void {
  const { record, schema, path } = level;
  applyAliases(level);
  if (path === "") foldEntries(level);
  for (const name of Object.keys(record)) {
    const value = record[name];
    const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    if (value === null || value === undefined) delete record[name];
    else if (property === undefined) dropUnknown(level, name);
    else if (value === "" && isEmptyAbsent(schema, name)) delete record[name];
    else if (value === "" && property.type === "string" && !EMPTY_IS_A_VALUE.includes(name))
      level.findings.problem(joinPath(path, name), "must not be empty");
    else record[name] = normaliseValue(value, property, { ...level, path: joinPath(path, name) });
  }
}

/** One entry at the top level stands for a list of one; both at once have no right answer. */
function foldEntries({ tool, record, findings, schema }: Level): void {
  for (const fold of FOLDS) {
    if (fold.tool !== tool || !Object.hasOwn(schema.properties, fold.into)) continue;
    const loose = fold.names.filter(
      (name) =>
        !Object.hasOwn(schema.properties, name) && record[name] !== undefined && record[name] !== null,
    );
    if (loose.length === 0) continue;
    const entry: Record<string, unknown> = Object.create(null);
    for (const name of loose) {
      entry[name] = record[name];
      delete record[name];
    }
    if (isGiven({ record, schema }, fold.into))
      findings.problem(
        loose[0] ?? fold.into,
        `stands beside ${fold.into}; put it into an entry of ${fold.into}, or leave ${fold.into} out`,
      );
    else record[fold.into] = [entry];
  }
}

function dropUnknown(level: Level, name: string): void {
  const { tool, changes, findings, schema, path, record } = level;
  delete record[name];
  if (isCommentary(name)) return;
  const shown = joinPath(path, name);
  const near = findNear(name, level);
  const message = `is not an argument here${near === undefined ? "" : `; did you mean ${near}?`}`;
  if (changes) findings.problem(shown, message);
  else {
    findings.unknown.push({ path: shown, message });
    findings.note(`${shown} was ignored: ${tool} takes ${listArguments(schema).join(", ")}`);
  }
}

function findNear(name: string, level: Level): string | undefined {
  const { tool, schema } = level;
  const own = Object.keys(schema.properties).filter((key) => schema.properties[key]?.hidden !== true);
  const direct = nearestName(name, own);
  if (direct !== undefined) return direct;
  const rows = listRows(level).filter(
    (row) => row.tools.includes(tool) && "to" in row && own.includes(row.to),
  );
  const alias = nearestName(
    name,
    rows.flatMap((row) => row.names),
  );
  // A part of a longer alias is a word of its own: `expected` is no slip for `expected_replacements`.
  const isSlip = alias !== undefined && Math.abs(alias.length - name.length) <= name.length / 3;
  const row = isSlip ? rows.find((one) => one.names.includes(alias)) : undefined;
  return row !== undefined && "to" in row ? row.to : undefined;
}

type Spot = Walk & { readonly path: string };

function normaliseValue(value: unknown, schema: PlainSchema, spot: Spot): unknown {
  switch (schema.type) {
    case "string":
      return checkWellFormed(value, spot);
    case "integer":
    case "number":
      return readNumber(value);
    case "boolean":
      return readBoolean(value);
    case "array":
      return normaliseArray(value, schema.items, spot);
    case "object":
      return normaliseObject(value, schema, spot);
  }
}

/** Half a character cannot be written to a file as it is; nothing is changed on the strength of a guess. */
function checkWellFormed(value: unknown, { changes, findings, path }: Spot): unknown {
  if (typeof value !== "string" || value.isWellFormed()) return value;
  if (changes) findings.problem(path, "holds half a character (a lone surrogate); send whole characters");
  else
    findings.note(
      `${path} holds half a character (a lone surrogate), which was replaced`,
      "argument-repaired",
    );
  return value.toWellFormed();
}

function normaliseArray(value: unknown, items: PlainSchema | undefined, spot: Spot): unknown {
  const parsed = parseWanted(value, spot);
  if (items === undefined) return parsed;
  const list = isRecord(parsed) && items.type === "object" ? [parsed] : parsed;
  if (!Array.isArray(list)) return list;
  return list.map((item, index) => normaliseValue(item, items, { ...spot, path: `${spot.path}[${index}]` }));
}

function normaliseObject(value: unknown, schema: PlainSchema, spot: Spot): unknown {
  const parsed = parseWanted(value, spot);
  if (!isRecord(parsed) || schema.properties === undefined) return parsed;
  normaliseRecord({
    ...spot,
    schema: { ...schema, type: "object", properties: schema.properties, required: schema.required ?? [] },
    record: parsed,
  });
  return parsed;
}

/** A JSON text where an array or object is wanted. What does not parse is left for the check to name. */
function parseWanted(value: unknown, { changes, findings, path }: Spot): unknown {
  if (typeof value !== "string") return value;
  const reading = readJson(value, { unknownEscapes: changes ? "refuse" : "literal" });
  if (reading.kind === "truncated" && /^\s*["'[{`]/.test(value)) findings.truncated = true;
  if (reading.kind === "broken" && /^\s*["'[{`]/.test(value))
    findings.problem(path, `is a text that is not JSON: ${reading.message}`);
  if (reading.kind !== "value") return value;
  for (const taken of reading.escapes)
    findings.note(`the escape ${taken} is not JSON and was taken literally`, "argument-repaired");
  if (reading.repairs.length > 0) findings.repairs.push(...reading.repairs);
  const copy = copyPlain(reading.value);
  if ("value" in copy) return typeof copy.value === "object" && copy.value !== null ? copy.value : value;
  findings.problem(path, copy.problem.message);
  return value;
}
