/**
 * Owns measuring what a miss, an exact edit and a diff cost in a file of 50,000 lines, against the plain ways.
 * Leaves measuring itself to ../measure.mjs. Rule: the plain ways are written as others write them, not slowed down.
 * Run: npm run bench:edits:speed
 */
import { performance } from "node:perf_hooks";
import { createTwoFilesPatch } from "diff";
import { unifiedDiff } from "../../dist/text/diff.js";
import { findNearestRegion } from "../../dist/text/nearest-region.js";
import { measureRatio, report } from "../measure.mjs";

const LINES = 50_000;
const lines = Array.from({ length: LINES }, (_, index) => writeLine(index));
const asked = lines
  .slice(40_000, 40_010)
  .map((line, index) => (index === 4 ? line.replace("handle", "process") : line));

/** Two rows of an edit distance, reused. */
const rows = [new Uint16Array(1_024), new Uint16Array(1_024)];

await measureMiss();
await measureOneLine();
await measureWhollyDifferent();

/** Code as it comes: most lines differ, some stand everywhere. */
function writeLine(index) {
  const kinds = [
    `  const value${index % 7_919} = compute(${index}, "${(index * 2_654_435_761) % 99_991}");`,
    "  }",
    "",
    `  if (value${index % 613} > ${index % 97}) {`,
    `    handle(value${index % 1_009}, options.limit${index % 31});`,
  ];
  return kinds[index % kinds.length];
}

async function measureMiss() {
  const expected = { start: 40_001, end: 40_010 };
  const ours = async () =>
    expectRegion(findNearestRegion({ lines, asked: asked.join("\n") })?.lines, expected);
  const name = "closest region in 50,000 lines, against every window by";
  report({
    name: `${name} edit distance`,
    bound: 0.05,
    ...(await measureRatio({
      rounds: 3,
      ours,
      theirs: async () => expectRegion(compareEveryWindow(lines, asked, likenessByDistance), expected),
    })),
  });
  // The same with all that can be shared between windows made once: the best that comparing every window can be.
  const [pairs, sought] = [lines.map(pairsOf), asked.map(pairsOf)];
  report({
    name: `${name} pairs of letters, made beforehand`,
    bound: Number.POSITIVE_INFINITY,
    ...(await measureRatio({
      rounds: 3,
      ours,
      theirs: async () => expectRegion(compareEveryWindow(pairs, sought, likenessByPairs), expected),
    })),
  });
}

/** Every window of as many lines, by the likeness of each line to its fellow. */
function compareEveryWindow(file, wanted, likeness) {
  let best = { at: 0, score: -1 };
  for (let at = 0; at + wanted.length <= file.length; at++) {
    let score = 0;
    for (let step = 0; step < wanted.length; step++) score += likeness(wanted[step], file[at + step]);
    if (score > best.score) best = { at, score };
  }
  return { start: best.at + 1, end: best.at + wanted.length };
}

/** Levenshtein's, as the edit tools that compare windows do it. */
function likenessByDistance(a, b) {
  if (a === b) return 1;
  let [row, next] = rows;
  for (let j = 0; j <= b.length; j++) row[j] = j;
  for (let i = 1; i <= a.length; i++) {
    next[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const swap = row[j - 1] + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1);
      next[j] = Math.min(swap, row[j] + 1, next[j - 1] + 1);
    }
    [row, next] = [next, row];
  }
  return 1 - row[b.length] / Math.max(a.length, b.length);
}

function pairsOf(line) {
  const pairs = new Set();
  for (let at = 0; at + 1 < line.length; at++) pairs.add(line.slice(at, at + 2));
  return pairs;
}

function likenessByPairs(a, b) {
  if (a.size + b.size === 0) return 1;
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared++;
  return (2 * shared) / (a.size + b.size);
}

function expectRegion(region, { start, end }) {
  if (region?.start !== start || region.end !== end) throw new Error(`found ${JSON.stringify(region)}`);
}

async function measureOneLine() {
  const before = Buffer.from(`${lines.join("\n")}\n`);
  const changed = lines.map((line, index) => (index === 30_000 ? `${line} // changed` : line));
  const after = Buffer.from(`${changed.join("\n")}\n`);
  const result = await measureRatio({
    rounds: 7,
    ours: async () => expectHunk((await unifiedDiff({ path: "large.ts", before, after })).patch),
    theirs: async () =>
      expectHunk(createTwoFilesPatch("a", "b", before.toString(), after.toString(), "", "", { context: 3 })),
  });
  report({ name: "diff of one changed line in 50,000, against jsdiff on the whole", bound: 0.1, ...result });
}

function expectHunk(patch) {
  if (!patch.includes("@@ -29998,7 +29998,7 @@")) throw new Error(patch.slice(0, 300));
}

async function measureWhollyDifferent() {
  const text = (letter, step) =>
    Buffer.from(Array.from({ length: 6_000 }, (_, i) => `${letter}${(i * step) % 60_013}\n`).join(""));
  let last = performance.now();
  let slip = 0;
  const timer = setInterval(() => {
    slip = Math.max(slip, performance.now() - last);
    last = performance.now();
  }, 10);
  const start = performance.now();
  const { shortened } = await unifiedDiff({ path: "a", before: text("x", 31), after: text("y", 37) });
  const took = performance.now() - start;
  await new Promise((resolve) => setTimeout(resolve, 20));
  clearInterval(timer);
  const held = took < 1_000 && slip < 500;
  console.log(
    `${held ? "ok  " : "OVER"} two wholly different texts of 6,000 lines: ${took.toFixed(0)} ms, the loop held for ${slip.toFixed(0)} ms; shortened: ${shortened}`,
  );
  if (!held) process.exitCode = 1;
}
