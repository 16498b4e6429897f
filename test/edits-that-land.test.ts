/**
 * Owns the promise that edits land: tasks cut from real source files, distorted the way models do it, judged byte
 * by byte. Leaves thousands of them, and the tools of others, to bench/edits.
 * Rule: the same files and seeds give the same tasks; none has more than one right answer.
 */
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { checkPatches } from "../bench/edits/check-patches.ts";
import { loadCorpus } from "../bench/edits/corpus.ts";
import { generateTasks, KINDS } from "../bench/edits/generate.ts";
import { openHaft } from "../bench/edits/haft.ts";
import { playTasks } from "../bench/edits/play.ts";
import { type Judged, judge, listUnreported } from "../bench/edits/score.ts";
import { mount } from "../src/index.ts";

const SEEDS = ["first", "second"];
const TASKS_PER_KIND = 4;

const corpus = loadCorpus([fileURLToPath(new URL("../node_modules", import.meta.url))]);

async function play(seed: string): Promise<Judged[]> {
  const tasks = generateTasks({ seed, count: KINDS.length * TASKS_PER_KIND, corpus });
  return (await playTasks((root) => openHaft((at) => mount({ root: at }), root), tasks)).judged;
}

const describeTask = ({ task, answer }: Judged): string =>
  `${task.kind}: ${JSON.stringify(task.edits)}\n${answer.text}`;

const played = Promise.all(SEEDS.map(play)).then((each) => each.flat());

describe("edits as models send them, on real source files", () => {
  it("never does anything else than what was meant", async () => {
    expect((await played).filter((each) => each.verdict === "wrong").map(describeTask)).toEqual([]);
  });

  it("lands every one that has one right landing, and says how where the text was not exact", async () => {
    const missed = (await played).filter(
      ({ task, verdict }) => task.expected.outcome === "land" && verdict !== "right",
    );
    expect(missed.map(describeTask)).toEqual([]);
    expect(listUnreported(await played)).toEqual([]);
  });

  it("refuses every one that has none, and names the lines", async () => {
    const wanted = (await played).filter(({ task }) => task.expected.outcome === "refuse");
    expect(wanted.length).toBeGreaterThan(50);
    expect(wanted.filter(({ verdict }) => verdict !== "refused").map(describeTask)).toEqual([]);
    const unnamed = wanted.filter(({ named }) => !named);
    expect(unnamed.length / wanted.length, unnamed.map(describeTask).join("\n\n")).toBeLessThanOrEqual(0.02);
  });

  it("gives back diffs from which patch makes the new file", async () => {
    expect(checkPatches(await played)).toEqual([]);
  });
});

describe("the judge of such edits", () => {
  it("tells a landing, a refusal and anything else apart", () => {
    const [task] = generateTasks({ seed: "judge", count: 1, corpus });
    if (task?.expected.outcome !== "land") throw new Error("the first kind is one that lands");
    const [wanted = Buffer.alloc(0)] = task.expected.bytes;
    const [done, refused] = [
      { refused: false, text: "" },
      { refused: true, text: "" },
    ];
    expect(judge(task, done, wanted).verdict).toBe("right");
    expect(judge(task, refused, task.before).verdict).toBe("refused");
    expect(judge(task, done, task.before).verdict).toBe("wrong");
    expect(judge(task, refused, wanted).verdict).toBe("wrong");
    expect(judge(task, done, Buffer.concat([wanted, Buffer.from(" ")])).verdict).toBe("wrong");
  });

  it("draws the same tasks from the same seed, and others from another", () => {
    const draw = (seed: string) => generateTasks({ seed, count: 12, corpus }).map((task) => task.edits);
    expect(draw("a")).toEqual(draw("a"));
    expect(draw("a")).not.toEqual(draw("b"));
  });
});
