/**
 * A host that runs commands side by side and is killed while they run. Says `ready` when it has started them all.
 * Usage: node run-commands.mjs DIST ROOT COMMANDS(JSON)
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [dist = "", root = "", commands = "[]"] = process.argv.slice(2);
const { mount } = await import(pathToFileURL(join(dist, "index.js")).href);
const tools = mount({ root, tools: ["bash", "jobs"] });
for (const command of JSON.parse(commands)) void tools.call("bash", { command });
process.stdout.write("ready\n");
