/**
 * Owns refusals of calls with huge arguments: what was sent is not sent back.
 * Rule: a refusal quotes enough to be recognised, whatever the length of what it refuses.
 */
import { describe, expect, it } from "vitest";
import { openWorkspace } from "../support/workspace.ts";

const HUGE = 1_000_000;
const x = "x".repeat(HUGE);

describe("a refusal of a huge argument", () => {
  it.each([
    ["grep", { pattern: `(?=${x})` }],
    ["grep", { pattern: `(?!${"\u0001".repeat(HUGE)})` }],
    ["grep", { pattern: "a", glob: `!(${x})` }],
    ["grep", { pattern: "a", path: x }],
    ["grep", { pattern: `${x}{1000}{1000}` }],
    ["glob", { pattern: `!(${x})` }],
    ["glob", { pattern: `*/../${x}` }],
    ["glob", { pattern: x, path: `../${x}` }],
    ["list", { glob: `!(${x})` }],
    ["list", { path: `/${x}` }],
    ["read", { path: x }],
    ["read", { path: `a/${"b/".repeat(HUGE)}` }],
    ["read", { path: `${"d/../".repeat(HUGE / 5)}f/x` }],
    ["read", { path: `f/${"b/".repeat(1_000)}` }],
    ["read", { path: `~/${x}` }],
    ["read", { path: `file://${x}` }],
    ["read", { path: "f", offset: x }],
    ["write", { path: `${"é/".repeat(1_000)}x`, content: 1, [x]: 1 }],
    ["write", { path: "f", content: { [x]: x } }],
    ["write", `{"path":"${x}`],
    ["write", `{"path":"\\q${x}"}`],
    ["edit", { path: x, edits: x }],
    ["edit", { path: "f", edits: [{ old_text: "a", new_text: "b", [x]: x }] }],
    ["move", { from: x, to: x }],
    ["delete", { path: `.git/${"b/".repeat(1_000)}` }],
    [x, { path: "a" }],
  ])("of %.20s is short (%#)", async (tool, args) => {
    const at = openWorkspace("mkdir d; printf 1 > f; mkdir .git");
    const output = await at.tools.call(tool, args);
    if (!output.isError) return expect(output.content.length).toBeLessThan(4_000);
    expect(output.refusal.code, output.content.slice(0, 500)).not.toBe("fault");
    expect(output.content.length, output.content.slice(0, 500)).toBeLessThan(4_000);
    return undefined;
  });
});
