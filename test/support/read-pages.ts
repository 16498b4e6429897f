/**
 * Owns reading a whole file as a model would: one call, then each call that the answer offers, and the text put together.
 * Leaves what the text should be to the tests. Rule: nothing is used but what the model is shown.
 */
import { expect } from "vitest";
import { expectSuccess, type LooseToolset, type Succeeded } from "./loose-toolset.ts";
import { findSuggestedCalls, type SuggestedCall } from "./suggested-calls.ts";

export interface ReadFile {
  readonly lines: readonly string[];
  readonly headers: readonly string[];
  /** How many lines end within each page. */
  readonly ends: readonly number[];
  /** `details.bytes` of each page. */
  readonly bytes: readonly (readonly [number, number])[];
  readonly pages: readonly Succeeded[];
}

/** Reads `path` page by page. `first` holds the further arguments of the first call. */
export async function readByPages(
  tools: LooseToolset,
  path: string,
  first: Readonly<Record<string, unknown>> = {},
): Promise<ReadFile> {
  const lines: string[] = [];
  const pages: Succeeded[] = [];
  const ends: number[] = [];
  let next: SuggestedCall | undefined = { name: "read", args: { path, ...first } };
  while (next !== undefined) {
    const page = expectSuccess(await tools.call(next.name, next.args));
    const rows = addRows(lines, page, next);
    pages.push(page);
    expect(pages.length, "pages come to an end").toBeLessThan(5_000);
    next = findNextPage(page, tools.names(), path);
    const stopsInLine = typeof next?.args.column === "number" && next.args.column > 1;
    ends.push(rows - (stopsInLine ? 1 : 0));
  }
  return {
    lines,
    pages,
    ends,
    headers: pages.map((page) => page.content.split("\n")[0] ?? ""),
    bytes: pages.map((page) => page.details.bytes as [number, number]),
  };
}

/**
 * Puts the rows of a page behind what is there; the first row goes on in its line where the call named a column.
 * Gives the number of rows.
 */
function addRows(lines: string[], page: Succeeded, call: SuggestedCall): number {
  let count = 0;
  const goesOn = typeof call.args.column === "number" && call.args.column > 1;
  let expected = goesOn ? lines.length : lines.length + 1;
  for (const row of page.content.split("\n").slice(1)) {
    const tab = row.indexOf("\t");
    const number = Number(row.slice(0, Math.max(tab, 0)));
    if (tab < 1 || !/^\d+$/.test(row.slice(0, tab))) continue;
    expect(number, "line numbers follow on each other").toBe(expected);
    const text = row.slice(tab + 1);
    if (number === lines.length) lines[number - 1] = `${lines[number - 1]}${text}`;
    else lines.push(text);
    expected = number + 1;
    count++;
  }
  return count;
}

function findNextPage(page: Succeeded, names: readonly string[], path: string): SuggestedCall | undefined {
  const calls = findSuggestedCalls(page.content, names).filter(
    ({ name, args }) => name === "read" && args.path === path && args.grep === undefined,
  );
  const distinct = new Map(calls.map((call) => [JSON.stringify(call), call]));
  expect(distinct.size, `one next page is offered: ${[...distinct.keys()].join(" ")}`).toBeLessThanOrEqual(1);
  return [...distinct.values()][0];
}
