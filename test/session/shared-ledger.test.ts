/**
 * Four sessions in four processes share one ledger, four calls each at a time, while something else takes it again and
 * again for longer than any of them writes: every call is answered, none without its two entries.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { findDriver } from "../../src/ledger/find-driver.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { makeRoot } from "./session-fixture.ts";

const CALLS = process.env.HAFT_LONG === "1" ? 1_000 : 150;
const IDS = ["p1", "p2", "p3", "p4"];
const PROGRAM = fileURLToPath(new URL("programs/call-much.mjs", import.meta.url));

interface Answered {
  readonly id: string;
  readonly isError: boolean;
  readonly notes: readonly string[];
}

async function callMuch(ledger: string, id: string): Promise<Answered[]> {
  const root = makeRoot({ "a.txt": "one\n" });
  const child = spawn(process.execPath, [PROGRAM, root, ledger, id, String(CALLS)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const [code] = await once(child, "close");
  expect(code).toBe(0);
  return said
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Answered);
}

it("sessions of four processes lose no entry of a ledger that is often held", {
  timeout: 300_000,
}, async () => {
  const path = join(makeRoot(), "..", "ledger.db");
  openLedger({ path }).close();
  let isOver = false;
  const all = Promise.all(IDS.map((id) => callMuch(path, id))).finally(() => {
    isOver = true;
  });
  const holder = findDriver()(path, { readOnly: false });
  holder.exec("PRAGMA busy_timeout = 15000");
  while (!isOver) {
    holder.exec("BEGIN IMMEDIATE");
    await delay(200);
    holder.exec("ROLLBACK");
    await delay(200);
  }
  holder.close();
  const ids = Array.from({ length: CALLS }, (_, n) => `c${n}`).sort();
  const kept = openLedger({ path });
  for (const [at, answered] of (await all).entries()) {
    expect(answered.filter(({ isError, notes }) => isError || notes.length > 0)).toEqual([]);
    expect(answered.map(({ id }) => id).sort()).toEqual(ids);
    const calls = kept.calls(IDS[at] ?? "") ?? [];
    expect(calls.map(({ callId }) => callId).sort()).toEqual(ids);
    expect(calls.every(({ state }) => state === "done")).toBe(true);
  }
  kept.close();
});
