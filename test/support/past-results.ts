/**
 * Owns past results made from strings, as a session would give them to `recall`.
 * Leaves the real ones to the ledger. Rule: the plainest way to each answer, so that it can judge both.
 */
import type { PastResult, PastResults } from "../../src/contract/results.ts";

export interface KeptResult {
  readonly id: string;
  readonly tool?: string;
  readonly isError?: boolean;
  readonly content: string;
}

/** The lines of a text with their endings. */
export function linesOf(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

function makeResult({ id, tool = "bash", isError = false, content }: KeptResult): PastResult {
  const lines = linesOf(content);
  const characters = [...content];
  return {
    id,
    tool,
    isError,
    content,
    lines: lines.length,
    characters: characters.length,
    readLines: (start, end) => lines.slice(Math.max(start, 1) - 1, end).join(""),
    readCharacters: (start, end) => characters.slice(Math.max(start, 0), end).join(""),
  };
}

/** The last one is the latest. It may grow while it is used. */
export function keepResults(kept: readonly KeptResult[]): PastResults {
  const made = new Map<string, PastResult>();
  return {
    find(id) {
      const one = kept.find((each) => each.id === id);
      if (one === undefined) return undefined;
      const known = made.get(id) ?? makeResult(one);
      made.set(id, known);
      return known;
    },
    list: (limit) =>
      [...kept]
        .reverse()
        .slice(0, limit)
        .map((one) => {
          const { id, tool, isError, characters, lines } = makeResult(one);
          const head = [...(linesOf(one.content)[0] ?? "").trimEnd()].slice(0, 120).join("");
          return { id, tool, isError, characters, lines, head };
        }),
  };
}
