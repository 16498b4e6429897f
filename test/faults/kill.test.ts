/**
 * A process is killed in the middle of replacing and moving: every file is old or new, at most one temporary
 * entry stays, and a later sweep removes it. The program runs the built package, as Node 20 runs no TypeScript.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { sweepAbandoned } from "../../src/root/sweep.ts";
import { makeFixture, never, pictureOf } from "./fixture.ts";

const dist = process.env.HAFT_DIST ?? fileURLToPath(new URL("../../dist", import.meta.url));
const program = fileURLToPath(new URL("programs/change-for-ever.mjs", import.meta.url));
const ROUNDS = process.env.HAFT_LONG === "1" ? 200 : 12;

async function startChanging(box: string, way: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, dist, box, way], { stdio: ["ignore", "pipe", "pipe"] });
  let errors = "";
  child.stderr?.on("data", (chunk) => {
    errors += String(chunk);
  });
  const said = await Promise.race([
    child.stdout ? once(child.stdout, "data").then(String) : "",
    once(child, "exit").then(() => `ended: ${errors}`),
  ]);
  expect(said).toBe("ready\n");
  return child;
}

/** What stands at `here` or `there`: whole at one of them; while it is copied, it may be whole at both. */
function expectWhole(box: string, name: string, whole: (path: string) => boolean, copies: boolean): void {
  const found = ["here", "there"].map((side) => join(box, side, name)).filter((path) => existsSync(path));
  const complete = found.filter(whole);
  expect(complete.length, `${name}: ${found.join()}`).toBeGreaterThanOrEqual(1);
  if (!copies) expect(found).toHaveLength(1);
}

function findTemporary(box: string): string[] {
  return Object.keys(pictureOf(box)).filter((path) => /\.haft-[^/]*\/?$/.test(path));
}

describe.runIf(process.platform === "linux").each(["rename", "copy"])(
  "killed while it moves by %s",
  (way) => {
    test("files are old or new, and what stays is swept", { timeout: 600_000 }, async () => {
      expect(existsSync(join(dist, "root")), "the package is built before this test").toBe(true);
      let left = 0;
      // Were nothing ever left, the killing would miss the moments that this is about: then it goes on.
      for (let round = 0; round < ROUNDS || (left === 0 && round < 20 * ROUNDS); round++) {
        const fixture = makeFixture();
        for (const side of ["here", "there", "d"]) mkdirSync(join(fixture.box, side));
        const file = "moved ".repeat(50_000);
        writeFileSync(join(fixture.box, "here", "file"), file);
        mkdirSync(join(fixture.box, "here", "tree", "sub"), { recursive: true });
        for (const name of ["a", "b", "sub/c"]) writeFileSync(join(fixture.box, "here", "tree", name), name);
        const tree = pictureOf(join(fixture.box, "here", "tree"));

        const child = await startChanging(fixture.box, way);
        await new Promise((resolve) => setTimeout(resolve, (round * 7) % 40));
        child.kill("SIGKILL");
        await once(child, "exit");

        const text = readFileSync(join(fixture.box, "d", "f"), "latin1");
        expect([text.length, new Set(text).size]).toEqual([300_000, 1]);
        expectWhole(fixture.box, "file", (path) => readFileSync(path, "utf8") === file, way === "copy");
        const wholeTree = (path: string) => JSON.stringify(pictureOf(path)) === JSON.stringify(tree);
        expectWhole(fixture.box, "tree", wholeTree, way === "copy");
        const temporary = findTemporary(fixture.box);
        expect(temporary.length).toBeLessThanOrEqual(1);
        left += temporary.length;
        await sweepAbandoned(fixture.root, { signal: never });
        expect(findTemporary(fixture.box)).toEqual([]);
        expect(readdirSync(join(fixture.box, "d"))).toEqual(["f"]);
        fixture.remove();
      }
      // Were nothing ever left, the killing would miss the moments that this is about.
      expect(left).toBeGreaterThan(0);
    });
  },
);
