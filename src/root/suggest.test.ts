import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { descriptorsInto, type Fixture, makeFixture, placeAt } from "../../test/faults/fixture.ts";
import type { RefusalFacts } from "../contract/refusal.ts";
import { openRoot } from "./open-root.ts";
import { refuseMissing } from "./suggest.ts";

let fixture: Fixture;
beforeEach(() => {
  fixture = makeFixture();
});
afterEach(() => {
  expect(descriptorsInto(fixture.base)).toEqual([]);
  fixture.remove();
});

function make(...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(fixture.box, path)), { recursive: true });
    writeFileSync(join(fixture.box, path), "");
  }
}

async function factsOf(path: string): Promise<RefusalFacts["path-missing"]> {
  const refusal = await refuseMissing(fixture.root, await placeAt(fixture.root, path));
  if (refusal.code !== "path-missing") throw new Error(refusal.code);
  return refusal.facts;
}

const entryOf = (name: string) =>
  ({ name: Buffer.from(name), isDirectory: () => false, isFile: () => true }) as never;

async function* entriesOf(names: readonly string[]) {
  for (const name of names) yield entryOf(name);
}

describe("refuseMissing", () => {
  test("names the nearest directory with its first entries and how many there are", async () => {
    make(...Array.from({ length: 12 }, (_, index) => `src/f${String(index).padStart(2, "0")}.ts`));
    mkdirSync(join(fixture.box, "src", "Dir"));
    writeFileSync(join(fixture.box, "src", ".haft-1-2-3-abc.tmp"), "");
    const facts = await factsOf("src/no/such/file.ts");
    expect(facts.path).toBe("src/no/such/file.ts");
    expect(facts.nearest.path).toBe("src");
    expect(facts.nearest.total).toBe(13);
    expect(facts.nearest.entries).toEqual([
      "Dir/",
      ...Array.from({ length: 9 }, (_, index) => `src/f0${index}.ts`.slice(4)),
    ]);
    expect((await factsOf("none")).nearest).toEqual({ path: ".", entries: ["src/"], total: 1 });
  });

  test("leaves out the state of haft itself, as walks do", async () => {
    make("src/a.ts", ".haft/scratch/main/tmp/config.ts", ".haftrc");
    const facts = await factsOf("config.ts");
    expect(facts.nearest).toEqual({ path: ".", entries: [".haftrc", "src/"], total: 2 });
    expect(facts.sameName).toEqual([]);
    expect((await factsOf(".haf")).similar).toEqual([]);
  });

  test("finds files of the same name elsewhere, by bytes, without looking into what tools made or links lead to", async () => {
    make(
      "b/x/config.ts",
      "a/config.ts",
      "node_modules/p/config.ts",
      "target/config.ts",
      ".git/config.ts",
      "a/config.tsx",
    );
    mkdirSync(join(fixture.base, "out"));
    writeFileSync(join(fixture.base, "out", "config.ts"), "");
    symlinkSync("../out", join(fixture.box, "out"));
    expect((await factsOf("src/config.ts")).sameName).toEqual(["a/config.ts", "b/x/config.ts"]);
    make(...Array.from({ length: 15 }, (_, index) => `many/${index}/same.ts`));
    expect((await factsOf("same.ts")).sameName).toHaveLength(10);
  });

  test("offers near spellings: case, another extension, a slip of the hand, an ambiguous kind of space", async () => {
    make(
      "src/Button.tsx",
      "src/index.ts",
      "src/handler.ts",
      "a\u00a0b.txt",
      "a\u202fb.txt",
      "src/unrelated.md",
    );
    expect((await factsOf("src/button.tsx")).similar).toEqual(["src/Button.tsx"]);
    expect((await factsOf("src/index.js")).similar).toEqual(["src/index.ts"]);
    expect((await factsOf("src/hanlder.ts")).similar).toEqual(["src/handler.ts"]);
    expect((await factsOf("scr/handler.ts")).similar).toEqual(["src"]);
    expect((await factsOf("a b.txt")).similar).toEqual(["a<U+00A0>b.txt", "a<U+202F>b.txt"]);
    expect((await factsOf("src/zzzzzz")).similar).toEqual([]);
  });

  test("looks at a bounded number of entries", async () => {
    let reads = 0;
    const entry = (name: string) => ({
      name: Buffer.from(name),
      isDirectory: () => true,
      isFile: () => false,
    });
    const root = fixture.withDisk({
      ...fixture.root.disk,
      // Every directory holds a thousand others: an endless tree.
      entries: async function* () {
        reads += 1;
        yield* Array.from({ length: 1000 }, (_, index) => entry(`d${index}`)) as never[];
      },
      open: async () => ({ fd: 0, close: async () => {} }) as never,
      readlink: async () => Buffer.from(fixture.box),
    });
    await refuseMissing(root, await placeAt(fixture.root, "none"));
    expect(reads).toBeLessThan(50);
  });

  test("looks at a bounded part of one huge directory too", async () => {
    const huge = (count: number) =>
      fixture.withDisk({
        ...fixture.root.disk,
        entries: () => entriesOf([...Array.from({ length: count }, (_, index) => `a${index}`), "same"]),
      });
    const place = await placeAt(fixture.root, "none/same");
    expect((await refuseMissing(huge(1_000), place)).facts).toMatchObject({ sameName: ["same"] });
    expect((await refuseMissing(huge(30_000), place)).facts).toMatchObject({ sameName: [] });
  });

  test("reads a huge directory once, and names its first entries by bytes and near spellings all the same", async () => {
    let reads = 0;
    const names = Array.from({ length: 30_000 }, (_, index) => `f${(index * 7_919) % 30_000}.ts`);
    const root = fixture.withDisk({
      ...fixture.root.disk,
      entries: () => {
        reads += 1;
        return entriesOf(names);
      },
    });
    const { facts } = await refuseMissing(root, await placeAt(root, "F77.ts"));
    expect(facts).toMatchObject({
      nearest: { entries: [...names].sort().slice(0, 10), total: 30_000 },
      similar: ["f77.ts"],
    });
    expect(reads).toBe(1);
  });

  test("reads a bounded part of a directory without end, and says that it did", async () => {
    let read = 0;
    const root = fixture.withDisk({
      ...fixture.root.disk,
      entries: async function* () {
        for (;;) yield entryOf(`f${read++}`);
      },
    });
    const { facts } = await refuseMissing(root, await placeAt(fixture.root, "none"));
    expect(facts).toMatchObject({ nearest: { total: 50_000, isAtLeast: true } });
    expect(read).toBeLessThan(50_010);
  });

  test("outside the root, where a host's resolver led, it looks nowhere else", async () => {
    make("f.txt");
    mkdirSync(join(fixture.base, "out"));
    const root = openRoot({ root: fixture.box, resolve: (path) => join(fixture.base, "out", path) });
    const refusal = await refuseMissing(root, await placeAt(root, "f.txt"));
    expect(refusal.facts).toMatchObject({
      nearest: { path: join(fixture.base, "out"), total: 0 },
      sameName: [],
    });
  });
});
