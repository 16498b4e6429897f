/**
 * Owns which rule is offered for a call. Leaves what rules mean to the tables.
 * Rule: it allows the call it was made for, and not its neighbours.
 */
import { afterAll, describe, expect, it } from "vitest";
import { makeJudgedTree, openJudged } from "../../test/support/judged-tree.ts";

const tree = makeJudgedTree();
afterAll(() => tree.remove());

async function judge(tool: string, args: object, allow: readonly string[] = []) {
  const judged = openJudged({ root: tree.root, mode: "read-only", rules: { allow } });
  const verdict = await judged.judge(tool, args);
  await judged.close();
  return verdict;
}

describe("the rule that is suggested", () => {
  const calls: readonly [string, object, string | undefined][] = [
    ["write", { path: "./src/../new.ts", content: "" }, "writes(new.ts)"],
    ["write", { path: "app/[id]/page.tsx", content: "" }, String.raw`writes(app/\[id\]/page.tsx)`],
    ["write", { path: "src/a,b.ts", content: "" }, String.raw`writes(src/a\,b.ts)`],
    ["delete", { path: "src", recursive: true }, "writes(src/)"],
    ["move", { from: "src/a,b.ts", to: "x" }, String.raw`move({src/a\,b.ts,x})`],
    ["move", { from: "src", to: "x" }, "move({src/,x/})"],
    ["bash", { command: "git commit -m 'it''s * done'" }, "runs(git commit -m 'its * done')"],
    ["bash", { command: "git add x && npm test | cat" }, "runs(git add x; npm test; cat)"],
    ["bash", { command: "npm test > log" }, undefined],
    ["webfetch", { host: "me@B\u00dcCHER.de:443" }, "connects(xn--bcher-kva.de:443)"],
    ["deploy", {}, "deploy"],
  ];
  it.each(calls)("allows %s %j and little else: %s", async (tool, args, rule) => {
    const verdict = await judge(tool, args);
    expect(verdict).toHaveProperty("outcome");
    if ("refused" in verdict) return;
    expect(verdict.suggestedRule).toBe(rule);
    if (rule === undefined) return;
    const allowing = (name: string, input: object) => judge(name, input, [rule]);
    expect(await allowing(tool, args)).toMatchObject({ outcome: "allow", by: "rule", rule });
    expect(await allowing("write", { path: "other", content: "" })).toMatchObject({ outcome: "deny" });
    expect(await allowing("bash", { command: "git commit" })).toMatchObject({ outcome: "deny" });
  });
});
