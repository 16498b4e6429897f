/**
 * Owns that the public surface is documented where it is declared: every export, every member, every default.
 * Leaves the pages to `npm run docs`, and that they are up to date to `npm run check`. Rule: read from what is built,
 * as an editor reads it.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };

interface Member {
  readonly path: string;
  readonly type: string;
  readonly doc: string;
}

interface Declared {
  readonly name: string;
  readonly kind: string;
  readonly doc: string;
  readonly members: readonly Member[];
}

interface ApiPages {
  readonly ENTRIES: readonly (readonly [string, string, string])[];
  readApi(dist: string, declarations: string): { shown: readonly Declared[]; mentioned: readonly Declared[] };
  makeApiPages(dist: string): ReadonlyMap<string, string>;
}

const scripts = join(import.meta.dirname, "..", "scripts");
const { ENTRIES, makeApiPages, readApi } = (await import(
  pathToFileURL(join(scripts, "api-pages.mjs")).href
)) as ApiPages;
const dist = join(import.meta.dirname, "..", "dist");
const entries = ENTRIES.map(([entry, path]) => {
  const { shown, mentioned } = readApi(dist, path);
  return { entry, shown, all: [...shown, ...mentioned] };
});

/** What stands for itself: `"failed"`, `true`. */
const isLiteral = ({ type }: Member) => /^(?:"[^"]*"|true|false)$/.test(type);

describe("the public surface", () => {
  it("is that of the package", () => {
    const imported = Object.keys(manifest.exports).filter((name) => name !== "./package.json");
    expect(ENTRIES.map(([entry]) => entry)).toEqual(imported.map((name) => name.replace(/^\./, "haft")));
  });

  it.each(entries)("of $entry says of each export what it is", ({ all, shown }) => {
    expect(shown.length).toBeGreaterThan(1);
    expect(all.filter(({ doc }) => doc === "").map(({ name }) => name)).toEqual([]);
  });

  it.each(entries)("of $entry says of each member what it is", ({ all }) => {
    // Refusals have a page of their own.
    const told = all.filter(({ name }) => name !== "RefusalFacts" && name !== "ToolContext");
    const silent = told.flatMap(({ name, members }) =>
      members
        .filter((member) => member.doc === "" && !isLiteral(member))
        .map(({ path }) => `${name}.${path}`),
    );
    expect(silent).toEqual([]);
  });

  it.each(entries)("of $entry says the default of each option", ({ all }) => {
    const options = all.filter(
      ({ name }) => /Options$|^ServeHttp$|^OwnTool$/.test(name) && name !== "ToolOptions",
    );
    const silent = options.flatMap(({ name, members }) =>
      members
        .filter(
          ({ path, doc, type }) =>
            path.endsWith("?") && type !== "object" && !/default|where absent/i.test(doc),
        )
        .map(({ path }) => `${name}.${path}`),
    );
    expect(silent).toEqual([]);
  });

  it("is told on pages that name every export and every member", () => {
    const pages = makeApiPages(dist);
    for (const { entry, shown } of entries) {
      const page = pages.get(`docs/api/${entry.replace("/", "-")}.md`) ?? "";
      for (const { name } of shown) expect(page).toContain(`### \`${name}\`\n`);
    }
    const page = pages.get("docs/api/haft.md") ?? "";
    expect(page).toContain("| `env.pass?` |");
    expect(page).toContain("Default 120000.");
  });
});
