/**
 * Owns the benchmark of starting: `haft --version` against an empty script, `haft mcp` up to its list of tools against
 * the smallest server of the official SDK, and a small call over stdio against that server's.
 * Leaves medians to ../measure.mjs. Run: npm run bench:start (after a build); HAFT_NODE=/path/to/node for another Node.
 *
 * Rule: all ways are measured in turn, in one run, after a round that warms the disk's cache and Node's; what is
 * compared with a bound is a ratio of medians. The peer gets its round of warming too.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSession } from "../../dist/index.js";
import { median, report } from "../measure.mjs";
import { greet, startServer } from "./client.mjs";

const ROUNDS = Number(process.env.HAFT_ROUNDS ?? 31);
const CALLS = 300;
const VERSION_BOUND = 1.5;
const START_BOUND = 0.6;
const CALL_BOUND = 1.2;
const repository = join(import.meta.dirname, "..", "..");
const haft = join(repository, "dist", "surfaces", "cli", "main.js");
const peer = join(import.meta.dirname, "sdk-server.mjs");
const execPath = process.env.HAFT_NODE ?? process.execPath;

const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-bench-start-")));
const root = join(base, "root");
const empty = join(base, "empty.mjs");
// What this person has configured, and their cache, are no part of it.
const env = {
  ...process.env,
  HOME: base,
  XDG_CONFIG_HOME: join(base, "config"),
  XDG_CACHE_HOME: join(base, "cache"),
};
const options = { cwd: base, env, execPath };
try {
  const tools = await prepare();
  await benchStart(tools);
  await benchCalls(tools);
} finally {
  rmSync(base, { recursive: true, force: true });
}

async function prepare() {
  mkdirSync(root);
  writeFileSync(empty, "");
  writeFileSync(join(root, "small.txt"), "hello\nworld\n");
  const server = startServer([haft, "mcp", "--root", root], options);
  const tools = (await greet(server)).length;
  await server.end();
  return tools;
}

async function benchStart(tools) {
  const ways = {
    empty: () => runScript([empty]),
    version: () => runScript([haft, "--version"]),
    ours: () => timeList([haft, "mcp", "--root", root]),
    theirs: () => timeList([peer, String(tools), root]),
  };
  const times = { empty: [], version: [], ours: [], theirs: [] };
  for (let round = -2; round < ROUNDS; round++)
    for (const [name, measure] of Object.entries(ways)) {
      const ms = await measure();
      if (round >= 0) times[name].push(ms);
    }
  const [bare, version, ours, theirs] = Object.values(times).map(median);
  report({
    name: "haft --version, against an empty script",
    ratio: version / bare,
    bound: VERSION_BOUND,
    ours: version,
    theirs: bare,
  });
  report({
    name: `haft mcp to its list of ${tools} tools, against the SDK's server, less an empty script of ${bare.toFixed(1)} ms`,
    ratio: (ours - bare) / (theirs - bare),
    bound: START_BOUND,
    ours: ours - bare,
    theirs: theirs - bare,
  });
}

/**
 * What a small read takes over stdio. What the session adds is allowed for, measured without a surface: a read through
 * it, less what the peer does for one, which is to read the file.
 */
async function benchCalls(tools) {
  const servers = [
    { server: startServer([haft, "mcp", "--root", root], options), name: "read" },
    { server: startServer([peer, String(tools), root], options), name: "read_1" },
  ];
  for (const { server } of servers) await greet(server);
  const session = await openSession({ root });
  const times = { ours: [], theirs: [], session: [], bare: [] };
  for (let round = -50; round < CALLS; round++) {
    const measured = {
      ours: await timeCall(servers[0]),
      theirs: await timeCall(servers[1]),
      session: await timed(() => session.call("read", { path: "small.txt" })),
      bare: await timed(() => readFile(join(root, "small.txt"), "utf8")),
    };
    if (round >= 0) for (const [name, ms] of Object.entries(measured)) times[name].push(ms);
  }
  for (const { server } of servers) await server.end();
  await session.close();
  const [ours, theirs] = [times.ours, times.theirs].map(median);
  const added = median(times.session) - median(times.bare);
  report({
    name: `a small read over stdio, less the ${added.toFixed(2)} ms that the session adds, against the SDK's`,
    ratio: (ours - added) / theirs,
    bound: CALL_BOUND,
    ours: ours - added,
    theirs,
  });
}

async function timeCall({ server, name }) {
  return timed(async () => {
    const { isError } = await server.request("tools/call", { name, arguments: { path: "small.txt" } });
    if (isError) throw new Error(`${name} failed`);
  });
}

async function timeList(args) {
  const begun = performance.now();
  const server = startServer(args, options);
  await greet(server);
  const ms = performance.now() - begun;
  await server.kill();
  return ms;
}

function runScript(args) {
  return timed(
    () =>
      new Promise((resolve) => {
        spawn(execPath, args, { cwd: base, env, stdio: "ignore" }).once("exit", resolve);
      }),
  );
}

async function timed(run) {
  const begun = performance.now();
  await run();
  return performance.now() - begun;
}
