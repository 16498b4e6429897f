/**
 * Four processes append to one ledger at once while a fifth reads it: nothing is lost, nothing is torn, and no reader
 * sees half of a call.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openLedger } from "../../src/ledger/ledger.ts";
import { expectWhole, startAppending } from "./append-calls.ts";

const CALLS = 1_000;
const IDS = ["p1", "p2", "p3", "p4"];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "haft-four-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("four processes that append to one ledger at once", () => {
  it("lose nothing and tear nothing", { timeout: 300_000 }, async () => {
    const path = join(folder, "ledger.db");
    // Nobody has made the file: all four try.
    const running = IDS.map((id) => startAppending({ path, id, count: CALLS }));
    const all = Promise.all(running.map(({ ended }) => ended));
    await Promise.all(running.map(({ loaded }) => loaded));
    let finished = false;
    void all.then(() => {
      finished = true;
    });
    const ledger = openLedger({ path });
    let looked = 0;
    while (!finished) {
      for (const { id: sessionId, isOpen } of ledger.sessions()) {
        const ended = (ledger.calls(sessionId) ?? []).filter(({ state }) => state === "done");
        const last = ended.at(-1);
        if (last === undefined) continue;
        expectWhole(ledger, sessionId, Number(last.callId.slice(1)));
        if (isOpen) looked += 1;
      }
      await delay(20);
    }
    for (const { errors, code, answered } of await all) {
      expect({ errors, code }).toEqual({ errors: "", code: 0 });
      expect(answered).toHaveLength(CALLS);
    }
    expect(looked).toBeGreaterThan(0);
    for (const id of IDS) {
      expect(ledger.calls(id)?.map(({ callId }) => callId)).toEqual(
        Array.from({ length: CALLS }, (_, n) => `c${n}`),
      );
      for (let n = 0; n < CALLS; n++) expectWhole(ledger, id, n);
    }
    ledger.close();
  });

  it("cannot both hold one session", async () => {
    const path = join(folder, "ledger.db");
    const first = startAppending({ path, id: "s1", count: 1e9 });
    await first.loaded;
    const ledger = openLedger({ path });
    while (ledger.sessions().length === 0) await delay(5);
    const request = { id: "s1", agentId: "main", root: "/srv/tree", resume: true };
    expect(() => ledger.openSession(request)).toThrowError(/open already, in a process that runs/);
    expect(ledger.prune({ ids: ["s1"] })).toMatchObject({ ids: [], open: ["s1"] });
    first.child.kill("SIGKILL");
    await first.ended;
    expect(ledger.openSession(request).isResumed).toBe(true);
    ledger.close();
  });
});
