/**
 * Owns one host of the benchmark: a process of a given size that runs commands as it is told, one at a time, and says
 * how long each took. Leaves the comparison to run.mjs. Started by it, with the way (`haft` or `plain`), the MiB of
 * memory that it is to hold, and the root.
 */
import { spawn } from "node:child_process";
import { performance } from "node:perf_hooks";

const [way, size, root] = process.argv.slice(2);

/** Touched, page by page: what was never written costs a fork nothing. */
const held = Buffer.alloc(Number(size) * 1_048_576, 1);

const run = way === "haft" ? await openHaft() : runPlainly;

process.on("message", async (command) => {
  try {
    const begun = performance.now();
    const result = await run(command);
    process.send({
      ms: performance.now() - begun,
      ...result,
      rss: process.memoryUsage.rss(),
      held: held.length,
    });
  } catch (error) {
    process.send({ error: String(error?.stack ?? error) });
  }
});
process.send("ready");

async function openHaft() {
  const { mount } = await import("../../dist/index.js");
  const tools = mount({ root, tools: ["bash"] });
  process.on("disconnect", () => tools.close());
  return async (command) => {
    const output = await tools.call("bash", { command, timeout_ms: 300_000 });
    const { content, details } = output;
    return {
      content: content.length > 2_000 ? `${content.slice(0, 200)}…${content.slice(-200)}` : content,
      details,
    };
  };
}

/** What a program does that wants nothing but the exit code and the length of what was printed. */
function runPlainly(command) {
  return new Promise((resolve, reject) => {
    const child = spawn("bash", ["-c", command], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    let bytes = 0;
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        bytes += chunk.length;
      });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, bytes }));
  });
}
