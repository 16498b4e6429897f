/**
 * Rules about reading hold for what an earlier session has read, too: `recall` shows nothing of a path that may not be
 * read today, whichever tool read it, and whether it was named or met on a walk.
 */
import { linkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SessionOptions } from "../../src/index.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { callOf, expectCode, expectDone, type LooseSession, makeRoot, open } from "./session-fixture.ts";

const KEY = "k3y-of-the-house";
const FILES = {
  "secrets/key.pem": `${KEY}\n`,
  "docs/a.md": "open\n",
  "src/a.ts": `the ${KEY} is used here\n`,
};
type Rules = SessionOptions["rules"];

/** The calls of an earlier session that had no rules, each by its id. */
const EARLIER = [
  callOf("read", { path: "secrets/key.pem" }, "read"),
  callOf("read", { path: "./docs/../secrets//key.pem", offset: 1 }, "spelled"),
  callOf("read", { path: "secrets", grep: "k3y" }, "read-grep"),
  callOf("read", { path: "secrets" }, "read-folder"),
  callOf("grep", { pattern: "k3y" }, "grep"),
  callOf("grep", { pattern: "k3y", mode: "files" }, "grep-files"),
  callOf("glob", { pattern: "**" }, "glob"),
  callOf("list", { depth: 3 }, "list"),
  callOf("edit", { path: "secrets/key.pem", edits: [{ old_text: "house", new_text: "garden" }] }, "edit"),
  callOf("move", { from: "secrets/key.pem", to: "secrets/old.pem" }, "move"),
  callOf("move", { from: "secrets/old.pem", to: "secrets/key.pem" }, "back"),
  callOf("read", { path: "docs/a.md" }, "open"),
  callOf("grep", { pattern: "k3y", path: "src" }, "open-grep"),
  callOf("bash", { command: "cat secrets/key.pem" }, "bash"),
  callOf("recall", { id: "read" }, "recall"),
  callOf("recall", { id: "grep", range: { start: 1, end: 9 } }, "recall-grep"),
];
const OPEN = ["open", "open-grep", "bash"];

async function workBefore(options: Partial<SessionOptions> = {}, files: Record<string, string> = FILES) {
  const root = makeRoot(files);
  const ledger = join(root, "..", "ledger.db");
  const session = await open(root, { ledger, ...options });
  for (const { name, args, id } of EARLIER)
    expectDone(await session.call(name, args, id === undefined ? {} : { id }));
  await session.close();
  return { root, ledger, id: session.id };
}

async function recallAll(session: LooseSession, of: string): Promise<Map<string, string>> {
  const given = new Map<string, string>();
  for (const { id } of EARLIER) {
    const result = await session.call("recall", { id: `${of}/${id}` });
    given.set(id ?? "", result.isError ? `refused: ${result.content}` : result.content);
  }
  return given;
}

const refusedOf = (given: ReadonlyMap<string, string>) =>
  [...given].filter(([, content]) => content.startsWith("refused")).map(([id]) => id);

describe("recall of what an earlier session read", () => {
  it("is held against the rules of today, by whatever tool and way it was read", async () => {
    const { root, ledger, id } = await workBefore();
    const session = await open(root, { ledger, rules: { deny: ["reads(secrets/**)"] } });
    const given = await recallAll(session, id);
    expect(refusedOf(given)).toEqual(
      EARLIER.flatMap((call) => (OPEN.includes(call.id ?? "") ? [] : [call.id])),
    );
    for (const [of, content] of given) {
      if (OPEN.includes(of)) continue;
      expect(content).toContain("the rule deny reads(secrets/**) forbids it");
      expect(content).toContain("what it would show was read there by an earlier call");
      expect(content).toContain("reading outside of secrets/**");
      expect(content).not.toMatch(/house|garden|key\.pem/);
    }
    // No part of it, either, nor a search in it.
    for (const part of [{ range: { start: 1, end: 1 } }, { chars: { start: 0, end: 5 } }, { grep: "k3y" }])
      expectCode(await session.call("recall", { id: `${id}/read`, ...part }), "permission-denied");
    expect(await session.explain(callOf("recall", { id: `${id}/read` }))).toMatchObject({
      outcome: "deny",
      rule: "reads(secrets/**)",
      effects: ["reads(secrets/key.pem)"],
    });
  });

  it("is open where no rule speaks of it", async () => {
    const { root, ledger, id } = await workBefore();
    for (const rules of [
      undefined,
      { deny: ["reads(other/**)", "writes(secrets/**)", "bash", "read", "edit(secrets/**)"] },
    ] satisfies Rules[]) {
      const session = await open(root, { ledger, rules });
      expect(refusedOf(await recallAll(session, id))).toEqual([]);
      await session.close();
    }
  });

  it("is refused by rules that float, name a tool, or name a link or another name of the file", async () => {
    const { root, ledger, id } = await workBefore();
    symlinkSync("../secrets/key.pem", join(root, "docs", "key"));
    linkSync(join(root, "secrets", "key.pem"), join(root, "docs", "same"));
    for (const [rule, ids] of [
      ["reads(**/*.pem)", ["read", "grep", "glob", "list", "edit", "recall", "recall-grep"]],
      ["grep(secrets/**)", ["read-grep", "grep", "grep-files", "recall-grep"]],
      ["list(secrets/**)", ["read-folder", "list"]],
      ["*(secrets/**)", ["read", "grep", "list"]],
      ["reads(docs/key)", ["read", "grep", "recall"]],
      ["reads(docs/same)", ["read", "recall"]],
    ] as const) {
      const session = await open(root, { ledger, rules: { deny: [rule] } });
      const refused = refusedOf(await recallAll(session, id));
      expect(refused, rule).toEqual(expect.arrayContaining([...ids]));
      for (const of of OPEN) expect(refused, rule).not.toContain(of);
      await session.close();
    }
  });

  it("is asked about where reading would be asked about, and shown when it was allowed", async () => {
    const { root, ledger, id } = await workBefore();
    const rules = { ask: ["reads(secrets/**)"] };
    const alone = await open(root, { ledger, rules });
    expect(expectCode(await alone.call("recall", { id: `${id}/read` }), "permission-denied")).toContain(
      "the rule ask reads(secrets/**) asks a person first, and nobody could answer",
    );
    const asked: string[] = [];
    const session = await open(root, {
      ledger,
      rules,
      approve: async ({ reason }) => {
        asked.push(reason);
        return { allow: "once" };
      },
    });
    expect(expectDone(await session.call("recall", { id: `${id}/read` })).content).toContain(KEY);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain("secrets/key.pem");
  });

  it("keeps what is recalled again and again to where it was read, also where the first session is pruned", async () => {
    const { root, ledger, id } = await workBefore();
    const second = await open(root, { ledger });
    const again = expectDone(await second.call("recall", { id: `${id}/recall` }));
    await second.close();
    const kept = openLedger({ path: ledger });
    expect(kept.prune({ ids: [id] }).ids).toEqual([id]);
    kept.close();
    const third = await open(root, { ledger, rules: { deny: ["reads(secrets/**)"] } });
    expectCode(await third.call("recall", { id: `${second.id}/${again.id}` }), "permission-denied");
  });
});

describe("recall of what this session has read", () => {
  it("is not asked about again", async () => {
    const root = makeRoot(FILES);
    let asked = 0;
    const session = await open(root, {
      rules: { ask: ["reads(secrets/**)"] },
      approve: async () => {
        asked += 1;
        return { allow: "once" };
      },
    });
    await session.call("read", { path: "secrets/key.pem" }, { id: "r" });
    expect(expectDone(await session.call("recall", { id: "r" })).content).toContain(KEY);
    expect(expectDone(await session.call("recall", { id: `${session.id}/r` })).content).toContain(KEY);
    expect(asked).toBe(1);
  });

  it("gives a denial again, which shows nothing of what it denies", async () => {
    const session = await open(makeRoot(FILES), { rules: { deny: ["reads(secrets/**)"] } });
    await session.call("read", { path: "secrets/key.pem" }, { id: "r" });
    expect(expectDone(await session.call("recall", { id: "r" })).content).toContain("forbids it");
  });

  it("is held against the rules under which it was resumed, heads in the list too", async () => {
    const root = makeRoot(FILES);
    const ledger = join(root, "..", "ledger.db");
    const own = { ledger, sessionId: "mine" };
    const first = await open(root, own);
    await first.call("read", { path: "secrets/key.pem" }, { id: "r" });
    await first.close();
    const second = await open(root, { ...own, rules: { deny: ["reads(secrets/**)"] } });
    expectCode(await second.call("recall", { id: "r" }), "permission-denied");
    await second.call("read", { path: "docs/a.md" }, { id: "d" });
    const list = expectDone(await second.call("recall", {})).content;
    expect(list).toContain("r (read): 2 lines, ");
    expect(list).toContain("withheld by rule reads(secrets/**)");
    expect(list).not.toContain("key.pem");
    expect(list).toContain("docs/a.md: 1 line");
    expect(expectDone(await second.call("recall", { id: "d" })).content).toContain("open");
  });
});
