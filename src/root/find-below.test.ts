/**
 * Owns what is found below a folder. Leaves what is looked for to permission/.
 * Rule: everything that goes with the folder is told, and a search that fails half-way is no answer.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Place } from "../contract/access.ts";
import { isRefusal } from "../contract/refusal.ts";
import type { Root } from "../contract/root.ts";
import { searchBelow } from "./find-below.ts";
import { openRoot } from "./open-root.ts";
import { locate } from "./resolve.ts";

let directory: string;
let root: Root;
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "haft-below-")));
  root = openRoot({ root: directory });
  const script =
    "mkdir -p t/a/b t/node_modules u; touch t/a/b/f t/.gitignore t/node_modules/m u/g; ln -s ../u t/l";
  execFileSync("bash", ["-c", script], { cwd: directory });
});
afterEach(() => rmSync(directory, { recursive: true }));

async function placeOf(path: string): Promise<Place> {
  const place = await locate(root, { path, link: "itself", mustExist: true });
  if (isRefusal(place)) throw new Error(place.code);
  return place;
}

async function search(path: string, of: { signal?: AbortSignal; until?: string } = {}): Promise<string[]> {
  const found: string[] = [];
  await searchBelow({
    root,
    place: await placeOf(path),
    signal: of.signal ?? new AbortController().signal,
    isFound: (below) => {
      found.push(below);
      return below === of.until;
    },
  });
  return found.sort();
}

it("tells every entry, ignored ones too, and follows no link", async () => {
  expect(await search("t")).toEqual([
    ".gitignore",
    "a",
    "a/b",
    "a/b/f",
    "l",
    "node_modules",
    "node_modules/m",
  ]);
});

it("ends where it is told to", async () => {
  const found = await search("t", { until: "a/b" });
  expect(found).toContain("a/b");
  expect(found).not.toContain("a/b/f");
});

it("finds nothing below what is no folder", async () => {
  expect(await search("t/l")).toEqual([]);
  expect(await search("u/g")).toEqual([]);
});

it("throws where it is cancelled or fails half-way, rather than say that nothing is there", async () => {
  await expect(search("t", { signal: AbortSignal.abort() })).rejects.toThrow();
  const fail = async () => {
    throw Object.assign(new Error("no descriptors left"), { code: "EMFILE" });
  };
  root = { ...root, disk: { ...root.disk, readdir: fail } };
  await expect(search("t")).rejects.toThrow("no descriptors left");
});
