import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRefusal } from "../contract/refusal.ts";
import { CATALOG } from "../tools/catalog.ts";
import { mountTools } from "../toolset/mount-tools.ts";
import type { Mounted } from "../toolset/mounted.ts";
import { prepareCall } from "../toolset/prepare.ts";
import { type Claims, coversClaims, findClaims, isConflict, NOTHING, uniteClaims } from "./claims.ts";

let root: string;
let mounted: Mounted;

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "haft-claims-")));
  mkdirSync(join(root, "d/e"), { recursive: true });
  writeFileSync(join(root, "a.txt"), "a");
  writeFileSync(join(root, "d/b.txt"), "b");
  linkSync(join(root, "a.txt"), join(root, "other-name.txt"));
  symlinkSync("a.txt", join(root, "link"));
  symlinkSync("link", join(root, "link-to-link"));
  symlinkSync("d", join(root, "way"));
  mountTools(
    { catalog: CATALOG, preset: { prefix: "", tools: CATALOG.map(({ name }) => name), inSession: true } },
    { root },
    {
      stations(made) {
        mounted = made;
        return { around: [], between: [] };
      },
    },
  );
});
afterAll(() => rmSync(root, { recursive: true }));

async function claimsOf(name: string, args: unknown): Promise<Claims> {
  const prepared = await prepareCall(mounted, { name, args });
  if (isRefusal(prepared)) return expect.fail(prepared.code);
  return findClaims(mounted.root, prepared);
}

const write = (path: string) => claimsOf("write", { path, content: "" });
const read = (path: string) => claimsOf("read", { path });

describe("two calls conflict", () => {
  it.each(["./a.txt", "d/../a.txt", "way/../a.txt", "link", "link-to-link", "other-name.txt", "."])(
    "where one writes a.txt and the other reads it as %s",
    async (path) => {
      expect(isConflict(await write("a.txt"), await read(path))).toBe(true);
      expect(isConflict(await read(path), await write(`${root}/a.txt`))).toBe(true);
    },
  );

  it("where one takes away a link that the other goes through", async () => {
    expect(isConflict(await claimsOf("delete", { path: "link" }), await read("link-to-link"))).toBe(true);
    expect(isConflict(await claimsOf("move", { from: "way", to: "x" }), await read("way/b.txt"))).toBe(true);
  });

  it("where one searches what the other changes, its ignore file included", async () => {
    expect(isConflict(await claimsOf("grep", { pattern: "x", path: "d" }), await write("d/e/new.txt"))).toBe(
      true,
    );
    expect(
      isConflict(await claimsOf("glob", { pattern: "**", path: "d/e" }), await write("d/.gitignore")),
    ).toBe(true);
  });

  it("where both would make one missing folder", async () => {
    expect(isConflict(await write("new/x/1.txt"), await write("new/y/2.txt"))).toBe(true);
  });

  it("where one is a command, whatever the other is", async () => {
    const command = await claimsOf("bash", { command: "true" });
    for (const other of [await read("a.txt"), await claimsOf("recall", {}), NOTHING])
      expect(isConflict(command, other)).toBe(true);
    expect((await claimsOf("jobs", {})).isExclusive).toBe(true);
  });
});

describe("two calls do not conflict", () => {
  it("where both only read, or touch different files", async () => {
    expect(isConflict(await read("."), await claimsOf("grep", { pattern: "x" }))).toBe(false);
    expect(isConflict(await write("a.txt"), await write("d/b.txt"))).toBe(false);
    expect(isConflict(await write("d/b.txt"), await claimsOf("list", { path: "d/e" }))).toBe(false);
    expect(isConflict(await write("a.txt"), await claimsOf("recall", {}))).toBe(false);
  });
});

it("what is held covers what lies in it, and no writing where only reading is held", async () => {
  const all = await read(".");
  expect(coversClaims(all, await read("d/b.txt"))).toBe(true);
  expect(coversClaims(all, await write("d/b.txt"))).toBe(false);
  const both = uniteClaims(all, await write("d/b.txt"));
  expect(coversClaims(both, await write("d/b.txt"))).toBe(true);
  expect(coversClaims(both, await write("a.txt"))).toBe(false);
});
