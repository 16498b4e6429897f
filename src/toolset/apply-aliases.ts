/**
 * Owns turning other names of arguments into ours, on one level of a call's arguments.
 * Leaves the names to aliases.ts and types to normalise.ts.
 * Rule: the explicit name wins, and what is ignored is said. Two aliases that disagree about a change are
 * refused: which of two files was meant has no safe answer.
 */
import type { ArgumentAliases } from "../contract/tool.ts";
import { ALIASES, type AliasRow, EMPTY_IS_A_VALUE, FOLDS } from "./aliases.ts";
import type { Findings } from "./findings.ts";
import type { ObjectSchema } from "./input-schema.ts";
import { joinPath } from "./plain-copy.ts";
import { readBoolean, readNumber } from "./read-scalar.ts";
import { showValue } from "./show-value.ts";

/** One level of arguments: the call's own, or those of an entry. */
export interface Level {
  readonly tool: string;
  /** Whether the tool changes something. */
  readonly changes: boolean;
  readonly schema: ObjectSchema;
  /** Empty at the top, else `edits[1]`. */
  readonly path: string;
  /** Changed in place. */
  readonly record: Record<string, unknown>;
  readonly findings: Findings;
  /** Other names that the tool itself brings. */
  readonly aliases?: ArgumentAliases | undefined;
}

type RowOf<R extends AliasRow["rule"]> = Extract<AliasRow, { rule: R }>;

interface Given {
  readonly name: string;
  readonly value: unknown;
}

/** Renames, computes and drops what stands under other names. */
export function applyAliases(level: Level): void {
  const taken = new Map<string, Given>();
  for (const row of listRows(level)) {
    if (!row.tools.includes(level.tool) || !belongsHere(row, level)) continue;
    const given: Given[] = [];
    for (const name of row.names) {
      if (!Object.hasOwn(level.record, name) || isArgument(level.schema, name)) continue;
      const value = level.record[name];
      delete level.record[name];
      if (value !== null && value !== undefined) given.push({ name, value });
    }
    if (given.length > 0) applyRow(row, given, { level, taken });
  }
}

/** A tool of a host's own stands in no table: what it accepts it says itself, for the top level. */
export function listRows({
  tool,
  path,
  aliases,
}: Pick<Level, "tool" | "path" | "aliases">): readonly AliasRow[] {
  if (aliases === undefined || path !== "") return ALIASES;
  const own = Object.entries(aliases).map(([to, names]): AliasRow => {
    return { rule: "rename", to, tools: [tool], names };
  });
  return [...own, ...ALIASES];
}

/** Whether a name is an argument of its own here. A hidden one is reached through its alias alone. */
function isArgument({ properties }: ObjectSchema, name: string): boolean {
  return Object.hasOwn(properties, name) && properties[name]?.hidden !== true;
}

function belongsHere(row: AliasRow, level: Level): boolean {
  if (!("to" in row)) return level.path === "";
  return Object.hasOwn(level.schema.properties, row.to) || (level.path === "" && folds(level.tool, row.to));
}

function folds(tool: string, name: string): boolean {
  return FOLDS.some((fold) => fold.tool === tool && fold.names.includes(name));
}

interface Place {
  readonly level: Level;
  /** Which alias has set which of our names. */
  readonly taken: Map<string, Given>;
}

function applyRow(row: AliasRow, given: readonly Given[], place: Place): void {
  if (row.rule === "larger") setLarger(row, given, place);
  else for (const one of given) applyOne(row, one, place);
}

function applyOne(row: Exclude<AliasRow, RowOf<"larger">>, one: Given, place: Place): void {
  switch (row.rule) {
    case "dropped":
      break;
    case "must-be":
      checkWord(row, one, place);
      break;
    case "rename":
      setArgument(row.to, { ...one, value: translate(row, one.value) }, place);
      break;
    case "negated":
      setArgument(row.to, { ...one, value: negate(one.value) }, place);
      break;
    case "seconds":
      setSeconds(row, one, place);
      break;
    case "count":
      setCount(one, place);
      break;
    case "last-line":
      setLastLine(one, one.value, place);
      break;
    case "line-range":
      setLineRange(one, place);
  }
}

/** Whether an argument is given: null is not, nor is an empty optional string. */
export function isGiven(level: Pick<Level, "record" | "schema">, name: string): boolean {
  const value = level.record[name];
  if (value === undefined || value === null) return false;
  return value !== "" || !isEmptyAbsent(level.schema, name);
}

/** Whether an empty string under this name counts as absent. */
export function isEmptyAbsent(schema: ObjectSchema, name: string): boolean {
  const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
  return property?.type === "string" && !schema.required.includes(name) && !EMPTY_IS_A_VALUE.includes(name);
}

function setArgument(to: string, given: Given, { level, taken }: Place): void {
  const earlier = taken.get(to);
  if (earlier === undefined && !isGiven(level, to)) {
    level.record[to] = given.value;
    taken.set(to, given);
    return;
  }
  const winner = earlier?.name ?? to;
  if (earlier !== undefined && level.changes && !isSame(earlier.value, given.value)) {
    level.findings.problem(
      joinPath(level.path, given.name),
      `disagrees with ${winner}, and both mean ${to}; give ${to} alone`,
    );
    return;
  }
  level.findings.note(`${joinPath(level.path, given.name)} was ignored because ${winner} is given`);
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function translate(row: RowOf<"rename">, value: unknown): unknown {
  if (row.values === undefined || typeof value !== "string" || !Object.hasOwn(row.values, value))
    return value;
  return row.values[value];
}

function negate(value: unknown): unknown {
  const read = readBoolean(value);
  return typeof read === "boolean" ? !read : value;
}

function readWhole(given: Given, { level }: Place): number | undefined {
  const value = readNumber(given.value);
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  level.findings.problem(
    joinPath(level.path, given.name),
    `must be a whole number, not ${showValue(given.value)}`,
  );
  return undefined;
}

function setLarger(row: RowOf<"larger">, given: readonly Given[], place: Place): void {
  const numbers = given.map((one) => readWhole(one, place)).filter((one) => one !== undefined);
  const first = given[0];
  if (first === undefined || numbers.length < given.length) return;
  const name = given.map((one) => one.name).join(" and ");
  setArgument(row.to, { name, value: Math.max(...numbers) }, place);
}

function setSeconds(row: RowOf<"seconds">, given: Given, place: Place): void {
  const value = readNumber(given.value);
  const seconds = typeof value === "number" && value > 0 && value < 1000;
  setArgument(row.to, { ...given, value: seconds ? Math.round(value * 1000) : value }, place);
  if (seconds) place.level.findings.note(`${given.name} ${value} was taken as seconds`, "argument-repaired");
}

function checkWord(row: RowOf<"must-be">, given: Given, { level }: Place): void {
  const fitting = row.fits[level.tool];
  if (given.value === fitting) return;
  level.findings.problem(
    given.name,
    `can only be ${showValue(fitting)} in a call of this tool, not ${showValue(given.value)}`,
  );
}

function setCount(given: Given, place: Place): void {
  const { record, findings, path } = place.level;
  const count = readWhole(given, place);
  if (count === undefined || count === 1) return;
  const shown = joinPath(path, given.name);
  if (count < 1) findings.problem(shown, `must be at least 1, not ${count}`);
  else if (record.replace_all === false) findings.note(`${shown} was ignored because replace_all is given`);
  else if (!knowsCount(place.level))
    findings.problem(shown, "cannot be checked; use replace_all: true instead");
  else {
    record.replace_all = true;
    record.expected_replacements = count;
  }
}

/** Whether the entries of this level take the count that must agree. It is a hidden argument: only this alias sets it. */
function knowsCount(level: Level): boolean {
  if (Object.hasOwn(level.schema.properties, "expected_replacements")) return true;
  return FOLDS.some((fold) => {
    const entry = fold.tool === level.tool ? level.schema.properties[fold.into]?.items : undefined;
    return entry?.properties !== undefined && Object.hasOwn(entry.properties, "expected_replacements");
  });
}

function setLineRange(given: Given, place: Place): void {
  const { findings, path } = place.level;
  const range = readRange(given.value);
  if (range === undefined) {
    findings.problem(
      joinPath(path, given.name),
      `must be [first line, last line], not ${showValue(given.value)}`,
    );
    return;
  }
  const [first, last] = range;
  setArgument("offset", { name: given.name, value: readNumber(first) }, place);
  if (last !== undefined && last !== null) setLastLine(given, last, place);
}

/** `[1, 20]`, also as text. */
function readRange(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value.length === 1 || value.length === 2 ? value : undefined;
  if (typeof value !== "string") return undefined;
  const numbers = /^\s*\[?\s*(-?\d{1,15})\s*[,-]\s*(-?\d{1,15})\s*\]?\s*$/.exec(value);
  return numbers === null ? undefined : [numbers[1], numbers[2]];
}

function setLastLine(given: Given, value: unknown, place: Place): void {
  const { level } = place;
  const { findings } = level;
  const last = readWhole({ name: given.name, value }, place);
  if (last === undefined) return;
  const offset = readNumber(level.record.offset ?? 1);
  if (isGiven(level, "limit")) findings.note(`${given.name} was ignored because limit is given`);
  // −1 means to the end, and a wrong offset is reported by itself.
  else if (last === -1 || typeof offset !== "number" || !Number.isSafeInteger(offset)) return;
  else if (last < offset)
    findings.problem(joinPath(level.path, given.name), `${last} lies before the first line, ${offset}`);
  else setArgument("limit", { name: given.name, value: last - offset + 1 }, place);
}
