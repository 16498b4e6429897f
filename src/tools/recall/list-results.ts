/**
 * Owns how a result is named, and the list of recent ones. Leaves which there are to the port.
 * Rule: one line each, whatever stands in a result or in an id that a provider chose.
 */
import type { PastResults } from "../../contract/results.ts";
import { keepOnOneLine } from "../../text/one-line.ts";
import { countOf } from "../../text/search-summary.ts";

export interface ListedResult {
  readonly id: string;
  readonly tool: string;
  readonly isError: boolean;
  readonly lines: number;
  readonly characters: number;
}

/** Results that are listed: at about 150 characters each, half of what a request carries of one result. */
const MOST_LISTED = 100;

/** `call_7 (bash)`, `call_8 (bash, error)`. */
export function nameResult({ id, tool, isError }: Pick<ListedResult, "id" | "tool" | "isError">): string {
  return keepOnOneLine(`${id} (${tool}${isError ? ", error" : ""})`);
}

export function listResults(results: PastResults): { content: string; listed: readonly ListedResult[] } {
  // One more than is shown tells whether there are more.
  const found = results.list(MOST_LISTED + 1);
  const shown = found.slice(0, MOST_LISTED);
  const rows = shown.map((one) => {
    const size = `${countOf(one.lines, "line")}, ${countOf(one.characters, "character")}`;
    return `${nameResult(one)}: ${size}: ${keepOnOneLine(one.head)}`;
  });
  const head =
    found.length === 0
      ? "no results in this session yet"
      : found.length > shown.length
        ? `the latest ${MOST_LISTED} results of this session, the latest first; older ones are recalled by their id`
        : `${countOf(shown.length, "result")} in this session, the latest first`;
  const listed = shown.map(({ id, tool, isError, lines, characters }) => {
    return { id, tool, isError, lines, characters };
  });
  return { content: [head, ...rows].join("\n"), listed };
}
