/**
 * docs/commitments.md, run as it stands: its programs and commands in their order, in one directory, and what they print.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { STRENGTH_OF } from "../../src/commitment/strength.ts";
import { TRANSITIONS } from "../../src/commitment/transitions.ts";
import { CRITERION_KINDS } from "../../src/contract/commitment.ts";
import { HAFT } from "../surfaces/start-server.ts";

const repository = join(import.meta.dirname, "..", "..");
const page = readFileSync(join(repository, "docs", "commitments.md"), "utf8");
const blocks = [...page.matchAll(/^```(ts|sh|text)\n([\s\S]*?)^```$/gm)].map(
  ([, language = "", text = ""]) => ({
    language,
    text,
  }),
);

/** In the package, so that `haft` means it; ignored by git. */
let work = "";
let project = "";
beforeAll(() => {
  work = mkdtempSync(join(repository, ".dist-docs-"));
  project = realpathSync(mkdtempSync(join(tmpdir(), "haft-page-")));
  mkdirSync(join(work, "built"));
  for (const [at, { text }] of blocks.filter(({ language }) => language === "ts").entries())
    writeFileSync(join(work, `program-${at}.ts`), text);
  writeFileSync(
    join(work, "tsconfig.json"),
    JSON.stringify({
      extends: "../tsconfig.json",
      compilerOptions: { noEmit: false, rootDir: ".", outDir: "built", declaration: false, sourceMap: false },
      include: ["*.ts"],
    }),
  );
  const tsc = join(repository, "node_modules", "typescript", "bin", "tsc");
  const built = spawnSync(process.execPath, [tsc, "-p", work], { cwd: repository, encoding: "utf8" });
  expect(built.stdout).toBe("");
}, 120_000);
afterAll(() => {
  rmSync(work, { recursive: true, force: true });
  rmSync(project, { recursive: true, force: true });
});

function run(command: string, args: readonly string[]): string {
  const done = spawnSync(command, args, { cwd: project, encoding: "utf8" });
  expect({ command, args, err: done.stderr, status: done.status }).toMatchObject({ err: "", status: 0 });
  return done.stdout;
}

/** Times differ from run to run. */
const settle = (text: string) => text.replace(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z/g, "<time>").trimEnd();

describe("the page about commitments", () => {
  it("follows one commitment from its opening to its closing, through three sessions", {
    timeout: 120_000,
  }, () => {
    let program = 0;
    let printed = "";
    let compared = 0;
    for (const { language, text } of blocks) {
      if (language === "ts")
        printed = run(process.execPath, [join(work, "built", `program-${program++}.js`)]);
      else if (language === "sh")
        for (const line of text.trim().split("\n"))
          printed = run("bash", ["-c", line.replace(/^haft /, `"${process.execPath}" "${HAFT}" `)]);
      else {
        compared += 1;
        expect(settle(printed)).toBe(settle(text));
      }
    }
    expect([program, compared]).toEqual([3, 3]);
    expect(run(process.execPath, [HAFT, "ledger", "sessions"])).toMatch(
      /monday[\s\S]*tuesday[\s\S]*wednesday/,
    );
  });

  it("has every kind of criterion with its strength", () => {
    for (const kind of CRITERION_KINDS)
      expect(page).toMatch(new RegExp(`^\\| \`${kind}\` \\|.*\\| ${STRENGTH_OF[kind]} \\|`, "m"));
  });

  it("has every change of phase", () => {
    const told = [...page.matchAll(/^\| (\w+) \| (active|suspended|blocked|satisfying) \|/gm)].map(
      ([, from, to]) => `${from} ${to}`,
    );
    const moves = Object.values(TRANSITIONS).flatMap((row) =>
      Object.entries(row).map(([from, to]) =>
        from === to || from === "none" || to === "closed" ? "" : `${from} ${to}`,
      ),
    );
    expect([...new Set(told)].sort()).toEqual([...new Set(moves)].filter((move) => move !== "").sort());
  });
});
