/**
 * Owns measuring two ways of doing one job side by side: alternated in one run, medians, one ratio.
 * Rule: only the ratio is compared with a bound; times depend on the machine.
 */
import { performance } from "node:perf_hooks";

/** Runs each way once to warm up, then `rounds` times in turn; gives the medians in milliseconds and their ratio. */
export async function measureRatio({ ours, theirs, rounds = 7, prepare = async () => {} }) {
  const times = { ours: [], theirs: [] };
  for (let round = -1; round < rounds; round++) {
    for (const [name, run] of [
      ["ours", ours],
      ["theirs", theirs],
    ]) {
      await prepare();
      const start = performance.now();
      await run();
      if (round >= 0) times[name].push(performance.now() - start);
    }
  }
  const result = { ours: median(times.ours), theirs: median(times.theirs) };
  return { ...result, ratio: result.ours / result.theirs };
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Prints one line and remembers whether the bound held. */
export function report({ name, ratio, ours, theirs, bound }) {
  const held = ratio <= bound;
  console.log(
    `${held ? "ok  " : "OVER"} ${name}: ratio ${ratio.toFixed(2)} (bound ${bound}); ours ${ours.toFixed(1)} ms, theirs ${theirs.toFixed(1)} ms`,
  );
  if (!held) process.exitCode = 1;
}
