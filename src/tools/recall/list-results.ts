/**
 * Owns how a result is named, and the list of recent ones. Leaves which there are to the port.
 * Rule: one line each, whatever stands in a result or in an id that a provider chose.
 */
import type { PastResultSummary, PastResults } from "../../contract/results.ts";
import { keepOnOneLine } from "../../text/one-line.ts";
import { clipMiddle, countOf } from "../../text/search-summary.ts";

export interface ListedResult {
  readonly id: string;
  readonly tool: string;
  readonly isError: boolean;
  readonly lines: number;
  readonly characters: number;
  /** It began and never ended: there is nothing to recall. */
  readonly isInterrupted?: true;
}

/** Results that are listed: at about 150 characters each, half of what a request carries of one result. */
const MOST_LISTED = 100;

/** `call_7 (bash)`, `call_8 (bash, error)`. */
export function nameResult({ id, tool, isError }: Pick<ListedResult, "id" | "tool" | "isError">): string {
  return `${clipName(id)} (${clipName(tool)}${isError ? ", error" : ""})`;
}

/** Ids have up to 160 characters, and a session's before them; a name that is none of a tool may have a million. */
const LONGEST_NAME = 240;

function clipName(name: string): string {
  return clipMiddle(keepOnOneLine(name), LONGEST_NAME);
}

export function listResults(results: PastResults): { content: string; listed: readonly ListedResult[] } {
  // One more than is shown tells whether there are more.
  const found = results.list(MOST_LISTED + 1);
  const shown = found.slice(0, MOST_LISTED);
  const rows = shown.map((one) => {
    if (one.isInterrupted) return `${clipName(one.id)} (${clipName(one.tool)}, interrupted): no result`;
    const size = `${countOf(one.lines, "line")}, ${countOf(one.characters, "character")}`;
    return `${nameResult(one)}: ${size}: ${keepOnOneLine(one.head)}`;
  });
  const listed = shown.map(({ head: _head, ...rest }) => rest);
  return { content: [countResults(found, shown), ...rows].join("\n"), listed };
}

function countResults(found: readonly PastResultSummary[], shown: readonly PastResultSummary[]): string {
  const interrupted = shown.filter(({ isInterrupted }) => isInterrupted).length;
  const without =
    interrupted === 0
      ? ""
      : `; ${countOf(interrupted, "call")} ${interrupted === 1 ? "was" : "were"} interrupted and ${interrupted === 1 ? "has" : "have"} none`;
  if (found.length === 0) return "no results in this session yet";
  return found.length > shown.length
    ? `the latest ${MOST_LISTED} results of this session, the latest first; older ones are recalled by their id${without}`
    : `${countOf(shown.length - interrupted, "result")} in this session, the latest first${without}`;
}
