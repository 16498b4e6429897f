import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { SessionEvent } from "../../src/index.ts";
import { expectCode, expectDone, makeRoot, open } from "./session-fixture.ts";

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 2_000 && !isSo(); tries++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(isSo()).toBe(true);
}

it("tells the host of a job that ended, which no call has asked for", async () => {
  const events: SessionEvent[] = [];
  const session = await open(makeRoot(), {
    onEvent: (event) => {
      if (event.type === "job-ended") events.push(event);
    },
  });
  expectDone(await session.call("bash", { command: "sleep 0.2; exit 3", background: true }));
  await until(() => events.length > 0);
  expect(events).toMatchObject([{ job: { id: "job_1", exit: { kind: "exited", code: 3 } } }]);
});

it("ends calls, jobs and all that they started, empties tmp and keeps the caches", async () => {
  const root = makeRoot();
  const session = await open(root, { ledger: undefined });
  const script = 'echo x > "$TMPDIR/left"; echo y > "$npm_config_cache.kept"; echo $$ > pid';
  expectDone(await session.call("bash", { command: `${script}; sleep 300`, background: true }));
  const scratch = join(root, ".haft", "scratch", "main");
  await until(() => existsSync(join(root, "pid")) && readFileSync(join(root, "pid"), "utf8").endsWith("\n"));
  const running = session.call("bash", { command: "sleep 300" });
  const waiting = session.call("read", { path: "pid" });
  await until(() => session.ledger.calls(session.id)?.length === 2);
  await session.close();
  expect((await running).isError).toBe(true);
  expectCode(await waiting, "call-cancelled");
  const pid = readFileSync(join(root, "pid"), "utf8").trim();
  expect(existsSync(`/proc/${pid}`)).toBe(false);
  expect(readdirSync(join(scratch, "tmp"))).toEqual([]);
  expect(readdirSync(join(scratch, "cache"))).toEqual(["npm.kept"]);
});

it("has every call that was answered, and those that were cancelled, in the ledger after closing", async () => {
  const root = makeRoot({ "a.txt": "one\n" });
  const session = await open(root, { ledger: undefined, sessionId: "mine" });
  const calls = [
    session.call("bash", { command: "sleep 300" }, { id: "a" }),
    session.call("read", { path: "a.txt" }, { id: "b" }),
  ];
  await session.close();
  await Promise.all(calls);
  const again = await open(root, { ledger: undefined });
  expect(again.ledger.calls("mine")?.map(({ callId, state }) => [callId, state])).toEqual([
    ["a", "refused"],
    ["b", "refused"],
  ]);
});
