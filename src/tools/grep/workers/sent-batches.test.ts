/**
 * Owns in which order batches go to threads and come back, where some take long: answers are given by hand.
 * Leaves real threads to ../workers.test.ts. Rule: nothing waits for what it does not need.
 */
import { describe, expect, it } from "vitest";
import type { FileRun } from "../feed.ts";
import type { CrewSearch } from "./crew.ts";
import type { PackedOutcome } from "./messages.ts";
import { makeSentBatches } from "./sent-batches.ts";

const MARK = { ignored: 0, notWalked: 0, unreadable: 0, hidden: 0 };

function makeRun(name: string): FileRun {
  return { path: "", folder: "/", entries: [{ name, kind: "file" }], mark: MARK };
}

/** A crew whose answers are given by hand. */
function makeSlowCrew() {
  const answers: ((outcomes: readonly PackedOutcome[] | undefined) => void)[] = [];
  const crew: CrewSearch = {
    search: () => new Promise((resolve) => answers.push(resolve)),
    end: () => {},
  };
  return { crew, answers };
}

describe("batches that threads have", () => {
  it("go on behind one that takes long, and are taken in their order", async () => {
    const { crew, answers } = makeSlowCrew();
    const batches = makeSentBatches({ crew, threads: 2 });
    let sent = 0;
    // The first one is not answered; all others are at once.
    for (; !batches.areDue() && sent < 100; sent++) {
      batches.send([makeRun(`f${sent}`)], 0);
      if (sent > 0) answers[sent]?.([sent]);
      await Promise.resolve();
    }
    expect(sent).toBe(100);
    answers[0]?.([0]);
    const names: string[] = [];
    for (let i = 0; i < sent; i++) {
      await Promise.resolve();
      const first = await batches.takeAnswered();
      names.push(...(first?.runs ?? []).flatMap(({ entries }) => entries.map(({ name }) => name)));
    }
    expect(names).toEqual(Array.from({ length: 100 }, (_, index) => `f${index}`));
  });

  it("are not sent without end, and any answer lets the next one go", async () => {
    const { crew, answers } = makeSlowCrew();
    const batches = makeSentBatches({ crew, threads: 2 });
    let sent = 0;
    for (; !batches.areDue() && sent < 1_000; sent++) batches.send([makeRun(`f${sent}`)], 0);
    expect(sent).toBeLessThan(100);
    const waiting = batches.takeAnswered();
    answers[7]?.([]);
    expect(await waiting).toBeUndefined();
    expect(batches.areDue()).toBe(false);
  });
});
