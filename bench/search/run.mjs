/**
 * Owns the benchmark of glob and grep: each against starting `rg` for the same work, side by side, alternated, on a
 * small, a medium and a large tree. Leaves the trees to trees.mjs, medians and ratios to ../measure.mjs.
 * Run: node bench/search/run.mjs [small|medium|large]… (needs 3 GB free in the temporary directory; `rg` on PATH).
 *
 * Rule: both sides count what is the same. `rg` is given our ignore rules, one line a match, and its output is read
 * to the end. Beside each ratio stand the longest time for which the host's event loop did not turn, and the memory.
 */
import { execFileSync, spawn } from "node:child_process";
import { closeSync, constants, openSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { mount } from "../../dist/index.js";
import { measureRatio, median, report } from "../measure.mjs";
import { makeTrees } from "./trees.mjs";

const RULES = ["--no-config", "--hidden", "--no-require-git", "--no-ignore-global", "--no-ignore-dot"];
const LEFT_OUT = ["-g", "!.git", "-g", "!node_modules", "-g", "!target"];
/** Of each way; the small tree takes so little that more are needed for a median that means something, past the first ones. */
const ROUNDS = { small: 301, medium: 31, large: 9 };
/** The longest time for which a search may hold up the host's event loop, in milliseconds. */
const MAX_STALL = 50;

const RARE = { pattern: "zqx_never_there" };
const REGEX = { pattern: "[a-z]+_zqx[0-9]+\\(" };
const COMMON = { pattern: "return" };
const GLOB = { pattern: "**/*.ts" };

/** Bounds of the built-in engine, and of whatever is chosen where ripgrep is found. */
const BOUNDS = {
  small: {
    never: { rare: 0.45, regex: 0.45, cold: 0.7, common: 0.3, glob: 0.3 },
    auto: { rare: 0.45, common: 0.3 },
  },
  medium: {
    never: { rare: 1.8, regex: 1.8, common: 0.3, glob: 1.0 },
    auto: { rare: 1.15, regex: 1.15, common: 0.3 },
  },
  large: {
    never: { rare: 2.0, regex: 2.0, common: 0.3, glob: 1.6 },
    auto: { rare: 1.15, regex: 1.15, common: 0.3 },
  },
};

const { trees, source } = makeTrees();
const asked = process.argv.slice(2);
const rgVersion = execFileSync("rg", ["--version"], { encoding: "utf8" }).split("\n")[0];
console.log(`${rgVersion}; node ${process.version}; ${availableParallelism()} processors; trees: ${source}`);
for (const [name, bounds] of Object.entries(BOUNDS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  for (const engine of ["never", "auto"])
    await measureTree({ name, engine, root: trees[name], bounds: bounds[engine] });
}
// Last, for what they load stays in memory.
for (const name of ["small", "medium"]) {
  if (asked.length === 0 || asked.includes(name)) await measurePeers(name, trees[name]);
}

async function measureTree({ name, engine, root, bounds }) {
  const tools = mount({ root, ripgrep: engine });
  const label = `${name}, ${engine === "never" ? "built-in" : "chosen"}`;
  const against = async (what, bound, { tool = "grep", args, rg, prepare, rounds = ROUNDS[name] }) => {
    if (bound === undefined) return;
    const watch = watchHost();
    let engineUsed = "";
    const result = await measureRatio({
      rounds,
      ...(prepare === undefined ? {} : { prepare }),
      ours: async () => {
        const output = await watch.during(() => tools.call(tool, args));
        if (output.isError) throw new Error(output.content);
        engineUsed = output.details.engine ?? "walk";
      },
      theirs: () => runRipgrep(root, rg),
    });
    report({ name: `${label}: ${what}`, bound, ...result });
    const stall = watch.longestStall();
    console.log(`     ${engineUsed}; longest stall ${stall.toFixed(0)} ms; memory ${watch.peak()} MB`);
    if (stall > MAX_STALL) process.exitCode = 1;
  };
  await against("rare literal", bounds.rare, { args: RARE, rg: ["-n", RARE.pattern] });
  await against("plain regex", bounds.regex, { args: REGEX, rg: ["-n", REGEX.pattern] });
  await against("common word, first 100", bounds.common, { args: COMMON, rg: ["-n", COMMON.pattern] });
  await against("glob **/*.ts", bounds.glob, {
    tool: "glob",
    args: GLOB,
    rg: ["--files", "-g", GLOB.pattern],
  });
  if (bounds.cold !== undefined && dropsCache()) {
    const prepare = async () => dropFromCache(root);
    await against("rare literal, files not in memory", bounds.cold, {
      args: RARE,
      rg: ["-n", RARE.pattern],
      prepare,
    });
  }
  if (bounds.cold !== undefined) await tellFirstCall({ label, root, engine });
  await tools.close();
}

/** Searches of others beside ours: a rare literal, or the glob where they search names alone. */
async function measurePeers(label, root) {
  const { withPeers } = await import("./peers.mjs");
  const tools = mount({ root });
  await withPeers(root, async ({ name, tool, search }) => {
    const args = tool === "grep" ? RARE : GLOB;
    const { ratio, ours, theirs } = await measureRatio({
      rounds: ROUNDS.large,
      ours: () => tools.call(tool, args),
      theirs: () => search(args.pattern),
    });
    console.log(
      `     ${label}, beside ${name}: ratio ${ratio.toFixed(2)}; ours ${ours.toFixed(1)} ms, theirs ${theirs.toFixed(1)} ms`,
    );
  });
  await tools.close();
}

/**
 * The first call of a process that has loaded haft: files are in memory, code was never run. Told without a bound:
 * whoever starts a process for one search pays far more for loading Node.
 */
async function tellFirstCall({ label, root, engine }) {
  const script = `
    const { mount } = await import(${JSON.stringify(new URL("../../dist/index.js", import.meta.url).href)});
    const tools = mount(${JSON.stringify({ root, ripgrep: engine })});
    const start = performance.now();
    await tools.call("grep", ${JSON.stringify(RARE)});
    console.log(performance.now() - start);
    await tools.close();`;
  const times = { ours: [], theirs: [] };
  for (let round = 0; round < ROUNDS.medium; round++) {
    const printed = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
      encoding: "utf8",
    });
    times.ours.push(Number(printed));
    const start = performance.now();
    await runRipgrep(root, ["-n", RARE.pattern]);
    times.theirs.push(performance.now() - start);
  }
  const [ours, theirs] = [median(times.ours), median(times.theirs)];
  const ratio = (ours / theirs).toFixed(2);
  console.log(
    `     ${label}: first call of a process: ratio ${ratio}; ours ${ours.toFixed(1)} ms, theirs ${theirs.toFixed(1)} ms`,
  );
}

function runRipgrep(root, args) {
  return new Promise((resolve, reject) => {
    const child = spawn("rg", [...RULES, ...LEFT_OUT, ...args, "."], {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
    });
    child.stdout.resume();
    child.on("error", reject);
    child.on("close", (code) => (code === 2 ? reject(new Error("rg failed")) : resolve()));
  });
}

/** Watches the host's event loop and memory while ours runs: a timer that should turn every millisecond. */
function watchHost() {
  let longest = 0;
  let peak = 0;
  return {
    during: async (run) => {
      let last = performance.now();
      const look = () => {
        const now = performance.now();
        longest = Math.max(longest, now - last - 1);
        last = now;
      };
      const timer = setInterval(look, 1);
      const memory = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage.rss());
      }, 25);
      try {
        return await run();
      } finally {
        look();
        clearInterval(timer);
        clearInterval(memory);
        peak = Math.max(peak, process.memoryUsage.rss());
      }
    },
    longestStall: () => longest,
    peak: () => Math.round(peak / 1e6),
  };
}

/** Whether this system can be told to forget the bytes of one file (names stay known to it). */
function dropsCache() {
  try {
    execFileSync("dd", ["if=/dev/null", "iflag=nocache", "count=0"], { stdio: "ignore" });
    return process.platform === "linux";
  } catch {
    return false;
  }
}

function dropFromCache(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const fd = openSync(path, constants.O_RDONLY);
    try {
      execFileSync("dd", ["iflag=nocache", "count=0"], { stdio: [fd, "ignore", "ignore"] });
    } finally {
      closeSync(fd);
    }
  }
}
