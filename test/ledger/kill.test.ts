/**
 * A process is killed while it makes a ledger and writes to it: what was answered is there whole, what was started is
 * there, the file opens, and the session can be resumed.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { findDriver } from "../../src/ledger/find-driver.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { expectWhole, startAppending } from "./append-calls.ts";

const ROUNDS = process.env.HAFT_LONG === "1" ? 100 : 15;
/** Opening takes some 10 ms, a call less than 1 ms: both are met. */
const LATEST_MS = 120;

function checkLedger(path: string, said: { started: number[]; answered: number[] }): void {
  const ledger = openLedger({ path });
  try {
    for (const n of said.answered) expectWhole(ledger, "s1", n);
    for (const n of said.started) expect(["done", "interrupted"]).toContain(ledger.find(`s1/c${n}`)?.state);
    const calls = ledger.calls("s1") ?? [];
    const unfinished = calls.filter(({ state }) => state !== "done");
    expect(unfinished.length).toBeLessThanOrEqual(1);
    for (const { id, state } of unfinished) {
      expect(state).toBe("interrupted");
      expect(ledger.find(id)?.ended).toBeUndefined();
      expect(calls.at(-1)?.id).toBe(id);
    }
    if (ledger.sessions().length === 0) return;
    const again = ledger.openSession({ id: "s1", agentId: "main", root: "/srv/tree", resume: true });
    expect(again.callIds().size).toBe(calls.length);
    expect(again.sights()).toHaveLength(calls.length - unfinished.length);
  } finally {
    ledger.close();
  }
}

function expectIntact(path: string): void {
  const database = findDriver()(path, { readOnly: false });
  expect(database.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  expect(database.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
  database.close();
}

describe("a process that is killed while it writes to the ledger", () => {
  it("loses nothing that was answered", { timeout: 600_000 }, async () => {
    let answered = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const folder = mkdtempSync(join(tmpdir(), "haft-kill-"));
      const path = join(folder, "ledger.db");
      const { child, loaded, ended } = startAppending({ path, id: "s1", count: 1e9 });
      await loaded;
      // Every third is killed while it opens.
      await delay(Math.random() * (round % 3 === 0 ? 15 : LATEST_MS));
      child.kill("SIGKILL");
      const said = await ended;
      expect(said.errors).toBe("");
      if (existsSync(path)) {
        checkLedger(path, said);
        expectIntact(path);
      }
      answered += said.answered.length;
      rmSync(folder, { recursive: true, force: true });
    }
    // Were every process killed before its first call, nothing would have been shown.
    expect(answered).toBeGreaterThan(0);
  });
});
