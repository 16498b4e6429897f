/**
 * Owns the benchmark as a whole: files, tasks, haft against its bounds, the others beside it.
 * Leaves making and judging tasks to the files beside it. Rule: only haft's bounds decide; the others are shown.
 */
import { fileURLToPath } from "node:url";
import { checkPatches } from "./check-patches.ts";
import { loadCorpus, type Source } from "./corpus.ts";
import { generateTasks } from "./generate.ts";
import { type EditToolset, openHaft } from "./haft.ts";
import { installPackages, SOURCE_PACKAGES } from "./packages.ts";
import { type Load, openPeers } from "./peers/open-peers.ts";
import { playTasks } from "./play.ts";
import { printComparison, printFailures, printTallies } from "./print.ts";
import { type Judged, listBroken, listUnreported, tally } from "./score.ts";
import type { Task } from "./task.ts";

export interface BenchmarkUse {
  readonly mount: (root: string) => EditToolset;
  readonly load: Load;
  readonly seeds: readonly string[];
  /** Tasks a seed. */
  readonly count: number;
  readonly withPeers: boolean;
  /** Without the packages, the files come from the project's own `node_modules` alone. */
  readonly withPackages: boolean;
  /** Prints what went wrong, call by call. */
  readonly show: boolean;
}

/** Whether every bound held. */
export async function runBenchmark(use: BenchmarkUse): Promise<boolean> {
  const corpus = loadCorpus(listFolders(use.withPackages));
  const extensions = new Set(corpus.map((source) => source.extension));
  console.log(
    `${corpus.length} source files of ${extensions.size} kinds (${[...extensions].sort().join(" ")})`,
  );
  let held = true;
  for (const seed of use.seeds) held = (await measureHaft(use, seed, corpus)) && held;
  if (use.withPeers)
    await comparePeers(use, generateTasks({ seed: use.seeds[0] ?? "one", count: use.count, corpus }));
  return held;
}

function listFolders(withPackages: boolean): string[] {
  const own = fileURLToPath(new URL("../../node_modules", import.meta.url));
  if (!withPackages) return [own];
  try {
    return [own, installPackages(SOURCE_PACKAGES)];
  } catch (error) {
    console.log(`only the project's own packages: the others could not be installed (${messageOf(error)})`);
    return [own];
  }
}

async function measureHaft(use: BenchmarkUse, seed: string, corpus: readonly Source[]): Promise<boolean> {
  const tasks = generateTasks({ seed, count: use.count, corpus });
  const { judged } = await playTasks((root) => openHaft(use.mount, root), tasks);
  console.log(`\nhaft, seed ${seed}, ${tasks.length} tasks`);
  printTallies(tally(judged));
  if (use.show) printFailures(judged);
  const broken = [...listBroken(tally(judged)), ...listUnreported(judged), ...checkPatches(judged)];
  for (const line of broken) console.log(`OVER ${line}`);
  if (broken.length === 0) console.log("ok   every bound holds");
  return broken.length === 0;
}

async function comparePeers(use: BenchmarkUse, tasks: readonly Task[]): Promise<void> {
  const results: { name: string; judged: readonly Judged[] }[] = [
    await playTasks((root) => openHaft(use.mount, root), tasks),
  ];
  for (const peer of await openPeers(use.load)) {
    try {
      results.push(await playTasks(peer.open, tasks));
    } catch (error) {
      console.log(`${peer.name}: skipped, it could not be opened (${messageOf(error)})`);
    }
  }
  console.log(`\nside by side, seed ${use.seeds[0]}`);
  printComparison(results);
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
}
