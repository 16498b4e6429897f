/**
 * Owns several processes that save rules of one person at once. Leaves the file itself to person-rules.test.ts.
 * Rule: as built, each in a process of its own, none of them told of the others.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readPersonRules } from "../../src/surfaces/config/person-rules.ts";

const BUILT = resolve(import.meta.dirname, "../../dist/surfaces/config/person-rules.js");
const PROCESSES = 4;
const RULES = 25;

let around = "";
beforeEach(() => {
  around = realpathSync(mkdtempSync(join(tmpdir(), "haft-rules-")));
});
afterEach(() => rmSync(around, { recursive: true, force: true }));

/** A process that saves its rules one after another; gives its exit code and what it said of itself. */
function save(name: number, root: string, path: string): Promise<string> {
  const program = `
    import { savePersonRule } from ${JSON.stringify(BUILT)};
    const [root, path, name] = process.argv.slice(1);
    for (let i = 0; i < ${RULES}; i++) await savePersonRule(root, "runs(task " + name + " " + i + ")", path);
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, root, path, String(name)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  return new Promise((done) => child.once("close", (code) => done(`${code} ${said}`)));
}

it("loses no rule of four processes that save at once", async () => {
  const root = join(around, "root");
  mkdirSync(root);
  const path = join(around, "config", "haft", "config.json");
  const ended = await Promise.all(Array.from({ length: PROCESSES }, (_, index) => save(index, root, path)));
  expect(ended).toEqual(Array.from({ length: PROCESSES }, () => "0 "));
  expect(new Set(readPersonRules(root, path).allow).size).toBe(PROCESSES * RULES);
}, 60_000);
