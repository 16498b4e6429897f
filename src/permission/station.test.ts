/**
 * Owns what becomes of calls at the station: what runs, what a denial says, what a person is asked and may answer.
 * Leaves decisions to judge.test.ts. Rule: through a whole toolset, on a real tree.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type Judged,
  type JudgedOptions,
  makeJudgedTree,
  openJudged,
} from "../../test/support/judged-tree.ts";
import type { Approve, Ask } from "../contract/decision.ts";
import type { ToolOutput } from "../contract/output.ts";

let tree: ReturnType<typeof makeJudgedTree>;
let opened: Judged[] = [];
beforeEach(() => {
  tree = makeJudgedTree();
});
afterEach(async () => {
  for (const judged of opened) await judged.close();
  opened = [];
  tree.remove();
});

function open(options: Omit<JudgedOptions, "root"> = {}): Judged {
  const judged = openJudged({ ...options, root: tree.root });
  opened.push(judged);
  return judged;
}

function factsOf(output: ToolOutput) {
  if (!output.isError || output.refusal.code !== "permission-denied") throw new Error(output.content);
  return output.refusal.facts;
}

const test = { command: "npm test" };

describe("a denial", () => {
  it("names the rule that forbids, what is allowed instead, and leaves everything as it was", async () => {
    const judged = open({ rules: { deny: ["writes(src/**)"], allow: ["writes(docs/**)"] } });
    const output = await judged.call("delete", { path: "src/a.ts" });
    expect(output.content).toBe(
      "delete (writes(src/a.ts)) is not permitted: the rule deny writes(src/**) forbids it. Nothing was changed. Allowed are writes(docs/**), changes outside of src/**.",
    );
    expect(factsOf(output)).toMatchObject({ by: "rule", rule: "deny writes(src/**)" });
    expect(factsOf(output)).not.toHaveProperty("suggestedRule");
    expect(existsSync(join(tree.root, "src/a.ts"))).toBe(true);
    expect(judged.decisions).toEqual([
      {
        outcome: "denied",
        by: "rule",
        mode: "workspace-write",
        rule: "writes(src/**)",
        effects: ["writes(src/a.ts)"],
        allowed: ["writes(docs/**)", "changes outside of src/**"],
      },
    ]);
  });

  it("of the mode asks for the narrowest rule", async () => {
    const output = await open({ mode: "read-only" }).call("write", { path: "src/new.ts", content: "x" });
    expect(output.content).toBe(
      "write (writes(src/new.ts)) is not permitted: the mode read-only does not allow it. Nothing was changed. Allowed are reading and searching below the root. Ask for the rule allow writes(src/new.ts)",
    );
    expect(existsSync(join(tree.root, "src/new.ts"))).toBe(false);
  });

  it("prints the exact flag where nobody can be asked", async () => {
    const flag = (rule: string) => `--allow '${rule}'`;
    const output = await open({ flag }).call("bash", test);
    expect(output.content).toContain("the mode workspace-write asks a person first, and nobody could answer");
    expect(output.content).toMatch(/can allow it with --allow 'runs\(npm test\)'$/);
    expect(factsOf(output)).toMatchObject({ by: "nobody", flag: "--allow 'runs(npm test)'" });
  });

  it("says that no rule can allow what cannot be seen through", async () => {
    const output = await open({ rules: { allow: ["bash"] } }).call("bash", { command: "npm test $(x)" });
    expect(output.content).toContain(
      "No rule can allow it, for what it runs cannot be seen through (command substitution)",
    );
    expect(factsOf(output)).not.toHaveProperty("suggestedRule");
  });

  it("says that a rule that forbids may be met where that cannot be seen", async () => {
    const judged = open({ mode: "full-access", rules: { deny: ["runs(rm *)"] } });
    const output = await judged.call("bash", { command: "$X y" });
    expect(output.content).toContain(
      "it cannot be seen whether the rule deny runs(rm *) forbids it, so a person is asked first, and nobody could answer",
    );
  });

  it("offers no allow rule against a rule that asks", async () => {
    const output = await open({ rules: { ask: ["writes(src/**)"] }, flag: (rule) => rule }).call("delete", {
      path: "src/a.ts",
    });
    expect(output.content).toContain("the rule ask writes(src/**) asks a person first");
    expect(factsOf(output)).not.toHaveProperty("flag");
  });
});

describe("a person who is asked", () => {
  it("is told the call, its access, why it is asked, and the narrowest rule", async () => {
    const asks: Ask[] = [];
    const approve: Approve = async (ask) => {
      asks.push(ask);
      return { allow: "once" };
    };
    const judged = open({ approve, preview: async () => "a diff" });
    expect((await judged.call("bash", test)).content).toBe("bash ran");
    expect(asks).toEqual([
      {
        call: { name: "bash", args: test },
        access: expect.objectContaining({ runs: ["npm test"] }),
        reason: "bash runs(npm test): the mode workspace-write asks for it",
        preview: "a diff",
        suggestedRule: "runs(npm test)",
      },
    ]);
    await judged.call("bash", test);
    expect(asks).toHaveLength(2);
    expect(judged.decisions[0]).toMatchObject({ outcome: "allowed", by: "approver" });
  });

  it("may allow from now on, and is not asked again", async () => {
    const saved: string[] = [];
    let asked = 0;
    const approve: Approve = async ({ suggestedRule }) => {
      asked++;
      return { allow: "always", rule: suggestedRule ?? "" };
    };
    const judged = open({ approve, saveRule: (rule) => void saved.push(rule) });
    const outputs = await Promise.all([1, 2, 3].map(() => judged.call("bash", test)));
    expect(outputs.map(({ content }) => content)).toEqual(["bash ran", "bash ran", "bash ran"]);
    expect({ asked, saved }).toEqual({ asked: 1, saved: ["runs(npm test)"] });
    expect(judged.decisions.map(({ by }) => by)).toEqual(["approver", "rule", "rule"]);
    expect(judged.permission.rules().allow).toEqual(["runs(npm test)"]);
    await judged.call("bash", { command: "npm run x" });
    expect(asked).toBe(2);
  });

  it("answers a rule that asks, for from now on, and never one that denies", async () => {
    let asked = 0;
    const approve: Approve = async () => {
      asked++;
      return { allow: "always", rule: "writes(src/*)" };
    };
    const rules = { ask: ["writes(src/**)"], deny: ["writes(src/a,b.ts)"] };
    const judged = open({ approve, rules });
    await judged.call("write", { path: "src/one", content: "" });
    expect((await judged.call("write", { path: "src/two", content: "" })).isError).toBe(false);
    expect((await judged.call("write", { path: "src/a,b.ts", content: "" })).isError).toBe(true);
    expect(asked).toBe(1);
  });

  it("keeps a rule that could not be saved for the session", async () => {
    const judged = open({
      approve: async () => ({ allow: "always", rule: "runs(npm *)" }),
      saveRule: () => Promise.reject(new Error("disk full")),
    });
    expect((await judged.call("bash", test)).content).toBe("bash ran");
    expect(judged.decisions[0]?.why).toContain("could not be saved: disk full");
    await judged.call("bash", { command: "npm ci" });
    expect(judged.decisions[1]).toMatchObject({ by: "rule", rule: "runs(npm *)" });
  });

  const given: readonly [string, string][] = [
    ["*", "says no path, command or host"],
    ["bash", "says no path, command or host"],
    ["runs(*)", "says no path, command or host"],
    ["runs", "says no path, command or host"],
    ["runs(npm ci)", "does not cover this call"],
    ["writes(src/**)", "does not cover this call"],
    ["runs(", "is none"],
    ["nonsense(x)", "is none"],
  ];
  it.each(given)("cannot open more than was shown with %s", async (rule, why) => {
    const judged = open({ approve: async () => ({ allow: "always", rule }) });
    const output = await judged.call("bash", test);
    expect(factsOf(output).by).toBe("nobody");
    expect(output.content).toContain(why);
    expect(judged.permission.rules().allow).toEqual([]);
  });

  it("may deny in words of their own, which the model is told", async () => {
    const output = await open({ approve: async () => ({ deny: "use pnpm\nplease" }) }).call("bash", test);
    expect(output.content).toContain("it was asked for and denied: use pnpm please");
    expect(output.content).not.toContain("Ask for the rule");
  });

  const failing: readonly [string, Approve, string][] = [
    ["throws", () => Promise.reject(new Error("no terminal")), "nobody could answer (no terminal)"],
    [
      "throws at once",
      () => {
        throw new Error("no terminal");
      },
      "nobody could answer (no terminal)",
    ],
    ["answers nothing", async () => undefined as never, "could not be understood"],
    ["answers yes", async () => "yes" as never, "could not be understood"],
    ["answers both", async () => ({ allow: "once", deny: undefined, rule: 1 }) as never, ""],
    ["allows and denies", async () => ({ allow: "once", deny: true }) as never, "could not be understood"],
    ["gives no rule", async () => ({ allow: "always" }) as never, "could not be understood"],
  ];
  it.each(failing)("is taken for no yes where the approver %s", async (name, approve, why) => {
    const output = await open({ approve }).call("bash", test);
    if (name === "answers both") return expect(output.content).toBe("bash ran");
    expect(factsOf(output).by).toBe("nobody");
    expect(output.content).toContain(why);
  });

  it("who never answers denies once the call is cancelled, and hears of that", async () => {
    const end = new AbortController();
    let heard = false;
    const approve: Approve = (_ask, { signal }) => {
      signal.addEventListener("abort", () => {
        heard = true;
      });
      queueMicrotask(() => end.abort());
      return new Promise(() => {});
    };
    const judged = open({ approve });
    const output = await judged.call("bash", test, end.signal);
    expect(factsOf(output)).toMatchObject({
      by: "nobody",
      why: "the call ended before anybody had answered",
    });
    expect(heard).toBe(true);
    expect(judged.decisions[0]?.outcome).toBe("denied");
  });
});
