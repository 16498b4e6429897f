/**
 * Owns what a mistake on the command line ends in: the status, the words, and JSON where it was asked for.
 * Leaves what succeeds to cli.test.ts. Rule: the built program; each error says what would be right, in flags.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HAFT, makeFolder } from "./start-server.ts";

function haft(args: readonly string[], root = makeFolder()) {
  const done = spawnSync(process.execPath, [HAFT, ...args], {
    encoding: "utf8",
    cwd: root,
    input: "",
    env: { ...process.env, XDG_CONFIG_HOME: makeFolder() },
  });
  return { status: done.status, out: done.stdout, err: done.stderr };
}

const WRONG: readonly (readonly [status: number, words: RegExp, args: string])[] = [
  [2, /unknown option '--jsn'/, "call list --jsn"],
  [2, /missing required argument 'tool'/, "call"],
  [2, /expected a directory that exists/, "call list --root gone"],
  [2, /--mode: expected "read-only"/, "call list --mode red"],
  [2, /--ledger <file>' argument '' is invalid/, "call list --ledger "],
  [2, /--state-dir <dir>' argument '' is invalid/, "ledger sessions --state-dir "],
  [1, /there is no ledger at .*--ledger/, "ledger sessions"],
  [2, /Did you mean show/, "ledger shwo"],
  [1, /there is no ledger/, "commitments show 3f2a9c1e"],
  [2, /missing required argument 'dir'/, "trust"],
  [1, /there is no .*haft\.config\.json/, "trust gone"],
  [2, /expected a directory that exists/, "init --root gone"],
  [2, /unknown command 'cal'/, "cal"],
  [2, /Did you mean ledger/, "help lger"],
];

describe("a mistake", () => {
  it.each(WRONG)("with status %i says %s: haft %s", (status, words, line) => {
    const args = line.split(" ");
    const ran = haft([...args, "--json"]);
    expect(ran.status).toBe(status);
    const { error } = JSON.parse(ran.out) as { error: { message: string; status: number } };
    expect(error.message).toMatch(words);
    expect(error.status).toBe(status);
    expect(ran.err).not.toMatch(/^\s+at \S/m);
    expect(ran.err).not.toBe("");
    expect(haft(args)).toMatchObject({ status, out: "" });
  });

  it("is one object where the call's own output is one already", () => {
    const ran = haft(["call", "raed", "--json"]);
    expect(ran.status).toBe(2);
    expect(JSON.parse(ran.out)).toMatchObject({ isError: true, refusal: { code: "tool-unknown" } });
  });

  it.skipIf(process.platform !== "linux")("of the surroundings is told in words", () => {
    const run = (script: string) =>
      spawnSync("bash", ["-c", script, "bash", process.execPath, HAFT], {
        encoding: "utf8",
        cwd: makeFolder(),
        env: { ...process.env, XDG_CONFIG_HOME: makeFolder() },
      });
    const gone = run('mkdir x; cd x; rmdir ../x; "$1" "$2" call list');
    expect(gone).toMatchObject({ status: 1, stdout: "" });
    expect(gone.stderr).toContain("the working directory does not exist any more");
    const full = run('"$1" "$2" tools > /dev/full');
    expect(full.status).toBe(1);
    expect(full.stderr).toMatch(/^haft: standard output cannot be written: ENOSPC.*\n$/);
  });

  it("with the state is told in flags, not in the words of the library", () => {
    const root = makeFolder();
    writeFileSync(join(root, ".haft"), "");
    const state = haft(["call", "list"], root);
    expect(state.status).toBe(2);
    expect(state.err).toContain("--state-dir");
    expect(state.err).not.toMatch(/\boption\b/);
    const other = makeFolder();
    mkdirSync(join(other, ".haft"), { mode: 0o700 });
    writeFileSync(join(other, ".haft", "ledger.db"), "no database\n".repeat(100), { mode: 0o600 });
    const ledger = haft(["call", "list"], other);
    expect(ledger.status).toBe(1);
    expect(ledger.err).toContain("--ledger");
    expect(ledger.err).not.toMatch(/\boption\b/);
  });
});
