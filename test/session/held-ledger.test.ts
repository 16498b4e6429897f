/**
 * Another process holds the ledger: calls wait for it, the event loop turns, whoever cancels is answered, and what
 * cannot be recorded is not run.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { Wrapper } from "../../src/index.ts";
import type { Database } from "../../src/ledger/driver.ts";
import { findDriver } from "../../src/ledger/find-driver.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { expectCode, expectDone, makeRoot, open } from "./session-fixture.ts";

/** No piece of waiting may block the thread for long; a machine under load may. */
const LONGEST_BLOCK_MS = 1_500;

const holders: Database[] = [];
afterEach(() => {
  for (const holder of holders.splice(0)) holder.close();
});

/** Takes the lock that a process in the middle of a transaction has. */
function hold(path: string): () => void {
  const database = findDriver()(path, { readOnly: false });
  holders.push(database);
  database.exec("BEGIN IMMEDIATE");
  return () => database.exec("ROLLBACK");
}

/** How long the thread was blocked at most, in milliseconds. */
async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 5);
  await work();
  look();
  clearInterval(timer);
  return longest;
}

function makeTree() {
  const root = makeRoot({ "a.txt": "one\n" });
  return { root, ledger: join(root, "..", "ledger.db") };
}

describe("a call while another process holds the ledger", () => {
  it("waits without blocking the event loop, and is recorded whole", async () => {
    const { root, ledger } = makeTree();
    const session = await open(root, { ledger });
    const release = hold(ledger);
    let isReleased = false;
    const longest = await longestBlock(async () => {
      const calls = ["r1", "r2", "r3"].map((id) => session.call("read", { path: "a.txt" }, { id }));
      const first = Promise.race(calls).then(() => expect(isReleased).toBe(true));
      await delay(2_500);
      isReleased = true;
      release();
      for (const result of await Promise.all(calls)) expect(expectDone(result).notes).toEqual([]);
      await first;
    });
    expect(longest).toBeLessThan(LONGEST_BLOCK_MS);
    const kept = (session.ledger.calls(session.id) ?? []).map(({ callId, state }) => [callId, state]);
    expect(kept.sort()).toEqual([
      ["r1", "done"],
      ["r2", "done"],
      ["r3", "done"],
    ]);
  });

  it("can be cancelled, was not run then, and says what could not be recorded", async () => {
    const { root, ledger } = makeTree();
    const session = await open(root, { ledger });
    const release = hold(ledger);
    const signal = AbortSignal.timeout(300);
    const startedMs = performance.now();
    const result = await session.call("write", { path: "b.txt", content: "x" }, { signal });
    expect(performance.now() - startedMs).toBeLessThan(4_000);
    expectCode(result, "call-cancelled");
    expect(existsSync(join(root, "b.txt"))).toBe(false);
    expect(result.notes).toMatchObject([
      { audience: "host", text: expect.stringContaining("held by another process") },
    ]);
    release();
  });

  it("is recorded when it has ended, where the ledger was held only then", async () => {
    const { root, ledger } = makeTree();
    let release = () => {};
    const holding: Wrapper = (next) => async (call, options) => {
      const output = await next(call, options);
      release = hold(ledger);
      setTimeout(() => release(), 1_200);
      return output;
    };
    const session = await open(root, { ledger, use: [holding] });
    const longest = await longestBlock(async () => {
      expect(
        expectDone(await session.call("write", { path: "b.txt", content: "x" }, { id: "w" })).notes,
      ).toEqual([]);
    });
    expect(longest).toBeLessThan(LONGEST_BLOCK_MS);
    expect(session.ledger.find(`${session.id}/w`)?.state).toBe("done");
  });
});

describe("a session while another process holds its ledger", () => {
  it("is opened once the ledger is free, and not at all where it is cancelled", async () => {
    const { root, ledger } = makeTree();
    openLedger({ path: ledger }).close();
    const release = hold(ledger);
    const signal = AbortSignal.timeout(300);
    await expect(open(root, { ledger, signal })).rejects.toThrow(/timeout/);
    const longest = await longestBlock(async () => {
      const opening = open(root, { ledger });
      await delay(1_500);
      release();
      expectDone(await (await opening).call("read", { path: "a.txt" }));
    });
    expect(longest).toBeLessThan(LONGEST_BLOCK_MS);
  });

  it("is closed without waiting for ever, and has all that was answered", async () => {
    const { root, ledger } = makeTree();
    const session = await open(root, { ledger });
    await session.call("read", { path: "a.txt" }, { id: "r" });
    const release = hold(ledger);
    const longest = await longestBlock(() => session.close());
    expect(longest).toBeLessThan(LONGEST_BLOCK_MS);
    release();
    const kept = openLedger({ path: ledger });
    expect(kept.find(`${session.id}/r`)?.state).toBe("done");
    kept.close();
  });
});
