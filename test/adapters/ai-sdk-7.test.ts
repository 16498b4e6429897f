/**
 * Owns that version 7 of Vercel's AI SDK is served as version 6 is: conversations and approvals, run once more with it.
 * It does not install under the oldest Node that haft runs with, so the run is one of its own with a newer one.
 * Leaves the tests to conversations.test.ts and ai-approvals.test.ts. Rule: none fails, none is left out.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { AI_SDK_7, describeWith, NODE_24 } from "../support/official.ts";
import { readBlocks } from "../support/snippet-project.ts";
import { makeFolder } from "../surfaces/start-server.ts";

const repository = join(import.meta.dirname, "..", "..");
const FILES = ["conversations.test.ts", "ai-approvals.test.ts"];

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

describeWith([NODE_24, AI_SDK_7], "AI SDK 7", () => {
  it("holds the same conversations and asks for the same approvals as version 6", {
    timeout: 240_000,
  }, () => {
    const report = join(makeFolder(), "report.json");
    const vitest = join(repository, "node_modules", "vitest", "vitest.mjs");
    const files = FILES.map((name) => `test/adapters/${name}`);
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const done = spawnSync(NODE_24 ?? "", [vitest, "run", ...reporters, ...files], {
      cwd: repository,
      encoding: "utf8",
      env: { ...process.env, HAFT_TEST_AI_SDK_7: AI_SDK_7 },
    });
    expect(done.status, done.stdout + done.stderr).toBe(0);
    const { testResults } = JSON.parse(readFileSync(report, "utf8")) as Report;
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    expect(tests.filter(({ status }) => status !== "passed")).toEqual([]);
    const names = tests.map(({ fullName }) => fullName.replaceAll("'", ""));
    for (const wanted of [
      "through AI SDK 7 an image arrives as an image, beside its one line of text",
      "through AI SDK 7 a refusal and a denial are told as they are, and the conversation goes on",
      "through AI SDK 7 parallel calls are one batch: each is answered under its own id, and what conflicts keeps its order",
      "through AI SDK 7 cancelling ends what a call has started, and every call has its answer",
      "approvals of the AI SDK let an approved call through, and the session knows that a person did",
    ])
      expect(names).toContain(wanted);
  });

  it("takes the programs of docs/hosts.md as its own compiler sees them", { timeout: 120_000 }, () => {
    const programs = readBlocks("docs/hosts.md", "ts").filter((block) => block.includes("haft/ai-sdk"));
    expect(programs).toHaveLength(2);
    expect(compileWithVersion7(programs.map(useNewNames))).toBe("");
    // The compiler has seen the package: a name that it does not have is an error.
    expect(compileWithVersion7(['import { noSuchName } from "ai"; noSuchName();'])).toContain("noSuchName");
  });
});

/** The names that the comments of the page give for version 7. */
function useNewNames(program: string): string {
  const renamed = program
    .replace(
      "experimental_repairToolCall: repairToolCall, // `repairToolCall` in version 7",
      "repairToolCall,",
    )
    .replace(
      "result.response.messages); // `result.responseMessages` in version 7",
      "result.responseMessages);",
    );
  expect(renamed).not.toBe(program);
  return renamed;
}

/** What the compiler says of programs where `ai` is version 7, for them and for the adapter. */
function compileWithVersion7(programs: readonly string[]): string {
  const folder = makeFolder();
  const files = programs.map((program, index) => {
    writeFileSync(join(folder, `program-${index}.ts`), program);
    return `program-${index}.ts`;
  });
  const paths = {
    ai: [join(AI_SDK_7 ?? "", "ai", "dist", "index.d.ts")],
    "@ai-sdk/openai-compatible": [join(AI_SDK_7 ?? "", "@ai-sdk", "openai-compatible", "dist", "index.d.ts")],
    haft: [join(repository, "dist", "index.d.ts")],
    "haft/ai-sdk": [join(repository, "dist", "surfaces", "adapters", "ai-sdk.d.ts")],
  };
  const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: true, noEmit: true };
  const modern = { target: "es2023", module: "nodenext", lib: ["es2023", "esnext.disposable", "dom"] };
  const typeRoots = [join(repository, "node_modules", "@types")];
  const compilerOptions = { ...strict, ...modern, typeRoots, types: ["node"], paths };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  const tsc = join(repository, "node_modules", "typescript", "bin", "tsc");
  return spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" }).stdout;
}
