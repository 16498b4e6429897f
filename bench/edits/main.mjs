/**
 * Owns `npm run bench:edits`: how often the intended change lands, byte for byte, for haft and for others.
 * Leaves everything else to run.ts. Rule: haft is measured as built, by its public interface.
 * Run: npm run bench:edits -- [--seeds one,two] [--count 1200] [--no-peers] [--no-packages] [--show]
 */
import { parseArgs } from "node:util";
import { runnerImport } from "vite";
import { mount } from "../../dist/index.js";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "one,two" },
    count: { type: "string", default: "1224" },
    "no-peers": { type: "boolean", default: false },
    "no-packages": { type: "boolean", default: false },
    show: { type: "boolean", default: false },
  },
});
const { module } = await runnerImport(new URL("./run.ts", import.meta.url).pathname, {
  configFile: false,
  logLevel: "error",
});
const held = await module.runBenchmark({
  mount: (root) => mount({ root }),
  // The runner that loads the sources is closed by now: what others bring is loaded by Node itself.
  load: (url) => import(url),
  seeds: values.seeds.split(","),
  count: Number(values.count),
  withPeers: !values["no-peers"],
  withPackages: !values["no-packages"],
  show: values.show,
});
process.exit(held ? 0 : 1);
