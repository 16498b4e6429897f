/**
 * Owns keeping the rooms apart: what ARCHITECTURE.md draws is what the imports say.
 * Leaves the rules to test/layers/rules.ts. Rule: a file that breaks one is named with the rule it breaks.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, posix, relative } from "node:path";
import { describe, expect, it } from "vitest";
import {
  CLOSED_ROOMS,
  DOORS,
  EXCEPTIONS,
  FORBIDDEN,
  FORBIDDEN_COMMENTS,
  ROOMS,
  VAGUE_NAMES,
} from "./layers/rules.ts";
import { keepCode, scanImports } from "./layers/scan-source.ts";

const src = join(import.meta.dirname, "..", "src");
const files = readdirSync(src, { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => path.endsWith(".ts"));
const sources = new Map(files.map((path) => [path, readFileSync(join(src, path), "utf8")]));
const product = files.filter((path) => !path.endsWith(".test.ts"));
const sourceOf = (path: string): string => sources.get(path) ?? "";

/** The room of a file: its place in the order, and a name that siblings do not share. */
function roomOf(path: string): { rank: number; name: string } | undefined {
  for (const [rank, row] of ROOMS.entries()) {
    for (const room of row) {
      if (room === path || (!room.endsWith("*") && path.startsWith(`${room}/`))) return { rank, name: room };
      if (room.endsWith("/*") && path.startsWith(room.slice(0, -1)) && path.split("/").length > 2) {
        return { rank, name: path.split("/").slice(0, 2).join("/") };
      }
    }
  }
  return undefined;
}

function relativeImports(path: string): { target: string; typeOnly: boolean }[] {
  return scanImports(sourceOf(path))
    .filter(({ specifier }) => specifier.startsWith("."))
    .map(({ specifier, typeOnly }) => ({ target: posix.join(posix.dirname(path), specifier), typeOnly }));
}

describe("the rooms", () => {
  it("hold every source file", () => {
    expect(product.filter((path) => roomOf(path) === undefined)).toEqual([]);
  });

  it("import only from themselves and from rooms that stand before them", () => {
    const broken: string[] = [];
    for (const path of files) {
      const from = roomOf(path);
      for (const { target } of relativeImports(path)) {
        const to = roomOf(target);
        if (from === undefined || to === undefined) {
          // Tests beside a file may use what test/ offers.
          if (!(path.endsWith(".test.ts") && target.startsWith("../test/")))
            broken.push(`${path} → ${target}: no room`);
        } else if (from.name !== to.name && to.rank >= from.rank && !isException(path, target)) {
          broken.push(`${path} → ${target}: ${to.name} does not stand before ${from.name}`);
        }
      }
    }
    expect(broken).toEqual([]);
  });

  it("have no exception that nobody needs", () => {
    const used = (from: string, to: string) => relativeImports(from).some(({ target }) => target === to);
    expect(EXCEPTIONS.filter(({ from, to }) => !used(from, to))).toEqual([]);
  });

  it.each(CLOSED_ROOMS)("leave $room to $allowed: $why", ({ room, allowed }) => {
    const broken = product
      .filter((path) => !allowed.some((place) => path.startsWith(place)))
      .flatMap((path) =>
        relativeImports(path)
          .filter(({ target, typeOnly }) => !typeOnly && target.startsWith(room))
          .map(({ target }) => `${path} → ${target}`),
      );
    expect(broken).toEqual([]);
    expect(product.some((path) => path.startsWith(room))).toBe(true);
  });

  it("import with the .ts extension, from files that exist", () => {
    const broken = files.flatMap((path) =>
      relativeImports(path)
        .filter(({ target }) => !target.endsWith(".ts") || !existsSync(join(src, target)))
        .map(({ target }) => `${path} → ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it("have no cycle at run time", () => {
    expect(findCycle()).toBeUndefined();
  });
});

function isException(from: string, to: string): boolean {
  return EXCEPTIONS.some((exception) => exception.from === from && exception.to === to);
}

function findCycle(): string | undefined {
  const done = new Set<string>();
  const walk = (path: string, trail: readonly string[]): string | undefined => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path].join(" → ");
    if (done.has(path)) return undefined;
    for (const { target, typeOnly } of relativeImports(path)) {
      const cycle = typeOnly ? undefined : walk(target, [...trail, path]);
      if (cycle !== undefined) return cycle;
    }
    done.add(path);
    return undefined;
  };
  for (const path of product) {
    const cycle = walk(path, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

describe("the doors", () => {
  it.each(DOORS)("$modules are opened only where a reason is given", ({ modules, allowed }) => {
    const broken = product.filter(
      (path) =>
        !allowed.some(({ place }) => path === place || (place.endsWith("/") && path.startsWith(place))) &&
        scanImports(sourceOf(path)).some((found) => !found.typeOnly && modules.includes(found.specifier)),
    );
    expect(broken).toEqual([]);
  });

  it("name built-in modules with node: so that none is missed", () => {
    const bare =
      /^(fs|child_process|net|http|https|tls|dgram|dns|path|os|util|stream|crypto|module|url)(\/|$)/;
    const broken = product.filter((path) =>
      scanImports(sourceOf(path)).some(({ specifier }) => bare.test(specifier)),
    );
    expect(broken).toEqual([]);
  });
});

describe("the source", () => {
  it.each(FORBIDDEN)("does not contain $pattern: $why", ({ pattern, allowed = [] }) => {
    const broken = product.flatMap((path) => {
      if (allowed.some((place) => path.startsWith(place))) return [];
      const lines = keepCode(sourceOf(path)).split("\n");
      return lines.flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : []));
    });
    expect(broken).toEqual([]);
  });

  it("switches no check of the compiler off", () => {
    const broken = product.filter((path) => FORBIDDEN_COMMENTS.some((mark) => mark.test(sourceOf(path))));
    expect(broken).toEqual([]);
  });

  it("opens every file with a comment that says what it owns", () => {
    const broken = product.filter(
      (path) => !/^(#!.*\n)?\/\*\*[\s\S]*?Owns?\b[\s\S]*?\*\//.test(sourceOf(path)),
    );
    expect(broken).toEqual([]);
  });

  it("gives every file a name of its own, in kebab case", () => {
    const broken = product.filter((path) => {
      const name = basename(path, ".ts");
      const vague = VAGUE_NAMES.some((word) => name.split("-").includes(word)) && path !== "index.ts";
      return vague || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name);
    });
    expect(broken).toEqual([]);
  });
});

describe("the scanner", () => {
  it("tells types from values and static from dynamic imports", () => {
    const source = [
      'import type { A } from "./a.ts";',
      'import { type B } from "./b.ts";',
      "import {",
      "  type C,",
      "  d,",
      '} from "./c.ts";',
      'export { e } from "./e.ts";',
      'const f = await import("./f.ts");',
      'let g: import("./g.ts").G;',
      '// import { h } from "./h.ts";',
    ].join("\n");
    expect(scanImports(source).map(({ specifier, typeOnly }) => `${specifier} ${typeOnly}`)).toEqual([
      "./a.ts true",
      "./b.ts true",
      "./c.ts false",
      "./e.ts false",
      "./f.ts false",
      "./g.ts true",
    ]);
  });

  it("finds forbidden words in code and not in comments or strings", () => {
    const code = keepCode('const a = "eval(1)"; // eval(2)\n/* eval(3) */ eval(4);');
    expect(code.match(/eval\(\d?/g)).toEqual(["eval(4"]);
  });

  it("has files to look at", () => {
    expect(product.length).toBeGreaterThan(20);
    expect(relative(src, join(src, product[0] ?? ""))).toBe(product[0]);
  });
});
