/**
 * Owns the tests of what the host remembers of jobs. Rule: each end is told once, whoever tells it.
 */
import { beforeEach, describe, expect, it } from "vitest";
import type { JobSummary } from "../contract/shell.ts";
import { type JobMemory, openJobMemory } from "./job-memory.ts";

const job = (id: number, code?: number): JobSummary => ({
  id: `job_${id}`,
  command: "sleep 1",
  pids: [id],
  unreadBytes: 7,
  ...(code === undefined ? {} : { exit: { kind: "exited", code } }),
});

let memory: JobMemory;
beforeEach(() => {
  memory = openJobMemory();
});

describe("what is remembered of jobs", () => {
  it("tells the end of each once", () => {
    memory.note(job(1));
    memory.ended(job(1, 0));
    expect(memory.takeEnded()).toEqual([job(1, 0)]);
    memory.ended(job(1, 0));
    expect(memory.takeEnded()).toEqual([]);
  });

  it("tells no end that an answer has told, whichever came first", () => {
    memory.note(job(1, 0));
    memory.ended(job(1, 0));
    memory.ended(job(2, 0));
    memory.note(job(2, 0));
    expect(memory.takeEnded()).toEqual([]);
  });

  it("tells again what a call was told that was lost, and nothing that others were told before", async () => {
    memory.ended(job(1, 0));
    expect(memory.takeEnded()).toEqual([job(1, 0)]);
    for (const id of [2, 3, 4]) memory.ended(job(id, 0));
    const [lost, other] = [memory.openTelling(), memory.openTelling()];
    other.within(() => memory.note(job(2, 0)));
    await lost.within(async () => {
      await Promise.resolve();
      memory.note(job(1, 0));
      memory.note(job(2, 0));
      expect(memory.takeEnded()).toEqual([job(3, 0), job(4, 0)]);
    });
    expect(memory.takeEnded()).toEqual([]);
    lost.takeBack();
    expect(memory.takeEnded()).toEqual([job(3, 0), job(4, 0)]);
    memory.ended(job(5, 0));
    lost.within(() => memory.note(job(5, 0)));
    expect(memory.takeEnded()).toEqual([job(5, 0)]);
  });

  it("counts on, whatever is lost", () => {
    expect(memory.next()).toBe(1);
    memory.note(job(9));
    memory.note(job(10));
    memory.lose("was ended by SIGKILL");
    expect(memory.next()).toBe(11);
  });

  it("says of what ran that it is lost, and of what had ended how", () => {
    memory.note(job(1));
    memory.note(job(2, 3));
    memory.lose("did not answer");
    const lost = { ...job(1), unreadBytes: 0, exit: { kind: "lost", why: "did not answer" } };
    expect(memory.lost()).toEqual([lost, { ...job(2, 3), unreadBytes: 0 }]);
    expect(memory.takeEnded()).toEqual([lost]);
    expect(memory.findLost("job_1")?.job).toEqual(lost);
    expect(memory.findLost("job_3")).toBeUndefined();
  });

  it("tells no loss that was asked for", () => {
    memory.note(job(1));
    memory.lose("did not answer");
    memory.findLost("job_1");
    expect(memory.takeEnded()).toEqual([]);
  });
});
