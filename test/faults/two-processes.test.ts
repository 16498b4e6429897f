/**
 * Two processes edit one file at once: an edit that was reported as done is in the file, one that met the other's
 * was refused. The program runs the built package, as Node 20 runs no TypeScript.
 */
import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { makeFixture, pictureOf } from "./fixture.ts";

const dist = process.env.HAFT_DIST ?? fileURLToPath(new URL("../../dist", import.meta.url));
const program = fileURLToPath(new URL("programs/edit-every-other.mjs", import.meta.url));
const run = promisify(execFile);

test("no edit of two processes is lost once it was reported as done", { timeout: 120_000 }, async () => {
  expect(existsSync(join(dist, "index.js")), "the package is built before this test").toBe(true);
  const { box } = makeFixture();
  const places = Array.from({ length: 200 }, (_, place) => `<${place}>`);
  writeFileSync(join(box, "p.txt"), places.join("\n"));
  const both = await Promise.all(
    ["0", "1"].map((first) => run(process.execPath, [program, dist, box, first])),
  );
  const done = both.flatMap(({ stdout }) => JSON.parse(stdout) as number[]);
  const lines = readFileSync(join(box, "p.txt"), "utf8").split("\n");
  expect(lines).toEqual(places.map((text, place) => (done.includes(place) ? `[${place}]` : text)));
  expect(done.length).toBeGreaterThan(50);
  expect(Object.keys(pictureOf(box))).toEqual(["p.txt"]);
});
