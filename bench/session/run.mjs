/**
 * Owns the benchmarks of the session: what it adds to a small call, what a part of a large result costs, and what
 * thousands of earlier calls cost the next one.
 * Run: node bench/session/run.mjs
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mount, openSession } from "../../dist/index.js";
import { openLedger } from "../../dist/ledger/ledger.js";
import { measureRatio, median, report } from "../measure.mjs";

const ROUNDS = 300;
const LINE = "a line of a build's output, of the length that most of them have, which is about 80";

const root = mkdtempSync(join(tmpdir(), "haft-bench-session-"));
writeFileSync(join(root, "small.txt"), "hello\nworld\n");
try {
  await benchAddedTime("on disk", undefined);
  await benchAddedTime("in memory", "memory");
  await benchManyCalls();
  benchLedgerParts();
  await benchRecall();
} finally {
  rmSync(root, { recursive: true, force: true });
}

/** One small read through the session and through the tools alone, in turn. */
async function benchAddedTime(name, ledger) {
  const tools = mount({ root });
  const session = await openSession({
    root,
    repeatNotice: false,
    ...(ledger === undefined ? {} : { ledger }),
  });
  const times = { tools: [], session: [] };
  for (let round = -20; round < ROUNDS; round++) {
    const alone = await timeCall(tools);
    const through = await timeCall(session);
    if (round < 0) continue;
    times.tools.push(alone);
    times.session.push(through);
  }
  const added = median(times.session) - median(times.tools);
  reportBound({
    name: `ms that a session with its ledger ${name} adds to a small read`,
    value: added,
    bound: 3,
  });
  await session.close();
  await tools.close();
}

/** The next call of a session with 10,000 calls behind it, against one with none. */
async function benchManyCalls() {
  const fresh = await openSession({ root, repeatNotice: false, ledger: join(root, "fresh.db") });
  const old = await openSession({ root, repeatNotice: false, ledger: join(root, "old.db") });
  for (let n = 0; n < 10_000; n++) await old.call("read", { path: "small.txt" });
  const once = async (session) => expectOk(await session.call("read", { path: "small.txt" }));
  const result = await measureRatio({ rounds: 500, ours: () => once(old), theirs: () => once(fresh) });
  report({ name: "a call after 10,000 others, against one in a new session", bound: 1.15, ...result });
  await fresh.close();
  await old.close();
}

/** The ledger alone: 100 lines and 8,000 characters of 1 MiB, against all of it. */
function benchLedgerParts() {
  const ledger = openLedger({ path: join(root, "parts.db") });
  const session = ledger.openSession({ id: "s", agentId: "main", root, resume: false });
  const content = `${LINE}\n`.repeat(Math.ceil(1_048_576 / (LINE.length + 1)));
  session.started({ callId: "c", name: "bash", sent: "{}", atMs: 0 });
  const output = { isError: false, content, images: [], details: {}, notes: [] };
  session.ended({ callId: "c", output, sights: [], oldBytes: [], atMs: 0, durationMs: 0 });
  const whole = timeOften(() => session.results.find("c").content);
  const lines = timeOften(() => session.results.find("c").readLines(6_000, 6_099));
  const characters = timeOften(() => session.results.find("c").readCharacters(500_000, 508_000));
  report({ name: "100 lines of a result of 1 MiB, against all of it", bound: 0.1, ...against(lines, whole) });
  report({ name: "8,000 characters of it, against all of it", bound: 0.2, ...against(characters, whole) });
  ledger.close();
}

/**
 * The same as a model does it: through the whole session, which records these calls too. What a session adds to any
 * call has its own bound above; so a recall of one line is measured beside the two, and taken from both.
 */
async function benchRecall() {
  const session = await openSession({ root, mode: "full-access", repeatNotice: false });
  const made = await session.call("bash", { command: `yes "${LINE}" | head -c 1040000` }, { id: "big" });
  if (made.isError) throw new Error(made.content);
  const recall = async (range) => expectOk(await session.call("recall", { id: "big", ...range }));
  let line = 0;
  const ways = {
    // Another range each time: nothing is answered from what was answered before.
    line: () => recall({ range: { start: line + 7, end: line + 7 } }),
    part: () => recall({ range: { start: line + 1, end: line + 100 } }),
    whole: () => recall({}),
  };
  const times = { line: [], part: [], whole: [] };
  for (let round = -20; round < ROUNDS; round++) {
    line = (line + 100) % 12_000;
    const names = Object.keys(ways);
    // The order turns, so that none always cleans up after the same.
    for (let step = 0; step < names.length; step++) {
      const name = names[(step + round + 20) % names.length];
      const start = performance.now();
      await ways[name]();
      if (round >= 0) times[name].push(performance.now() - start);
    }
  }
  const [one, part, whole] = Object.values(times).map(median);
  report({
    name: "recall of 100 lines of 1 MiB, against recall of all of it, each beyond the recall of one line",
    bound: 0.1,
    ...against(part - one, whole - one),
  });
  console.log(
    `     as whole calls: one line ${one.toFixed(2)} ms, 100 lines ${part.toFixed(2)} ms, all ${whole.toFixed(2)} ms`,
  );
  await session.close();
}

async function timeCall(tools) {
  const start = performance.now();
  expectOk(await tools.call("read", { path: "small.txt" }));
  return performance.now() - start;
}

function expectOk(output) {
  if (output.isError) throw new Error(output.content);
}

function timeOften(run) {
  const times = [];
  for (let round = 0; round < 200; round++) {
    const start = performance.now();
    run();
    times.push(performance.now() - start);
  }
  return median(times);
}

function against(ours, theirs) {
  return { ours, theirs, ratio: ours / theirs };
}

function reportBound({ name, value, bound }) {
  const held = value <= bound;
  console.log(`${held ? "ok  " : "OVER"} ${name}: ${value.toFixed(2)} (bound ${bound})`);
  if (!held) process.exitCode = 1;
}
