/**
 * Owns finding out what was read for a result that `recall` would show: from the entry of its call, and, where that
 * walked, from what it found. Leaves judging it to permission/. Rule: what is recalled keeps what it was read from, also
 * where it is recalled from a recall. What a command read cannot be told.
 */
import type { PastResultSummary, PastResults } from "../contract/results.ts";
import type { PastCall } from "../ledger/past-calls.ts";
import type { Recalled } from "../permission/recalled.ts";
import { isRecord } from "../text/is-record.ts";
import type { Mounted, PreparedCall } from "../toolset/mounted.ts";

/** A call that a recall would show. */
export interface RecalledCall extends Recalled {
  /** Made before this session was opened: under rules that may have been others. */
  readonly isEarlier: boolean;
}

export type FindRecalled = (prepared: PreparedCall) => RecalledCall | undefined;

export function openRecalled(of: {
  readonly past: (id: string) => PastCall | undefined;
  readonly bare: Mounted["names"]["bare"];
}): FindRecalled {
  const found = new WeakMap<PreparedCall, RecalledCall>();
  return (prepared) => {
    if (prepared.tool.name !== "recall") return undefined;
    const known = found.get(prepared);
    if (known !== undefined) return known;
    const { id } = prepared.input;
    const past = typeof id === "string" ? of.past(id) : undefined;
    // What is not there yet may be there when it is asked for next.
    if (past === undefined) return undefined;
    const call = describePast(past, of.bare);
    found.set(prepared, call);
    return call;
  };
}

export function describePast(past: PastCall, bare: Mounted["names"]["bare"]): RecalledCall {
  // A denial says nothing of what it denies.
  const { tool, tools } = findTools(past, bare);
  const isOpen = !(isRecord(past.decision) && past.decision.outcome === "denied");
  return {
    tools,
    isEarlier: past.isEarlier,
    asked: isOpen ? pathsOfAccess(past.access) : [],
    shown: isOpen && READING.some((one) => one === tool) ? [...new Set(pathsOfWalk(past.details()))] : [],
  };
}

const READING = ["read", "list", "glob", "grep"] as const;
const CHANGING: ReadonlySet<string> = new Set(["edit", "write", "delete", "move"]);

/** Which tool it was, and whose rules about paths hold for what it gave. */
function findTools(
  past: PastCall,
  bare: Mounted["names"]["bare"],
): { tool: string; tools: readonly string[] } {
  // The session may have had another prefix.
  const tool = bare(past.name) ?? READING.find((one) => past.name.endsWith(one)) ?? past.name;
  if (tool === "recall") return { tool, tools: READING };
  // What changes a file shows its text, as reading it does.
  if (CHANGING.has(tool)) return { tool, tools: ["read"] };
  if (tool !== "read") return { tool, tools: [tool] };
  if (isRecord(past.args) && past.args.grep !== undefined) return { tool, tools: ["read", "grep"] };
  const details = past.details();
  return { tool, tools: isRecord(details) && details.kind === "delegated" ? ["read", "list"] : ["read"] };
}

function pathsOfAccess(access: unknown): readonly string[] {
  const uses = isRecord(access) && Array.isArray(access.paths) ? access.paths : [];
  return uses.flatMap((use: unknown) =>
    isRecord(use) && use.effect !== "enters" && typeof use.path === "string" ? [use.path] : [],
  );
}

/** `list` has `entries` below its `path`, `glob` has `paths`, `grep` has `results`; `read` has theirs. */
function pathsOfWalk(details: unknown): readonly string[] {
  if (!isRecord(details)) return [];
  if (details.kind === "delegated") return pathsOfWalk(details.details);
  const { path, entries, paths, results } = details;
  const below = typeof path === "string" && path !== "." ? `${path}/` : "";
  return [
    ...pathsIn(entries).map((entry) => below + entry),
    ...pathsIn(results),
    ...(Array.isArray(paths) ? paths.filter((one) => typeof one === "string") : []),
  ].map((one) => (one.endsWith("/") ? one.slice(0, -1) : one));
}

function pathsIn(rows: unknown): readonly string[] {
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row: unknown) => (isRecord(row) && typeof row.path === "string" ? [row.path] : []));
}

/**
 * The list of results, without the first lines of what may not be shown any more: of a session that goes on under
 * other rules. That there was a call is no secret.
 */
export function hideHeads(
  results: PastResults,
  of: {
    readonly past: (id: string) => PastCall | undefined;
    readonly bare: Mounted["names"]["bare"];
    /** The rule that hides a path relative to the root. */
    readonly withholds: (path: string) => string | undefined;
  },
): PastResults {
  const hide = (summary: PastResultSummary): PastResultSummary => {
    const past = summary.isInterrupted ? undefined : of.past(summary.id);
    if (past?.isEarlier !== true) return summary;
    const { asked, shown } = describePast(past, of.bare);
    const rule = [...asked, ...shown].map(of.withholds).find((one) => one !== undefined);
    return rule === undefined ? summary : { ...summary, head: `withheld by rule ${rule}` };
  };
  return { find: results.find, list: (limit) => results.list(limit).map(hide) };
}
