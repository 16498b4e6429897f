/**
 * Owns the ceilings of what haft costs in a request, counted with a public tokenizer. Leaves measuring to
 * `npm run bench:tokens`. Rule: a ceiling is what was reached, with a little room; what raises one is a decision.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { mount, openSession, type ToolDefinition } from "../../src/index.ts";

/** Tokens of a definition as a provider gets it. */
const costOf = ({ name, description, inputSchema }: ToolDefinition) =>
  countTokens(JSON.stringify({ name, description, input_schema: inputSchema }));
const sum = (definitions: readonly ToolDefinition[]) =>
  definitions.reduce((total, definition) => total + costOf(definition), 0);

/** Reached, and a little more. */
const CEILINGS: Readonly<Record<string, number>> = {
  read: 200,
  list: 180,
  glob: 200,
  grep: 350,
  edit: 250,
  write: 160,
  delete: 110,
  move: 150,
  bash: 240,
  jobs: 210,
  webfetch: 170,
  browse: 225,
  recall: 310,
};
/** For a tool without a ceiling of its own. */
const NEW_TOOL = 350;
const MOUNT = 1_300;
const SESSION = 2_900;

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "haft-tokens-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("what the definitions cost", () => {
  it("is at most 1,300 tokens for the six of mount, below the 1,800 that were promised", () => {
    expect(sum(mount({ root }).definitions())).toBeLessThanOrEqual(MOUNT);
  });

  it("is at most 2,900 tokens for the whole set of a session, below the 4,000 that were promised", async () => {
    await using session = await openSession({ root, ledger: "memory" });
    expect(sum(session.definitions())).toBeLessThanOrEqual(SESSION);
  });

  it("stays below the ceiling of each tool", async () => {
    await using session = await openSession({ root, ledger: "memory" });
    const over = session
      .definitions()
      .map(
        (definition) => [definition.name, costOf(definition), CEILINGS[definition.name] ?? NEW_TOOL] as const,
      )
      .filter(([, cost, ceiling]) => cost > ceiling);
    expect(over).toEqual([]);
  });
});

describe("what results cost", () => {
  const line = "  const taxed = price * (1 + rate / 10); // whole cents";
  const text = `${line}\n`.repeat(100);

  it("is at most three tokens a line, and a header, above the text of a file", async () => {
    writeFileSync(join(root, "a.ts"), text);
    const { content } = await mount({ root }).call("read", { path: "a.ts" });
    expect(countTokens(content) - countTokens(text)).toBeLessThanOrEqual(3 * 100 + 20);
  });

  it("is at most 40 tokens for a search that finds nothing, and 20 for a new file", async () => {
    writeFileSync(join(root, "a.ts"), text);
    const tools = mount({ root });
    const nothing = await tools.call("grep", { pattern: "nowhere" });
    expect(countTokens(nothing.content)).toBeLessThanOrEqual(40);
    const made = await tools.call("write", { path: "b.ts", content: text });
    expect(countTokens(made.content)).toBeLessThanOrEqual(20);
  });

  it("is the window's 30,000 characters at most, whatever a command prints", async () => {
    await using session = await openSession({ root, ledger: "memory", mode: "full-access" });
    const { content } = await session.call("bash", { command: "seq 1 200000" });
    expect(content.length).toBeLessThanOrEqual(30_200);
  });
});
