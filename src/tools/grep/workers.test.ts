import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Fixture, makeFixture } from "../../../test/search-fixture.ts";
import { grepTool } from "./grep.ts";

/** Threads run built files: the engine from source, which searches on its own thread, is what they are compared with. */
const DIST = fileURLToPath(new URL("../../../dist/", import.meta.url));
const ENTRY = join(DIST, "tools/grep/workers/search-worker.js");

interface Answer {
  readonly content: string;
  readonly details: unknown;
}

interface Report {
  readonly answers: readonly Answer[];
  /** Threads beside the main one while searching, and after closing. */
  readonly during: number;
  readonly after: number;
}

/** Asks the built toolset in a process of its own, and counts that process's threads of Node. */
function askBuilt(root: string, calls: readonly Record<string, unknown>[], options: object = {}): Report {
  const script = `
    import { Worker } from "node:worker_threads";
    import { mountTools } from ${JSON.stringify(pathToFileURL(join(DIST, "toolset/mount-tools.js")).href)};
    import { grepTool } from ${JSON.stringify(pathToFileURL(join(DIST, "tools/grep/grep.js")).href)};
    let during = 0, alive = 0;
    const on = Worker.prototype.on;
    Worker.prototype.on = function (name, act) {
      if (name === "exit") { alive++; on.call(this, "exit", () => alive--); }
      return on.call(this, name, act);
    };
    const { calls, root, options } = JSON.parse(process.argv[1]);
    const ports = options.withholds === undefined
      ? {}
      : { withholds: (file) => (file.includes(options.withholds) ? "a rule" : undefined) };
    const preset = { prefix: "", tools: ["grep"] };
    const tools = mountTools({ catalog: [grepTool], preset }, { root, ripgrep: "never" }, { ports });
    const answers = [];
    for (const call of calls) {
      const { content, details } = await tools.call("grep", call);
      answers.push({ content, details });
      during = Math.max(during, alive);
    }
    await tools.close();
    console.log(JSON.stringify({ answers, during, after: alive }));
  `;
  const asked = JSON.stringify({ calls, root, options });
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", script, asked], {
    encoding: "utf8",
    timeout: 25_000,
    maxBuffer: 64_000_000,
  });
  expect(run.stderr).toBe("");
  return JSON.parse(run.stdout) as Report;
}

let fixture: Fixture;
beforeAll(() => {
  fixture = makeFixture(`
    for d in $(seq 10 39); do
      mkdir -p d$d/e d$d/out; echo 'out/' > d$d/.gitignore; echo word > d$d/out/hidden
      for f in $(seq 100 169); do
        printf 'first %s\\nword %s here\\n\\nlast \\xe9 %s\\n' $f $((d * f % 97)) $d > d$d/e/f$f.txt
      done
      printf 'word\\0' > d$d/binary; printf '\\377\\376w\\0o\\0r\\0d\\0' > d$d/wide
    done`);
});
afterAll(() => fixture.remove());

const CALLS: readonly Record<string, unknown>[] = [
  { pattern: "no such text", mode: "content" },
  { pattern: "word 7 here", context: 1 },
  { pattern: "word", limit: 3 },
  { pattern: "^last .* 3[0-9]$", limit: 20, context: 2 },
  { pattern: "word", mode: "count" },
  { pattern: "\\w+ 5\\d here", mode: "files", limit: 9 },
  { pattern: "here\\n\\nlast", multiline: true, limit: 30 },
  { pattern: "WORD 1", ignore_case: true, glob: "d3*/**" },
];

describe.runIf(existsSync(ENTRY))("a search in threads", () => {
  it("gives the answers of a search that stays on the host's thread", async () => {
    const { answers, during } = askBuilt(fixture.root, CALLS);
    expect(during).toBeGreaterThan(0);
    for (const [index, call] of CALLS.entries()) {
      const here = (await fixture.call(grepTool, call)) as unknown as Answer;
      expect(answers[index]?.content).toBe(here.content);
      expect(answers[index]?.details).toEqual(JSON.parse(JSON.stringify(here.details)));
    }
  });

  it("withholds what a rule of the host withholds", async () => {
    const calls = [{ pattern: "word 7 here" }, { pattern: "word", limit: 40 }];
    const { answers } = askBuilt(fixture.root, calls, { withholds: "d2" });
    for (const [index, call] of calls.entries()) {
      const withholds = (file: string) => (file.includes("d2") ? "a rule" : undefined);
      expect(answers[index]?.content).toBe(await fixture.text(grepTool, call, { withholds }));
      expect(answers[index]?.content).not.toContain("d2");
    }
  });

  it("ends its threads with the toolset", () => {
    const { during, after } = askBuilt(fixture.root, [{ pattern: "no such text" }]);
    expect(during).toBeGreaterThan(0);
    expect(after).toBe(0);
  });

  it("sends a pattern however deeply it nests", () => {
    const deep = `${"(?:a|".repeat(240)}no such text${")?b".repeat(240)}`;
    const { answers } = askBuilt(fixture.root, [{ pattern: deep }]);
    expect(answers[0]?.content).toContain("no matches");
  });
});

describe("the file that a thread runs", () => {
  it("is named beside the one that starts it", () => {
    const source = readFileSync(new URL("workers/crew.ts", import.meta.url), "utf8");
    expect(source).toContain('new URL("./search-worker.js", import.meta.url)');
    expect(existsSync(new URL("workers/search-worker.ts", import.meta.url))).toBe(true);
  });
});
