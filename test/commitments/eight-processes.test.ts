/**
 * Eight processes, whose clocks differ, append to one log of commitments at once: nothing is lost, the order within a
 * process is kept, nothing is closed twice, and nothing is closed as fulfilled on evidence that did not hold.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findLacks } from "../../src/commitment/closure.ts";
import { applyEvent, type Projection, project } from "../../src/commitment/project.ts";
import { listProofs } from "../../src/commitment/proof.ts";
import type { CommitmentEvent } from "../../src/contract/commitment.ts";
import { findDriver } from "../../src/ledger/find-driver.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { openRoot } from "../../src/root/open-root.ts";
import { giveCommitments } from "../../src/session/give-commitments.ts";
import { startKeeping } from "./keep-promises.ts";

const NAMES = ["p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8"];
const ROUNDS = process.env.HAFT_LONG === "1" ? 200 : 40;

let folder = "";
let root = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-eight-")));
  root = join(folder, "root");
  mkdirSync(root);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function readEvents(path: string): CommitmentEvent[] {
  const ledger = openLedger({ path });
  const rows = ledger.commitments.read(0, 1e9);
  ledger.close();
  return rows.map(({ body, ...row }) => ({ ...JSON.parse(body), ...row }) as CommitmentEvent);
}

async function openShared(path: string): Promise<void> {
  const ledger = openLedger({ path });
  const of = { ledger, root: openRoot({ root }), isShared: false, agentId: "main", actor: "test" };
  const commitments = giveCommitments(of);
  for (let n = 0; n < ROUNDS; n++) {
    const id = `shared-${String(n).padStart(4, "0")}`;
    writeFileSync(join(root, `${id}.txt`), "nothing yet");
    await commitments.open({
      id,
      objective: "What all try to close",
      // Each writes its name into the file and a number from 0 to 2: only 1 will do.
      criteria: [{ statement: "there", kind: "file-contains", path: `${id}.txt`, pattern: " [01]$" }],
    });
  }
  ledger.close();
}

describe("eight processes that append at once", () => {
  it("lose nothing, keep their order, and close nothing on stale evidence", {
    timeout: 300_000,
  }, async () => {
    const path = join(folder, "ledger.db");
    await openShared(path);
    // A day back to a day ahead.
    const running = NAMES.map((name, at) =>
      startKeeping({ root, path, name, rounds: ROUNDS, skewMs: (at - 4) * 21_600_000 }),
    );
    const ended = await Promise.all(running.map((one) => one.ended));
    for (const { errors, code } of ended) expect({ errors, code }).toEqual({ errors: "", code: 0 });
    const events = readEvents(path);
    const states = project(events);

    // Nothing is lost, and the order within a process is that in which it acted.
    for (const name of NAMES) {
      const own = events.filter(({ commitment }) => commitment === `own-${name}-00`);
      expect(own.flatMap((event) => ("summary" in event ? event.summary : []))).toEqual(
        Array.from({ length: ROUNDS }, (_, n) => `${name} ${n}`),
      );
      expect(states.get(`own-${name}-00`)?.episodes.ended).toBe(ROUNDS);
      const acted = events.filter(({ actor }) => actor === name).map(({ seq }) => seq);
      expect(acted).toEqual([...acted].sort((a, b) => a - b));
    }
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));

    // Who was told that it closed one did, and nobody else; nothing happened to it after that.
    const closings = events.filter(({ kind }) => kind === "closed");
    const told = ended.flatMap(({ said }, at) =>
      said.filter((line) => line.startsWith("f ")).map((line) => `${NAMES[at]} ${line.slice(2)}`),
    );
    expect(closings.map(({ actor, commitment }) => `${actor} ${Number(commitment.slice(7))}`).sort()).toEqual(
      told.sort(),
    );
    expect(new Set(closings.map(({ commitment }) => commitment)).size).toBe(closings.length);
    expect(closings.length).toBeGreaterThan(0);

    // What was proven when it was closed: judged anew from the log alone.
    const projection: Projection = new Map();
    for (const event of events) {
      const before = projection.get(event.commitment);
      if (before !== undefined) expect(before.phase, `${event.seq}`).not.toBe("closed");
      if (event.kind === "closed" && before !== undefined)
        expect(
          findLacks(
            "observed",
            listProofs(before, () => undefined),
          ),
        ).toEqual([]);
      applyEvent(projection, event);
    }
    // Some were refused: the file had become another one between the check and the closing, or somebody was first.
    const refusals = new Set(ended.flatMap(({ said }) => said.filter((line) => line.startsWith("r "))));
    for (const line of refusals) expect(["r commitment-unproven", "r commitment-transition"]).toContain(line);
  });

  it("cannot close on a file that another process changes all the time", { timeout: 120_000 }, async () => {
    const path = join(folder, "ledger.db");
    const ledger = openLedger({ path });
    const commitments = giveCommitments({
      ledger,
      root: openRoot({ root }),
      isShared: false,
      agentId: "main",
      actor: "test",
    });
    const file = join(root, "a.txt");
    for (let n = 0; n < 50; n++) {
      writeFileSync(file, "good");
      const { shortId } = await commitments.open({
        objective: "Keep it good",
        criteria: [{ statement: "good", kind: "file-contains", path: "a.txt", text: "good" }],
      });
      expect((await commitments.evaluate(shortId)).view.lacking).toEqual([]);
      // Changed between the check and the closing, in a way that its length does not show, at once or a little later.
      if (n % 2 === 0) await delay(n % 5);
      writeFileSync(file, "evil");
      await expect(commitments.close(shortId, { verdict: "fulfilled" })).rejects.toThrow("a.txt has changed");
      expect((await commitments.find(shortId)) as object).toMatchObject({ view: { phase: "satisfying" } });
    }
    ledger.close();
  });
});

describe("a process that is killed while it appends", () => {
  it("loses nothing that was answered and leaves no half of an event", { timeout: 300_000 }, async () => {
    const rounds = process.env.HAFT_LONG === "1" ? 60 : 8;
    let answered = 0;
    for (let round = 0; round < rounds; round++) {
      const path = join(folder, `ledger-${round}.db`);
      const { child, loaded, ended } = startKeeping({ root, path, name: "p1", rounds: 1e9 });
      await loaded;
      await delay(20 + Math.random() * 150);
      child.kill("SIGKILL");
      const { said, errors } = await ended;
      expect(errors).toBe("");
      const events = readEvents(path);
      const last = Math.max(
        -1,
        ...said.filter((line) => /^e \d+$/.test(line)).map((line) => Number(line.slice(2))),
      );
      const summaries = events.flatMap((event) => ("summary" in event ? event.summary : []));
      expect(summaries.slice(0, last + 1)).toEqual(Array.from({ length: last + 1 }, (_, n) => `p1 ${n}`));
      expect(summaries.length).toBeLessThanOrEqual(last + 2);
      const database = findDriver()(path, { readOnly: false });
      expect(database.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
      database.close();
      answered += last + 1;
    }
    expect(answered).toBeGreaterThan(0);
  });
});
