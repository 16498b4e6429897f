/**
 * Owns running every evil path through every operation that takes a path.
 * Leaves the paths to hostile-paths.ts and the operations to operations.ts. Rule: first the naive tool does harm in a
 * twin of the fixture, then the real one must not.
 */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectRefusal, mountLoosely, type Output } from "../support/loose-toolset.ts";
import { readTreeState, type TreeState } from "../support/tree-state.ts";
import { chooseRows } from "../support/where-tools-run.ts";
import { openWorkspace, type Workspace } from "../support/workspace.ts";
import { COMMON_FIXTURE, HOSTILE_PATHS, type HostilePath, reachNaively } from "./hostile-paths.ts";
import { OPERATIONS, type Operation, SECRET, WITNESS } from "./operations.ts";

const VERDICT_CODES = { outside: "path-outside-root", changes: "path-protected" } as const;

/** A root and, in `twin`, the same world once more for the naive tool to spoil. */
function openTwins(row: HostilePath): { at: Workspace; twinRoot: string } {
  const fixture = `${COMMON_FIXTURE}\n${row.fixture ?? ""}\n`;
  const at = openWorkspace(`${fixture}\nmkdir -p ../twin/root\ncd ../twin/root\n${fixture}`);
  return { at, twinRoot: join(at.base, "twin/root") };
}

const pathFor = (row: HostilePath, operation: Operation, root: string): string | undefined =>
  (operation.victim === "file" ? row.file : row.directory)?.(root);

const isProvable = (row: HostilePath, operation: Operation): boolean =>
  pathFor(row, operation, "/r") !== undefined && !row.without?.operations.includes(operation.name);

function expectHarmUnguarded(row: HostilePath, operation: Operation, twinRoot: string): void {
  const target = reachNaively(row, twinRoot, pathFor(row, operation, twinRoot) ?? "");
  const world = join(twinRoot, "..");
  // The proof really deletes: whatever a row says, it stays in its own temporary directory.
  expect(`${target}/`.startsWith(`${world}/`), `${target} is in ${world}`).toBe(true);
  expect(operation.reaches(target, twinRoot), "an unguarded tool reaches the victim").toBe(true);
}

const outsideOnly = (state: TreeState): TreeState =>
  Object.fromEntries(
    Object.entries(state).filter(([path]) => path !== "./root" && !path.startsWith("./root/")),
  );

function expectVerdict(row: HostilePath, operation: Operation, output: Output): void {
  if (output.isError) expect(output.refusal.code, output.content).not.toBe("fault");
  if (row.verdict !== "changes") {
    expect(output.content).not.toContain(SECRET);
    expect(output.content).not.toContain(WITNESS);
  }
  if (row.verdict === "literal") return;
  if (row.verdict === "changes" && operation.effect === "reads") return;
  if (row.linkItself === true && operation.effect === "itself") return;
  expectRefusal(output, VERDICT_CODES[row.verdict], ...(row.codes ?? []));
}

describe.each(chooseRows(HOSTILE_PATHS))("hostile path: $name", (row) => {
  const provable = OPERATIONS.filter((operation) => isProvable(row, operation));

  it("is proven by at least one operation", () => {
    expect(provable.length).toBeGreaterThan(0);
  });

  it.each(provable)("$name does not reach the victim", async (operation) => {
    const { at, twinRoot } = openTwins(row);
    expectHarmUnguarded(row, operation, twinRoot);
    const before = readTreeState(at.base);
    const output = await at.call(operation.tool, operation.args(pathFor(row, operation, at.root) ?? ""));
    const after = readTreeState(at.base);
    expect(outsideOnly(after), "nothing outside the root has changed").toEqual(outsideOnly(before));
    expectVerdict(row, operation, output);
    if (output.isError) expect(after, "a refusal leaves everything alone").toEqual(before);
  });
});

describe("hostile paths where the root itself is reached through a link", () => {
  const rows = HOSTILE_PATHS.filter((row) => row.verdict === "outside" && row.linkItself !== true);

  it.each(chooseRows(rows))("$name is refused by every operation", async (row) => {
    const { at } = openTwins(row);
    const alias = join(at.base, "alias");
    symlinkSync("root", alias);
    const tools = mountLoosely(alias);
    const before = readTreeState(at.base);
    for (const operation of OPERATIONS.filter((each) => isProvable(row, each))) {
      for (const root of [at.root, alias]) {
        const output = await tools.call(operation.tool, operation.args(pathFor(row, operation, root) ?? ""));
        expectVerdict(row, operation, output);
        expect(output.isError, operation.name).toBe(true);
      }
    }
    expect(readTreeState(at.base)).toEqual(before);
    await tools.close();
  });
});
