/**
 * Owns which other names of files are found, and what is looked into for them. Leaves rules to permission/.
 * Rule: only the folders that matter are opened, no link is followed, and a search that is cancelled is no answer.
 */
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Root } from "../contract/root.ts";
import { openRoot } from "./open-root.ts";
import { gatherLinkedNames, identifyNow } from "./other-names.ts";

let directory: string;
let root: Root;
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "haft-names-")));
  root = openRoot({ root: directory });
  for (const folder of ["a/deep", "b"]) mkdirSync(join(directory, folder), { recursive: true });
  writeFileSync(join(directory, "a/deep/one"), "1");
  writeFileSync(join(directory, "a/alone"), "1");
  linkSync(join(directory, "a/deep/one"), join(directory, "b/other"));
  symlinkSync("../a", join(directory, "b/link"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const gather = async (mayEnter: (folder: string) => boolean, signal = new AbortController().signal) =>
  (await gatherLinkedNames({ root, signal, mayEnter, isMeant: () => true })).names;

it("finds all names of files that have several, and follows no link", async () => {
  const found = await gather(() => true);
  expect([...found.values()].map((names) => [...names].sort())).toEqual([["a/deep/one", "b/other"]]);
  expect(found.has(String(identifyNow(join(directory, "b/other"))))).toBe(true);
  expect(identifyNow(join(directory, "a/alone"))).toBeUndefined();
});

it("opens only what may hold names that matter", async () => {
  const entered: string[] = [];
  const found = await gather((folder) => entered.push(folder) > 0 && folder !== "a");
  expect([...found.values()]).toEqual([["b/other"]]);
  expect(entered.sort()).toEqual(["a", "b"]);
});

it("ends at a bound, upper folders first, and where the call is cancelled", async () => {
  const bounded = { root, signal: new AbortController().signal, mayEnter: () => true, isMeant: () => true };
  // The root has two entries, its folders have four, and the deep one has one.
  const found = await gatherLinkedNames({ ...bounded, maxEntries: 6 });
  expect([...found.names.values()]).toEqual([["b/other"]]);
  expect(found.isWhole).toBe(false);
  const none = await gatherLinkedNames({ ...bounded, maxEntries: 2 });
  expect([...none.names.values()]).toEqual([]);
  expect((await gatherLinkedNames({ ...bounded, maxEntries: 7 })).isWhole).toBe(true);
  await expect(gather(() => true, AbortSignal.abort(new Error("over")))).rejects.toThrow("over");
});
