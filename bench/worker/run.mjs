/**
 * Owns the benchmark of the worker: small calls through a warm one against the same in this process, and a cold start
 * against an empty script. Leaves medians to ../measure.mjs. Run: node bench/worker/run.mjs (after a build).
 *
 * Rule: both ways are asked in turn, in one run; what is compared with a bound is a difference or a ratio of medians.
 * A cold start is from starting the process to its being ready for a call; how long the first answer then takes, with
 * the tool and its schema library loaded for it, is shown beside it, without a bound.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { mount } from "../../dist/index.js";
import { openConnection } from "../../dist/worker/connection.js";
import { readPackageVersion } from "../../dist/worker/package-version.js";
import { startChild } from "../../dist/worker/start-child.js";
import { WORKER_BOUNDS } from "../../dist/worker/worker-process.js";
import { median } from "../measure.mjs";

const ROUNDS = 301;
const COLD_ROUNDS = 21;
const WARM_BOUND_MS = 2;
const COLD_BOUND = 1.8;
const ENTRY = fileURLToPath(new URL("../../dist/worker-entry/main.js", import.meta.url));

const root = makeRoot();
const empty = join(root, "empty.mjs");
try {
  await measureWarm();
  await measureCold();
} finally {
  rmSync(root, { recursive: true, force: true });
}

function makeRoot() {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "haft-bench-worker-")));
  mkdirSync(join(path, "src"));
  for (let file = 0; file < 50; file++)
    writeFileSync(join(path, "src", `file-${file}.ts`), `export const n${file} = ${file};\n`.repeat(40));
  writeFileSync(join(path, "a.txt"), "one\ntwo\nthree\n");
  writeFileSync(join(path, "empty.mjs"), "");
  return path;
}

async function measureWarm() {
  const ways = ["none", "worker"].map((isolation) => mount({ root, isolation, ripgrep: "never" }));
  const calls = [
    ["read", { path: "a.txt" }],
    ["list", { path: "src" }],
    ["glob", { pattern: "src/**/*.ts" }],
    ["grep", { pattern: "n4[0-9] =" }],
  ];
  for (const [name, args] of calls) {
    const times = [[], []];
    for (let round = -20; round < ROUNDS; round++) {
      for (const way of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const begun = performance.now();
        const output = await ways[way].call(name, args);
        if (output.isError) throw new Error(output.content);
        if (round >= 0) times[way].push(performance.now() - begun);
      }
    }
    const [here, there] = times.map(median);
    const more = there - here;
    tell(
      more <= WARM_BOUND_MS,
      `${name}, warm: ${here.toFixed(2)} ms here, ${there.toFixed(2)} ms in the worker`,
      {
        value: `+${more.toFixed(2)} ms`,
        bound: `${WARM_BOUND_MS} ms`,
      },
    );
  }
  for (const tools of ways) await tools.close();
}

async function measureCold() {
  const times = { empty: [], ready: [], answer: [] };
  for (let round = -2; round < COLD_ROUNDS; round++) {
    const measured = { empty: await timeEmpty(), ready: await timeReady(), answer: await timeAnswer() };
    if (round >= 0) for (const [name, ms] of Object.entries(measured)) times[name].push(ms);
  }
  const [bare, ready, answer] = [times.empty, times.ready, times.answer].map(median);
  tell(
    ready / bare <= COLD_BOUND,
    `cold start: ${ready.toFixed(1)} ms, an empty script ${bare.toFixed(1)} ms`,
    {
      value: (ready / bare).toFixed(2),
      bound: COLD_BOUND,
    },
  );
  console.log(
    `     first answer of a cold worker: ${answer.toFixed(1)} ms, ${(answer / bare).toFixed(2)} empty scripts`,
  );
}

function timeEmpty() {
  const begun = performance.now();
  const child = spawn(process.execPath, [empty], { stdio: "ignore" });
  return new Promise((resolve) => child.once("exit", () => resolve(performance.now() - begun)));
}

async function timeReady() {
  const begun = performance.now();
  const connection = await openConnection({
    child: startChild({ entry: ENTRY }),
    version: readPackageVersion(),
    marker: "bench",
    firstJob: 1,
    bounds: WORKER_BOUNDS,
    onJobEnded() {},
    async cleanUp() {},
  });
  const ms = performance.now() - begun;
  await connection.close();
  return ms;
}

async function timeAnswer() {
  const tools = mount({ root, isolation: "worker" });
  const begun = performance.now();
  const output = await tools.call("read", { path: "a.txt" });
  const ms = performance.now() - begun;
  await tools.close();
  if (output.isError) throw new Error(output.content);
  return ms;
}

function tell(held, what, { value, bound }) {
  console.log(`${held ? "ok  " : "OVER"} ${what}: ${value} (bound ${bound})`);
  if (!held) process.exitCode = 1;
}
