import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Call, LedgerError, OptionsError, openSession } from "../../src/index.ts";
import { runAsPlainUser } from "../support/plain-user.ts";
import { expectCode, expectDone, makeRoot, open } from "./session-fixture.ts";

async function refusal(root: string, options: Readonly<Record<string, unknown>> = {}): Promise<Error> {
  const opened = openSession({ root, ...options } as Parameters<typeof openSession>[0]);
  return opened.then(
    async (session) => {
      await session.close();
      return expect.fail("it opened");
    },
    (error: unknown) => error as Error,
  );
}

describe("a session's options", () => {
  it.each([
    ["mode", "writable"],
    ["rules.permit", { permit: [] }],
    ["rules.allow", { allow: "read" }],
    ["approve", true],
    ["ledger", ""],
    ["ledger", 7],
    ["stateDir", "a\0b"],
    ["agentId", "../x"],
    ["sessionId", "x".repeat(65)],
    ["commitments", "yes"],
    ["use", [7]],
    ["onEvent", "log"],
    ["saveRule", {}],
    ["repeatNotice", "no"],
    ["signal", {}],
    ["readOnly", "yes"],
    ["permissions", []],
    ["tools", ["raed"]],
  ])("refuses %s %j by its name, and makes nothing", async (option, value) => {
    const root = makeRoot();
    const error = await refusal(root, { ledger: "memory", [option]: value });
    expect(error).toBeInstanceOf(OptionsError);
    expect((error as OptionsError).option).toBe(option);
    expect(readdirSync(root)).toEqual([]);
  });

  it("refuses rules that are none", async () => {
    const error = await refusal(makeRoot(), { ledger: "memory", rules: { deny: ["reads(secret"] } });
    expect(error).toBeInstanceOf(OptionsError);
  });

  it("has every tool by default, and those that change nothing where it is read-only", async () => {
    const all = await open(makeRoot());
    for (const name of ["read", "delete", "move", "recall"]) expect(all.names()).toContain(name);
    const few = await open(makeRoot(), { readOnly: true });
    for (const name of ["edit", "write", "delete", "move", "bash"]) expect(few.names()).not.toContain(name);
    expect(few.names()).toContain("recall");
  });
});

describe("what stands where the ledger should be", () => {
  const outside = (root: string) => readdirSync(join(root, "..", "outside"));
  const make = (): string => {
    const root = makeRoot({ "a.txt": "one\n" });
    mkdirSync(join(root, "..", "outside"), { mode: 0o700 });
    return root;
  };

  it("a link .haft is refused with the ways out, and nothing is written through it", async () => {
    const root = make();
    symlinkSync(join(root, "..", "outside"), join(root, ".haft"));
    const error = await refusal(root);
    expect(error).toBeInstanceOf(OptionsError);
    expect(error.message).toMatch(/"memory".*is a symbolic link.*stateDir/s);
    expect(outside(root)).toEqual([]);
  });

  it("a link ledger.db, .gitignore, or ledger.db-wal likewise", async () => {
    for (const name of ["ledger.db", ".gitignore", "ledger.db-wal"]) {
      const root = make();
      mkdirSync(join(root, ".haft"), { mode: 0o700 });
      symlinkSync(join(root, "..", "outside", "target"), join(root, ".haft", name));
      expect((await refusal(root)).message).toContain(`${name} is a symbolic link`);
      expect(outside(root)).toEqual([]);
    }
  });

  it("a file that is no ledger is left as it is", async () => {
    const root = make();
    mkdirSync(join(root, ".haft"), { mode: 0o700 });
    writeFileSync(join(root, ".haft", "ledger.db"), "something else", { mode: 0o600 });
    expect(await refusal(root)).toBeInstanceOf(LedgerError);
  });

  it("a link as scratch stops commands and nothing else", async () => {
    const root = make();
    mkdirSync(join(root, ".haft"), { mode: 0o700 });
    symlinkSync(join(root, "..", "outside"), join(root, ".haft", "scratch"));
    const session = await open(root, { ledger: undefined });
    expectDone(await session.call("read", { path: "a.txt" }));
    const ran = await session.call("bash", { command: "true" });
    expect(ran.isError).toBe(true);
    expect(outside(root)).toEqual([]);
  });

  it("state can be kept elsewhere, all of it", async () => {
    const root = make();
    const stateDir = join(root, "..", "state");
    const session = await open(root, { ledger: undefined, stateDir });
    expectDone(await session.call("read", { path: "a.txt" }));
    expect(readdirSync(stateDir)).toEqual(expect.arrayContaining([".gitignore", "ledger.db"]));
    expect(existsSync(join(root, ".haft"))).toBe(false);
  });
});

describe("a root that cannot be written", () => {
  it("needs a ledger that is named or in memory", async () => {
    const root = makeRoot({ "a.txt": "one\n" });
    chmodSync(join(root, ".."), 0o755);
    chmodSync(root, 0o555);
    const error = await runAsPlainUser(() => refusal(root));
    expect(error).toBeInstanceOf(OptionsError);
    expect(error.message).toMatch(/"memory".*cannot be written \(EACCES\)/s);
    await runAsPlainUser(async () => {
      const session = await open(root);
      expectDone(await session.call("read", { path: "a.txt" }));
      await session.close();
    });
    expect(existsSync(join(root, ".haft"))).toBe(false);
  });
});

describe("resuming", () => {
  it("restores what was shown, and the ids that were given", async () => {
    const root = makeRoot({ "a.txt": "one\n", "b.txt": "two\n" });
    const first = await open(root, { ledger: undefined, sessionId: "mine" });
    expect(first.id).toBe("mine");
    await first.call("read", { path: "a.txt" });
    await first.close();
    const second = await open(root, { ledger: undefined, sessionId: "mine" });
    const write = expectDone(
      await second.call("write", { path: "a.txt", content: "known\n" }, { id: "call_1" }),
    );
    expect(write.id).toBe("call_2");
    expectCode(await second.call("write", { path: "b.txt", content: "unknown\n" }), "file-unread");
    expect(expectDone(await second.call("recall", { id: "call_1" })).content).toContain("1\tone");
    expect(second.ledger.calls("mine")?.map(({ callId }) => callId)).toEqual([
      "call_1",
      "call_2",
      "call_3",
      "call_4",
    ]);
  });

  it("does not take what was changed meanwhile for known", async () => {
    const root = makeRoot({ "a.txt": "one\n" });
    const first = await open(root, { ledger: undefined, sessionId: "mine" });
    await first.call("read", { path: "a.txt" });
    await first.close();
    writeFileSync(join(root, "a.txt"), "changed\n");
    const second = await open(root, { ledger: undefined, sessionId: "mine" });
    expectCode(await second.call("write", { path: "a.txt", content: "x" }), "file-changed", "file-unread");
  });

  it("is refused while another session of that id is open", async () => {
    const root = makeRoot();
    await open(root, { ledger: undefined, sessionId: "mine" });
    const error = await refusal(root, { sessionId: "mine" });
    expect(error).toBeInstanceOf(LedgerError);
    expect((error as LedgerError).code).toBe("session-held");
  });

  it("opens a second session of another id beside the first", async () => {
    const root = makeRoot({ "a.txt": "one\n" });
    const first = await open(root, { ledger: undefined });
    const second = await open(root, { ledger: undefined });
    expect(second.id).not.toBe(first.id);
    expectDone(await first.call("read", { path: "a.txt" }));
    expectDone(await second.call("read", { path: "a.txt" }));
    rmSync(join(root, "a.txt"));
  });
});

it("forgets nothing of what was opened where opening fails", async () => {
  const root = makeRoot();
  expect(await refusal(root, { tools: ["raed"] })).toBeInstanceOf(OptionsError);
  const session = await open(root, { ledger: undefined, sessionId: "mine" });
  await session.close();
  expect(await refusal(root, { sessionId: "mine", rules: { deny: ["reads("] } })).toBeInstanceOf(
    OptionsError,
  );
  await open(root, { ledger: undefined, sessionId: "mine" });
});

it("answers what is no call of a batch in its place, and makes the others", async () => {
  const session = await open(makeRoot({ "a.txt": "a\n" }));
  const calls = [null, { name: "read", args: { path: "a.txt" } }] as unknown as Call[];
  const [none, read] = await session.batch(calls);
  expect(none).toMatchObject({ isError: true, refusal: { code: "tool-unknown" } });
  expect(read?.content).toContain("1\ta");
  await expect(session.batch({} as unknown as Call[])).rejects.toThrow("an array of calls");
});
