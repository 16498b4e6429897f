/**
 * Each sentence that the founding document says of commitments, as a test.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Ports } from "../../src/contract/context.ts";
import { commitmentsTool } from "../../src/tools/commitments/commitments.ts";
import { expectCode, makeRoot, open } from "../session/session-fixture.ts";
import { openPromising, SAID, termsOf } from "./fixture.ts";

describe("the tool commitments", () => {
  it("shows what is open", async () => {
    const { commitments, look } = await openPromising(makeRoot());
    expect(await look()).toBe("0 commitments open, 0 closed");
    const { shortId } = await commitments.open(termsOf());
    const [head, , title, first] = (await look()).split("\n");
    expect(head).toBe("1 commitment open, 0 closed");
    expect(title).toBe("open, the most urgent first:");
    expect(first).toBe(`${shortId} Ship the report`);
  });

  it("shows what is blocked, and by what", async () => {
    const { commitments, look } = await openPromising(makeRoot());
    const { shortId } = await commitments.open(termsOf());
    await commitments.block(shortId, "no access to the build server");
    expect(await look()).toContain("1 commitment open (1 blocked), 0 closed\n\nheld");
    expect(await look()).toContain("  blocked: no access to the build server\n");
    expect(await look({ id: shortId })).toContain("blocked: no access to the build server");
  });

  it("shows what waits on a person, and on which question", async () => {
    const { commitments, look } = await openPromising(makeRoot());
    const { shortId } = await commitments.open(termsOf());
    await commitments.suspend(shortId, { kind: "question", text: "Which region?" });
    expect(await look()).toContain("(1 waits on a person)");
    expect(await look()).toContain("  waits on a person to answer q1: Which region?\n");
    await commitments.answer(shortId, { answer: "Europe" });
    expect(await look()).not.toContain("waits on a person");
    expect(await look({ id: shortId })).toContain("question q1: Which region? Answer: Europe");
  });

  it("shows what evidence each still needs before it can close", async () => {
    const root = makeRoot({ "report.md": "draft\n", "other.md": "x\n" });
    const { commitments, look } = await openPromising(root);
    const { shortId } = await commitments.open(
      termsOf({
        criteria: [
          { statement: "unchecked yet", kind: "statement" },
          { statement: "there", kind: "file-exists", path: "other.md" },
          { statement: "final", kind: "file-contains", path: "report.md", text: "final" },
          { statement: "outside", kind: "file-exists", path: "../x" },
          { statement: "there too", kind: "file-exists", path: "report.md" },
        ],
      }),
    );
    await commitments.evaluate(shortId);
    writeFileSync(join(root, "other.md"), "y\n");
    const text = await look();
    expect(text).toContain("  c1 unchecked: unchecked yet; needs somebody to state it\n");
    expect(text).toContain("  c2 outdated (other.md has changed): there; needs the file other.md\n");
    expect(text).toContain(
      '  c3 failed (report.md does not contain it): final; needs the file report.md to contain "final"\n',
    );
    expect(text).toContain("  c4 unknown (../x is outside the root): outside; needs the file ../x");
    expect(text).not.toContain("  c5 ");
    expect(text).toContain("1 of 5 required criteria proven, with evidence that is observed or better");
  });

  it("shows how the closed ones closed", async () => {
    const root = makeRoot({ "report.md": "final\n" });
    const { session, commitments, look } = await openPromising(root);
    const proven = await commitments.open(termsOf());
    await commitments.evaluate(proven.shortId);
    await commitments.close(proven.shortId, { verdict: "fulfilled", why: "it is out" });
    const left = await commitments.open(termsOf({ objective: "Do more" }));
    const next = await commitments.open(termsOf({ objective: "Do it better" }));
    await commitments.supersede(left.shortId, { by: next.shortId });
    expect(await look()).toContain('2 closed: commitments {"include_closed":true} lists them');
    const text = await look({ include_closed: true });
    const at = "\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z";
    expect(text).toMatch(
      new RegExp(
        `closed, the latest first:\n${left.shortId} Do more\n  superseded by ${next.commitment.id}, ${at}, by session ${session.id}\n`,
      ),
    );
    expect(text).toMatch(
      new RegExp(
        `${proven.shortId} Ship the report\n  fulfilled, ${at}, by session ${session.id}: it is out\n  c1 passed \\(observed: report.md\\): The report is there`,
      ),
    );
  });

  it("is registered only where it is enabled", async () => {
    const root = makeRoot();
    const without = await open(root);
    expect(without.names()).not.toContain("commitments");
    expect(without.commitments).toBeUndefined();
    expectCode(await without.call("commitments", {}), "tool-unknown");
    const off = await open(root, { commitments: { enabled: false } });
    expect(off.names()).not.toContain("commitments");
    expect((await open(root, { commitments: false })).names()).not.toContain("commitments");
    await expect(open(root, { tools: ["read", "commitments"] as never })).rejects.toThrow(
      "option tools: expected commitments only beside the option commitments: { enabled: true }",
    );
    await expect(open(root, { commitments: true as never })).rejects.toThrow("false or { enabled: true }");
    const { session } = await openPromising(root);
    expect(session.names().at(-1)).toBe("commitments");
  });

  it("is part of the orientation floor, and only reads", async () => {
    const { session } = await openPromising(makeRoot(), { readOnly: true });
    const definition = session.definitions().find(({ name }) => name === "commitments");
    expect(definition?.alwaysLoaded).toBe(true);
    expect(definition?.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
  });

  it("has no write verb in its schema: what it takes only says what to show", async () => {
    const { session } = await openPromising(makeRoot());
    const { inputSchema } = session.definitions().find(({ name }) => name === "commitments") ?? {};
    expect(Object.entries(inputSchema?.properties ?? {}).map(([name, { type }]) => [name, type])).toEqual([
      ["id", "string"],
      ["include_closed", "boolean"],
    ]);
    expect(inputSchema?.required).toEqual([]);
    expect(inputSchema?.additionalProperties).toBe(false);
  });

  it("has no write verb by type: the port that it is given has two, and both look", () => {
    type Verbs = keyof NonNullable<Ports["commitments"]>;
    // Whoever adds one to the port has to come here.
    const verbs: Record<Verbs, true> = { list: true, find: true };
    expect(Object.keys(verbs)).toEqual(["list", "find"]);
  });

  it("is given an object without any other verb, frozen", async () => {
    const { session, commitments } = await openPromising(makeRoot());
    const { shortId } = await commitments.open(termsOf({ criteria: [SAID] }));
    const { readOnlyCommitments } = await import("../../src/session/give-commitments.ts");
    const port = readOnlyCommitments(commitments);
    expect(Object.keys(port)).toEqual(["list", "find"]);
    expect(Object.isFrozen(port)).toBe(true);
    // What a model may try.
    for (const args of [
      { id: shortId, action: "close", verdict: "fulfilled" },
      { id: shortId, passed: true },
      { id: shortId, criteria: [{ id: "c1", state: "passed" }] },
    ])
      await session.call("commitments", args);
    expect(await commitments.history(shortId)).toHaveLength(1);
    expect(commitmentsTool.access({})).toEqual({ paths: [], runs: [], connects: [] });
  });

  it("crosses the same permission boundary as any call", async () => {
    const root = makeRoot();
    for (const mode of ["read-only", "workspace-write", "full-access"] as const) {
      const { session } = await openPromising(root, { mode });
      const result = await session.call("commitments", {});
      expect(result.decision).toMatchObject({ outcome: "allowed", by: "mode", mode });
    }
    const { session } = await openPromising(root, { rules: { deny: ["commitments"] } });
    expectCode(await session.call("commitments", {}), "permission-denied");
    const asking = await openPromising(root, {
      rules: { ask: ["commitments"] },
      approve: async () => ({ deny: "no" }),
    });
    expectCode(await asking.session.call("commitments", {}), "permission-denied");
    expect(await asking.session.explain({ name: "commitments", args: {} })).toMatchObject({ outcome: "ask" });
  });

  it("lands in the ledger like any other call, refusals included", async () => {
    const { session, commitments } = await openPromising(makeRoot());
    await commitments.open(termsOf());
    const done = await session.call("commitments", {}, { id: "x1" });
    await session.call("commitments", { id: "zzzzzzzz" }, { id: "x2" });
    expect(session.ledger.calls(session.id)?.map(({ callId, tool, state }) => [callId, tool, state])).toEqual(
      [
        ["x1", "commitments", "done"],
        ["x2", "commitments", "refused"],
      ],
    );
    expect(session.ledger.find(`${session.id}/x1`)?.ended?.output.content).toBe(done.content);
  });

  it("shows commitments that outlive the session in which they were opened", async () => {
    const folder = mkdtempSync(join(tmpdir(), "haft-durable-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const root = makeRoot();
    const ledger = join(folder, "ledger.db");
    const first = await openPromising(root, { ledger });
    const { shortId } = await first.commitments.open(termsOf());
    await first.session.close();
    const second = await openPromising(root, { ledger });
    expect(await second.look()).toContain(`${shortId} Ship the report`);
  });

  it("shows those that this agent holds, and finds every one by its id", async () => {
    const folder = mkdtempSync(join(tmpdir(), "haft-agents-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const root = makeRoot();
    const ledger = join(folder, "ledger.db");
    const main = await openPromising(root, { ledger });
    const reviewer = await openPromising(root, { ledger, agentId: "reviewer" });
    const { shortId } = await reviewer.commitments.open(termsOf({ objective: "Review" }));
    expect(await main.look()).toBe("0 commitments open, 0 closed");
    expect(await main.look({ id: shortId })).toContain("agent reviewer");
    expect((await main.commitments.listAll({ withClosed: true })).open).toHaveLength(1);
  });
});
