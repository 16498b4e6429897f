/**
 * Owns what holds for any rules and any calls: more rules that deny never allow more, more that allow never deny
 * more, and a call is judged by what it does, however it is spelled.
 * Leaves single decisions to the tables. Rule: random rules and calls out of small lists, so that they meet often.
 */
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { makeJudgedTree, openJudged } from "../../test/support/judged-tree.ts";
import { MODES, type Mode, type Rules } from "../contract/decision.ts";

const tree = makeJudgedTree();
afterAll(() => tree.remove());

const PATHS = [
  "src/a.ts",
  "src/deep/b.ts",
  "secrets/key.pem",
  "secrets/deep",
  "docs/readme.md",
  "src",
  "link",
  "new/x",
];
const COMMANDS = [
  "rm -rf x",
  "git status",
  "git status && npm test",
  "npm test > log",
  "$(x) y",
  "bash -c 'rm x'",
  "rm *.o",
];
const HOSTS = ["example.com", "www.example.com:443", "EVIL.org.", "me@evil.org:80"];

const GLOBS = ["**", "src/**", "src/*", "src", "secrets/", "**/*.pem", "{src,docs}/**", "new/x"];
const WORDS = ["*", "rm *", "rm -rf *", "git *", "npm test", "git status; npm test"];
const NAMES = ["example.com", "*.example.com", "evil.org", "*:443", "*"];

const call = fc.oneof(
  fc
    .tuple(fc.constantFrom("read", "list", "measure"), fc.constantFrom(...PATHS))
    .map(([tool, path]) => ({ tool, args: { path } })),
  fc.constantFrom(...PATHS).map((path) => ({ tool: "write", args: { path, content: "x" } })),
  fc.constantFrom(...PATHS).map((path) => ({ tool: "delete", args: { path, recursive: true } })),
  fc
    .tuple(fc.constantFrom(...PATHS), fc.constantFrom(...PATHS))
    .map(([from, to]) => ({ tool: "move", args: { from, to } })),
  fc.constantFrom(...COMMANDS).map((command) => ({ tool: "bash", args: { command } })),
  fc.constantFrom(...HOSTS).map((host) => ({ tool: "webfetch", args: { host } })),
  fc.constantFrom("deploy", "jobs", "recall").map((tool) => ({ tool, args: {} })),
);

const rule = fc.oneof(
  fc.constantFrom("*", "bash", "write", "deploy", "reads", "writes", "runs", "connects", "jobs"),
  fc
    .tuple(fc.constantFrom("reads", "writes", "*", "write", "move", "read"), fc.constantFrom(...GLOBS))
    .map(([name, glob]) => `${name}(${glob})`),
  fc
    .tuple(fc.constantFrom("runs", "bash"), fc.constantFrom(...WORDS))
    .map(([name, words]) => `${name}(${words})`),
  fc
    .tuple(fc.constantFrom("connects", "webfetch"), fc.constantFrom(...NAMES))
    .map(([name, host]) => `${name}(${host})`),
);

const few = fc.array(rule, { maxLength: 3 });
const rules = fc.record({ allow: few, ask: few, deny: fc.array(rule, { maxLength: 1 }) });
const mode = fc.constantFrom(...MODES);

const HEIGHT = { allow: 0, ask: 1, deny: 2 } as const;

async function judge(of: {
  mode: Mode;
  rules: Rules;
  call: { tool: string; args: object };
}): Promise<{ height: number; text: string }> {
  const judged = openJudged({ root: tree.root, mode: of.mode, rules: of.rules });
  const verdict = await judged.judge(of.call.tool, of.call.args);
  await judged.close();
  if ("refused" in verdict) return { height: -1, text: "refused by the gate" };
  return { height: HEIGHT[verdict.outcome], text: `${verdict.outcome} by ${verdict.rule ?? verdict.by}` };
}

describe("for any rules and any call", { timeout: 60_000 }, () => {
  it("one more rule that denies or asks never allows more", async () => {
    await fc.assert(
      fc.asyncProperty(
        mode,
        rules,
        fc.constantFrom("deny" as const, "ask" as const),
        rule,
        call,
        async (aMode, before, list, added, aCall) => {
          const first = await judge({ mode: aMode, rules: before, call: aCall });
          const after = { ...before, [list]: [...before[list], added] };
          const second = await judge({ mode: aMode, rules: after, call: aCall });
          // A rule that asks stands before the mode: what the mode denies is then asked, and never allowed.
          const least = list === "ask" ? Math.min(first.height, HEIGHT.ask) : first.height;
          expect(second.height).toBeGreaterThanOrEqual(least);
        },
      ),
      { numRuns: 250 },
    );
  });

  it("one more rule that allows never denies more", async () => {
    await fc.assert(
      fc.asyncProperty(mode, rules, rule, call, async (aMode, before, added, aCall) => {
        const after = { ...before, allow: [...before.allow, added] };
        const first = await judge({ mode: aMode, rules: before, call: aCall });
        expect((await judge({ mode: aMode, rules: after, call: aCall })).height).toBeLessThanOrEqual(
          first.height,
        );
      }),
      { numRuns: 250 },
    );
  });

  it("the rule that is suggested allows the call, unless a rule stands against it", async () => {
    await fc.assert(
      fc.asyncProperty(mode, call, async (aMode, aCall) => {
        const judged = openJudged({ root: tree.root, mode: aMode });
        const verdict = await judged.judge(aCall.tool, aCall.args);
        await judged.close();
        if ("refused" in verdict || verdict.suggestedRule === undefined) return;
        const with_ = { allow: [verdict.suggestedRule] };
        expect((await judge({ mode: aMode, rules: with_, call: aCall })).height).toBe(0);
      }),
      { numRuns: 100 },
    );
  });

  it("another spelling of its path changes nothing", async () => {
    const spell = fc.constantFrom<((path: string) => string)[]>(
      (path) => `./${path}`,
      (path) => path.replaceAll("/", "//"),
      (path) => `docs/../${path}`,
      (path) => `${tree.root}/${path}`,
      (path) => `docs/source/../${path}`,
      (path) => path.replace(/^src\//, "docs/source/").replace(/^secrets\//, "link/"),
      (path) => path.replace(/\/([^/]+)$/, "/./$1"),
    );
    const tool = fc.constantFrom("read", "write", "delete");
    await fc.assert(
      fc.asyncProperty(
        mode,
        rules,
        tool,
        fc.constantFrom(...PATHS),
        spell,
        async (aMode, some, name, path, respell) => {
          const args = (text: string) =>
            name === "write"
              ? { path: text, content: "" }
              : name === "delete"
                ? { path: text, recursive: true }
                : { path: text };
          const plain = await judge({ mode: aMode, rules: some, call: { tool: name, args: args(path) } });
          const other = await judge({
            mode: aMode,
            rules: some,
            call: { tool: name, args: args(respell(path)) },
          });
          expect(other.text).toBe(plain.text);
        },
      ),
      { numRuns: 250 },
    );
  });
});
