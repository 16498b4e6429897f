/**
 * Owns how a table of decisions is checked: each row is a call that goes through the gate on a real tree.
 * Leaves the rows to the tests. Rule: nothing is run; what is compared is the decision with the rule that made it.
 */
import { describe, expect, it } from "vitest";
import type { Mode } from "../../src/contract/decision.ts";
import { openJudged } from "./judged-tree.ts";

const MODES: Readonly<Record<string, Mode>> = {
  ro: "read-only",
  ww: "workspace-write",
  fa: "full-access",
};

/** Mode, rules (`deny x`), tool, arguments, and `deny by x`, or `ask` alone where the mode decides. */
export type DecisionRow = readonly [
  mode: string,
  rules: readonly string[],
  tool: string,
  args: object,
  decision: string,
];

/** The decision about one call, in the words of a row. */
export async function decideRow(
  root: string,
  [mode, rules, tool, args]: readonly [string, readonly string[], string, object, ...unknown[]],
): Promise<string> {
  const lists: Record<"allow" | "ask" | "deny", string[]> = { allow: [], ask: [], deny: [] };
  for (const rule of rules) {
    const [, list = "", text = ""] = /^(\w+) ([\s\S]*)$/.exec(rule) ?? [];
    lists[list as keyof typeof lists].push(text);
  }
  const judged = openJudged({ root, mode: MODES[mode] ?? "read-only", rules: lists });
  const verdict = await judged.judge(tool, args);
  await judged.close();
  if ("refused" in verdict) return `refused: ${verdict.refused}`;
  return verdict.rule === undefined ? verdict.outcome : `${verdict.outcome} by ${verdict.rule}`;
}

/** Makes a test of each row. */
export function checkDecisions(root: string, title: string, rows: readonly DecisionRow[]): void {
  describe(title, () => {
    it.each(rows)("%s %j %s %j: %s", async (...row) => {
      expect(await decideRow(root, row)).toBe(row[4]);
    });
  });
}

export const bash = (command: string) => ({ command });
