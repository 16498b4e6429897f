/**
 * Owns a host whose worker hangs in a loop, with a command running below it: it says the worker's pid and waits to be
 * killed. Started with the root, the command, and what it is confined by.
 */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CATALOG } from "../../../dist/tools/catalog.js";
import { mountTools } from "../../../dist/toolset/mount-tools.js";

const [root, command, confine = "off"] = process.argv.slice(2);
const entry = fileURLToPath(new URL("broken-worker.mjs", import.meta.url));
const request = { catalog: CATALOG, preset: { prefix: "", tools: ["read", "bash", "jobs"] } };
const tools = mountTools(request, { root, isolation: "worker", confine }, { worker: { entry } });
await tools.call("bash", { command, background: true });
void tools.call("read", { path: "loop-before" });
setTimeout(() => {
  const pid = readdirSync("/proc").find((one) => isWorker(one));
  process.stdout.write(`${pid}\n`);
}, 500);

function isWorker(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(entry) && !/^\D/.test(pid) && isOurs(pid);
  } catch {
    return false;
  }
}

function isOurs(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === process.pid;
}
