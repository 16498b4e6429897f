/**
 * Owns that the guide to permissions tells the truth: every example on it, and every rule that it calls bad.
 * Leaves its prose to readers. Rule: what is checked is what stands on the page.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { decideRow } from "../../test/support/decision-rows.ts";
import { makeFakeRoot, makeJudgedTree } from "../../test/support/judged-tree.ts";
import { openPermission } from "./permission.ts";
import { judgeByMode, TOOLS_OF_RULES } from "./tool-table.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/permissions.md"), "utf8");
const tree = makeJudgedTree();
afterAll(() => tree.remove());

const OUTCOMES: Readonly<Record<string, string>> = { denied: "deny", allowed: "allow", asked: "ask" };
const SHORT: Readonly<Record<string, string>> = { "read-only": "ro", "full-access": "fa" };

interface Example {
  readonly mode: string;
  readonly rules: readonly string[];
  readonly expected: string;
  readonly call: string;
}

/** Rules stand until calls have followed them; a mode stands for its block. */
function readExamples(block: string): Example[] {
  const examples: Example[] = [];
  let mode = "ww";
  let rules: string[] = [];
  let used = false;
  for (const line of block.split("\n").filter((text) => text !== "")) {
    const call = /^ {2}(denied|allowed|asked) +(.*)$/.exec(line);
    if (call !== null) {
      examples.push({ mode, rules, expected: OUTCOMES[call[1] ?? ""] ?? "", call: call[2] ?? "" });
      used = true;
    } else if (line.startsWith("mode ")) mode = SHORT[line.slice(5)] ?? "ww";
    else {
      rules = used ? [line] : [...rules, line];
      used = false;
    }
  }
  return examples;
}

const examples = [...page.matchAll(/^```text\n([\s\S]*?)^```$/gm)].flatMap((match) =>
  readExamples(match[1] ?? ""),
);

describe("docs/permissions.md", () => {
  it("has examples", () => {
    expect(examples.length).toBeGreaterThan(25);
  });

  it.each(examples)("$rules: $call is $expected", async ({ mode, rules, expected, call }) => {
    const [, tool = "", json = ""] = /^(\w+) (.*)$/.exec(call) ?? [];
    const decision = await decideRow(tree.root, [mode, rules, tool, JSON.parse(json)]);
    expect(decision.split(" ")[0]).toBe(expected);
  });

  it("has the table of modes", () => {
    const told = new Map<string, string>();
    for (const [, tools = "", cells = ""] of page.matchAll(/^\| ([a-z][\w, ]*) \|((?: \w+ \|){3})$/gm))
      for (const tool of tools.split(", ")) told.set(tool, cells.replace(/[ |]+/g, " ").trim());
    const row = (tool: string) =>
      (["read-only", "workspace-write", "full-access"] as const)
        .map((mode) => judgeByMode(mode, tool))
        .join(" ");
    for (const tool of TOOLS_OF_RULES) expect(`${tool}: ${told.get(tool)}`).toBe(`${tool}: ${row(tool)}`);
    expect(told.get("tools of your own")).toBe(row("deploy"));
  });

  it("calls bad what is bad", () => {
    const bad = page.split("## Bad rules")[1] ?? "";
    const rules = [...bad.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");
    expect(rules.length).toBeGreaterThan(4);
    for (const rule of rules)
      expect(
        () => openPermission({ mode: "read-only", rules: { deny: [rule] }, root: makeFakeRoot() }),
        rule,
      ).toThrow();
  });
});
