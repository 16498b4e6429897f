import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Wrapper } from "../../src/index.ts";
import { findDriver } from "../../src/ledger/find-driver.ts";
import { callOf, expectCode, expectDone, makeRoot, open } from "./session-fixture.ts";

it("has every call: done, denied, refused at the gate, unknown, faulted, cancelled", async () => {
  const root = makeRoot({ "a.txt": "one\n" });
  const broken: Wrapper = (next) => (call, options) => {
    if (call.id === "faulted") throw new Error("the host is broken");
    return next(call, options);
  };
  const session = await open(root, { rules: { deny: ["writes(secret/**)"] }, use: [broken] });
  const cancelled = AbortSignal.abort();
  await session.call("read", { path: "a.txt" }, { id: "done" });
  await session.call("write", { path: "secret/x", content: "x" }, { id: "denied" });
  await session.call("read", { pat: 7 }, { id: "refused" });
  await session.call("raed", {}, { id: "unknown" });
  await session.call("read", { path: "a.txt" }, { id: "faulted" });
  await session.call("read", { path: "a.txt" }, { id: "cancelled", signal: cancelled });
  const calls = session.ledger.calls(session.id) ?? [];
  expect(calls.map(({ callId }) => callId)).toEqual([
    "done",
    "denied",
    "refused",
    "unknown",
    "faulted",
    "cancelled",
  ]);
  const find = (id: string) => session.ledger.find(`${session.id}/${id}`);
  expect(find("denied")).toMatchObject({
    name: "write",
    sent: '{"path":"secret/x","content":"x"}',
    decision: { outcome: "denied", by: "rule", rule: "writes(secret/**)" },
  });
  expect(find("done")).toMatchObject({ args: { path: "a.txt" }, decision: { outcome: "allowed" } });
  expect(JSON.stringify(find("refused"))).toContain("input-invalid");
  expect(JSON.stringify(find("unknown"))).toContain("tool-unknown");
  expect(JSON.stringify(find("faulted"))).toContain("the host is broken");
  expect(JSON.stringify(find("cancelled"))).toContain("call-cancelled");
  expect(existsSync(join(root, "secret"))).toBe(false);
});

it("has the old bytes of what a call changed", async () => {
  const root = makeRoot({ "a.txt": "old a\n", "b.txt": "old b\n", "c.txt": "old c\n", "d/e.txt": "old e\n" });
  const session = await open(root);
  const changes = [
    callOf("edit", { path: "a.txt", edits: [{ old_text: "old", new_text: "new" }] }, "edit"),
    callOf("write", { path: "b.txt", content: "new", overwrite: true }, "write"),
    callOf("move", { from: "a.txt", to: "c.txt", overwrite: true }, "move"),
    callOf("delete", { path: "c.txt" }, "delete"),
    callOf("delete", { path: "d", recursive: true }, "tree"),
  ];
  for (const result of await session.batch(changes)) expectDone(result);
  const oldOf = (id: string) =>
    session.ledger
      .find(`${session.id}/${id}`)
      ?.ended?.oldBytes.map(({ path, hash }) => [
        path,
        Buffer.from(session.ledger.bytes(hash) ?? []).toString(),
      ]);
  expect(oldOf("edit")).toEqual([["a.txt", "old a\n"]]);
  expect(oldOf("write")).toEqual([["b.txt", "old b\n"]]);
  expect(oldOf("move")).toEqual([["c.txt", "old c\n"]]);
  expect(oldOf("delete")).toEqual([["c.txt", "new a\n"]]);
  expect(oldOf("tree")).toEqual([["d/e.txt", "old e\n"]]);
});

it("is a file below the root, closed to others, that another session can recall from", async () => {
  const root = makeRoot({ "a.txt": "one\n" });
  const first = await open(root, { ledger: undefined });
  await first.call("read", { path: "a.txt" }, { id: "r" });
  await first.close();
  expect(statSync(join(root, ".haft", "ledger.db")).mode & 0o777).toBe(0o600);
  const second = await open(root, { ledger: undefined });
  const recalled = expectDone(await second.call("recall", { id: `${first.id}/r` }));
  expect(recalled.content).toContain("1\tone");
  expectCode(await second.call("write", { path: ".haft/ledger.db", content: "" }), "path-protected");
  expect(expectDone(await second.call("glob", { pattern: "**" })).content).not.toContain(".haft");
});

/** Lets nothing more into the ledger of a session, as a full disk would. */
function stopLedger(path: string, condition: string): void {
  const database = findDriver()(path, { readOnly: false });
  database.exec(
    `CREATE TRIGGER stop BEFORE INSERT ON entries WHEN ${condition} BEGIN SELECT RAISE(ABORT, 'no more room'); END`,
  );
  database.close();
}

it("runs no call that it cannot take up", async () => {
  const root = makeRoot({ "a.txt": "one\n" });
  const path = join(root, "..", "ledger.db");
  const session = await open(root, { ledger: path });
  await session.call("read", { path: "a.txt" });
  stopLedger(path, "true");
  const refused = await session.call("write", { path: "b.txt", content: "x" });
  expect(expectCode(refused, "fault")).toContain("was not run, because the ledger could not take it up");
  expect(existsSync(join(root, "b.txt"))).toBe(false);
});

it("says to the host that what a call gave could not be kept, and suggests no recall of it", async () => {
  const root = makeRoot({ "a.txt": `${"word ".repeat(10_000)}\n` });
  const path = join(root, "..", "ledger.db");
  const session = await open(root, { ledger: path, limits: { readMax: 65_536, resultMax: 65_536 } });
  await session.call("list", {});
  stopLedger(path, "NEW.kind = 'ended'");
  const result = expectDone(await session.call("read", { path: "a.txt", limit: 10 }));
  expect(result.notes).toMatchObject([
    { audience: "host", text: expect.stringContaining("could not be recorded") },
  ]);
  expect(result.content).toMatch(/\n\[result characters [^\n]*omitted, [\d,]+ characters\]\n/);
});

it("cannot be written through the session", async () => {
  const session = await open(makeRoot());
  expect(Object.keys(session.ledger).sort()).toEqual([
    "bytes",
    "calls",
    "exportLines",
    "find",
    "place",
    "result",
    "search",
    "sessions",
  ]);
});

it("tells the host where the file was removed under an open session, as a cleaned tree does", async () => {
  const root = makeRoot({ "a.txt": "one\n" });
  const session = await open(root, { ledger: undefined });
  expect((await session.call("read", { path: "a.txt" })).notes).toEqual([]);
  rmSync(join(root, ".haft"), { recursive: true });
  const result = expectDone(await session.call("read", { path: "a.txt" }, { id: "after" }));
  expect(result.notes).toMatchObject([
    { audience: "host", text: expect.stringContaining("removed or exchanged") },
  ]);
  expect(result.content).not.toContain("removed or exchanged");
  // As long as it is open, nothing is lost.
  expect(expectDone(await session.call("recall", { id: "after" })).content).toContain("one");
});
