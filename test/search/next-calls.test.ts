/**
 * Owns the calls that list and glob name where their answer was cut. Leaves their answers to src/tools/.
 * Rule: each call is made, and its answer begins with what was left out first, or holds it.
 */
import { describe, expect, it } from "vitest";
import { findSuggestedCalls } from "../support/suggested-calls.ts";
import { openWorkspace } from "../support/workspace.ts";

const TREE =
  "mkdir -p a/b c/d e; touch a/{01..30}.ts a/b/{01..30}.ts c/d/{01..30}.ts c/{01..30}.js e/x{01..30}.ts z{01..30}.ts 'é{1}.ts'";
const rows = (content: string) => content.split("\n").slice(1);

async function follow(name: "glob" | "list", args: Record<string, unknown>, max: number) {
  const limits = name === "glob" ? { globMax: max } : { listMax: max };
  const at = openWorkspace(TREE, { limits });
  const cut = await at.does(name, args);
  const whole = rows(
    (await openWorkspace(TREE, { limits: { globMax: 1_000, listMax: 1_000 } }).does(name, args)).content,
  );
  const [call] = findSuggestedCalls(cut.content.split("\n")[0] ?? "", at.tools.names());
  if (call === undefined) return { cut: cut.content, call };
  const next = await at.does(call.name, call.args);
  return { cut: cut.content, call, missing: whole[rows(cut.content).length], next: rows(next.content) };
}

describe("where an answer was cut", () => {
  it.each([
    [{ pattern: "**/*.ts" }, 10],
    [{ pattern: "**/*.ts" }, 30],
    [{ pattern: "**/*.ts" }, 60],
    [{ pattern: "**/*.ts" }, 75],
    [{ pattern: "**/*" }, 91],
    [{ pattern: "*" }, 5],
    [{ pattern: "*.ts", path: "a" }, 12],
    [{ pattern: "a/*.{ts,js}" }, 12],
    [{ pattern: "a/**/*.ts" }, 12],
    [{ pattern: "c/**/*" }, 40],
  ])("glob %j of %d names the call that begins with what follows", async (args, max) => {
    const { call, missing, next } = await follow("glob", args, max);
    expect(call?.name).toBe("glob");
    expect(next?.[0]).toBe(missing);
  });

  it.each([
    [{}, 5],
    [{ path: "a" }, 12],
    [{ path: "a", glob: "*.ts" }, 12],
    [{ depth: 3 }, 1],
    [{ depth: 3 }, 40],
    [{ depth: 2 }, 64],
    [{ depth: 2, path: "c" }, 1],
  ])("list %j of %d names a call that holds what follows", async (args, max) => {
    const { call, missing, next, cut } = await follow("list", args, max);
    expect(call?.name, cut).toBe("list");
    const base = (path?: unknown) => (typeof path === "string" && path !== "." ? `${path}/` : "");
    const below = base((args as { path?: string }).path) + (missing ?? "");
    expect(next?.map((row) => base(call?.args.path) + row)).toContain(below);
  });

  it("names none where the pattern allows none, and says how to narrow", async () => {
    const { call, cut } = await follow("glob", { pattern: "?/*" }, 10);
    expect(call).toBeUndefined();
    expect(cut).toContain("showing the first 10; narrow the pattern");
  });
});
