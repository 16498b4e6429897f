/**
 * A host that runs one command in its worker and never closes. Run with a built package, a root and the command.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [dist, root, command] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(join(dist, path)).href);
const { openRoot } = await load("root/open-root.js");
const { openWorker } = await load("worker/open-worker.js");

const { shell } = openWorker({
  root: openRoot({ root, extraIgnore: [], allowGenerated: false, agentId: "main" }),
  entry: join(dist, "worker-entry", "main.js"),
  env: { pass: [], set: {} },
  bash: "/bin/bash",
  scratch: async () => ({ variables: {} }),
});
process.stdout.write("ready\n");
const { kind } = await shell.run({
  command,
  cwd: root,
  timeoutMs: 600_000,
  onTimeout: "kill",
  background: false,
  watch: { stages: false, directory: false },
  checkSyntax: false,
  maxBytes: 1_048_576,
  signal: new AbortController().signal,
  onOutput: () => {},
});
process.stdout.write(`${kind}\n`);
