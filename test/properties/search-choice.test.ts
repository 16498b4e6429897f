/**
 * Owns which engine searches where neither is insisted on: seen in the details alone.
 * Leaves equal answers on generated trees to search-engines.test.ts. Rule: whichever ran, the text is the same.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { mount } from "../../src/index.ts";
import { findRipgrepNow } from "../../src/process/programs.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "haft-choice-")));
const empty = realpathSync(mkdtempSync(join(tmpdir(), "haft-empty-")));
for (let folder = 0; folder < 60; folder++) {
  const path = join(root, `d${folder}`);
  mkdirSync(join(path, "out"), { recursive: true });
  writeFileSync(join(path, ".gitignore"), "out\n");
  writeFileSync(join(path, "out", "x"), "common\n");
  for (let file = 0; file < 40; file++)
    writeFileSync(
      join(path, `f${file}`),
      `common ${folder}\n${file === 7 && folder % 9 === 8 ? "rare\n" : ""}`,
    );
  if (folder % 20 === 19) writeFileSync(join(path, "bin"), "rare\0");
}
afterAll(() => {
  for (const path of [root, empty]) rmSync(path, { recursive: true });
});
afterEach(() => vi.unstubAllEnvs());

/** Matches `rare`, and holds no text that is not in `common` too. */
const UNTOLD = "[c-r][a-o][a-r][a-h]$";

interface Args {
  readonly pattern: string;
  readonly path?: string;
  readonly mode?: "content" | "files" | "count";
  readonly limit?: number;
  readonly multiline?: boolean;
}

async function ask(ripgrep: "auto" | "always" | "never", args: Args) {
  const tools = mount({ root, ripgrep, tools: ["grep"] });
  try {
    const out = await tools.call("grep", args);
    return out.isError
      ? expect.fail(out.content)
      : { content: out.content, engine: out.details.engine, details: { ...out.details, engine: "" } };
  } finally {
    await tools.close();
  }
}

describe.skipIf(findRipgrepNow(empty) === undefined)("the engine of a search", () => {
  it.each([
    ["is ripgrep in a large tree of which no text tells", { pattern: UNTOLD }, "ripgrep"],
    ["is ours in a small tree", { pattern: UNTOLD, path: "d8" }, "builtin"],
    ["is ours where a text tells of all files", { pattern: "rare" }, "builtin"],
    ["is ripgrep where the text is in most files", { pattern: "common \\d+ rare" }, "ripgrep"],
    [
      "is ours for a common word, which is found sooner in the order of paths",
      { pattern: "common", limit: 3 },
      "builtin",
    ],
    ["is ripgrep where all matches are counted", { pattern: "[m-o] [2-4]\\d", mode: "count" }, "ripgrep"],
    ["is ours where much matches and all is counted", { pattern: "[m-o] [01]", mode: "count" }, "builtin"],
    ["is ours where one text tells of most files that nothing matches", { pattern: "[a-z]+are" }, "builtin"],
    ["is ours in one file", { pattern: "rare", path: "d8/f7" }, "builtin"],
    ["is ours where no line can be told by itself", { pattern: "\\d\\n\\w", multiline: true }, "builtin"],
  ] as const)("%s", async (_name, args, engine) => {
    const auto = await ask("auto", args);
    const own = await ask("never", args);
    expect(auto.engine).toBe(engine);
    expect(own.engine).toBe("builtin");
    expect(auto.content).toBe(own.content);
    expect(auto.details).toEqual(own.details);
  });

  it.each(["content", "files", "count"] as const)(
    "tells what it has counted as far as it went where it stops early: %s",
    async (mode) => {
      const args = { pattern: "common [1-5]", mode, limit: 2 };
      const [always, auto, own] = await Promise.all([
        ask("always", args),
        ask("auto", args),
        ask("never", args),
      ]);
      expect(always.engine).toBe("ripgrep");
      expect(always.content).toBe(own.content);
      expect(always.details).toEqual(own.details);
      expect(auto.content).toBe(own.content);
      if (mode !== "count") expect(own.content).toMatch(/^at least /);
    },
  );

  it("answers while ripgrep is cancelled, and leaves nothing behind", async () => {
    const tools = mount({ root, ripgrep: "always", tools: ["grep"] });
    const abort = new AbortController();
    const running = tools.call("grep", { pattern: UNTOLD }, { signal: abort.signal });
    setImmediate(() => abort.abort());
    const out = await running;
    if (out.isError) expect(out.refusal.code).toBe("call-cancelled");
    await tools.close();
  });
});

describe("without what ripgrep needs", () => {
  it("is ours, with the same answer, where its output cannot be kept", async () => {
    const own = await ask("never", { pattern: UNTOLD });
    vi.stubEnv("TMPDIR", join(empty, "missing"));
    const auto = await ask("auto", { pattern: UNTOLD });
    expect(auto.engine).toBe("builtin");
    expect(auto.content).toBe(own.content);
  });
});

describe("without ripgrep on PATH", () => {
  it("is the packaged one, or none is needed", async () => {
    vi.stubEnv("PATH", empty);
    const { content } = await ask("auto", { pattern: UNTOLD });
    expect(content).toMatch(/^6 matches in 6 files; searched 2,\d{3} files; skipped 3 binary; 60 ignored\n/);
  });
});
