/**
 * Owns the benchmark of the shell: `bash true` through haft against a plain `spawn` from a small process, in hosts of
 * 50 MiB and of 1 GiB over a root of 10,000 files, and 1 GiB of output against a plain drain in Node.
 * Leaves the hosts to host.mjs, medians to ../measure.mjs. Run: node bench/shell/run.mjs (after a build).
 *
 * Rule: all ways are asked in turn, in one run; what is compared with a bound is a ratio or a difference of medians.
 */
import { fork } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "../measure.mjs";

const ROUNDS = 101;
const FLOOD_ROUNDS = 5;
const GIB = 1_073_741_824;
/** How much longer a command may take than a plain spawn from a small process: this often, and this many ms. */
const BOUND = { times: 1.5, plusMs: 1 };
/** What "does not grow with the host's memory" leaves to chance: the host that is 1 GiB against the one of 50 MiB. */
const GROWTH = 1.2;
const FLOOD_BOUND = 2;

const root = makeRoot();
try {
  await measureTrue();
  await measureFlood();
} finally {
  rmSync(root, { recursive: true, force: true });
}

function makeRoot() {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "haft-bench-shell-")));
  for (let folder = 0; folder < 100; folder++) {
    mkdirSync(join(path, `folder-${folder}`));
    for (let file = 0; file < 100; file++)
      writeFileSync(join(path, `folder-${folder}`, `file-${file}.txt`), `${folder} ${file}\n`);
  }
  return path;
}

async function startHost(way, mebibytes) {
  const child = fork(new URL("host.mjs", import.meta.url), [way, String(mebibytes), root]);
  const next = () => new Promise((resolve) => child.once("message", resolve));
  await next();
  return {
    async run(command) {
      const answer = next();
      child.send(command);
      const result = await answer;
      if (result.error !== undefined) throw new Error(result.error);
      return result;
    },
    async end() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.disconnect();
      await ended;
    },
  };
}

/** Each way in turn; the order turns too, so that none always comes after the same. */
async function alternate(hosts, command, rounds, look = () => {}) {
  const times = hosts.map(() => []);
  for (let round = -3; round < rounds; round++) {
    for (let step = 0; step < hosts.length; step++) {
      const index = (step + round + 3) % hosts.length;
      const result = await hosts[index].run(command);
      look(index, result);
      if (round >= 0) times[index].push(result.ms);
    }
  }
  return times.map(median);
}

async function measureTrue() {
  const hosts = [await startHost("plain", 0), await startHost("haft", 0), await startHost("haft", 974)];
  const rss = [];
  const [plain, small, large] = await alternate(hosts, "true", ROUNDS, (index, result) => {
    rss[index] = Math.round(result.rss / 1_048_576);
  });
  const inLarge = await startHost("plain", 974);
  const [plainInLarge] = await alternate([inLarge], "true", 15);
  const allowed = plain * BOUND.times + BOUND.plusMs;
  say(
    small <= allowed,
    `bash true in a host of ${rss[1]} MiB: ${ms(small)}, plain from a process of ${rss[0]} MiB ${ms(plain)}; at most ${ms(allowed)}`,
  );
  say(
    large <= allowed,
    `bash true in a host of ${rss[2]} MiB: ${ms(large)}; at most ${ms(allowed)} (a plain spawn from there: ${ms(plainInLarge)})`,
  );
  say(
    large <= small * GROWTH,
    `growth with the host's memory: ${(large / small).toFixed(2)} times; at most ${GROWTH}`,
  );
  for (const host of [...hosts, inLarge]) await host.end();
}

async function measureFlood() {
  const hosts = [await startHost("plain", 0), await startHost("haft", 0)];
  const command = `yes 'a line of output, thirty-two byt' | head -c ${GIB}; exit 3`;
  let peak = 0;
  const [plain, ours] = await alternate(hosts, command, FLOOD_ROUNDS, (index, result) => {
    if (index === 0 && (result.code !== 3 || result.bytes !== GIB))
      throw new Error("the plain drain is not whole");
    if (index === 1) {
      peak = Math.max(peak, result.rss);
      if (!/^exit code 3/.test(result.content) || !result.content.includes("a line of output"))
        throw new Error(`not what was printed: ${result.content}`);
    }
  });
  say(
    ours <= plain * FLOOD_BOUND,
    `1 GiB of output: ${ms(ours)}, plain drain ${ms(plain)}: ratio ${(ours / plain).toFixed(2)}, at most ${FLOOD_BOUND}; host's memory ${Math.round(peak / 1_048_576)} MiB`,
  );
  for (const host of hosts) await host.end();
}

function ms(time) {
  return `${time.toFixed(time < 100 ? 2 : 0)} ms`;
}

function say(held, text) {
  console.log(`${held ? "ok  " : "OVER"} ${text}`);
  if (!held) process.exitCode = 1;
}
