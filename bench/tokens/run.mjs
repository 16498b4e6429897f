/**
 * Owns `npm run bench:tokens`: what each definition and a set of typical results cost in tokens, beside the
 * definitions of peers that npm installs. Leaves ceilings to test/adapters/token-cost.test.ts.
 * Rule: haft is measured as built, by its public interface.
 * Run: npm run bench:tokens -- [--no-peers]
 */
import { parseArgs } from "node:util";
import { runnerImport } from "vite";
import { mount, openSession } from "../../dist/index.js";
import { countDefinition, countText, TOKENIZER } from "./count.mjs";
import { PEERS } from "./peers.mjs";
import { CALLS, makeProject } from "./results.mjs";

const { values } = parseArgs({ options: { "no-peers": { type: "boolean", default: false } } });
const { root, remove } = makeProject();
const session = await openSession({ root, ledger: "memory", mode: "full-access" });
const tools = mount({ root });
try {
  console.log(`Tokens as ${TOKENIZER} counts them.\n`);
  showDefinitions("haft, a session", session.definitions());
  showDefinitions("haft, mount", tools.definitions());
  if (!values["no-peers"]) await showPeers();
  await showResults();
} finally {
  await Promise.all([session.close(), tools.close()]);
  remove();
}

function showDefinitions(title, definitions) {
  const rows = definitions.map((definition) => [definition.name, countDefinition(definition)]);
  const total = rows.reduce((sum, [, tokens]) => sum + tokens, 0);
  console.log(`${title}: ${total} tokens in ${rows.length} definitions`);
  console.log(`  ${rows.map(([name, tokens]) => `${name} ${tokens}`).join(", ")}\n`);
}

async function showPeers() {
  const packages = new URL("../edits/packages.ts", import.meta.url).pathname;
  const { module } = await runnerImport(packages, { configFile: false, logLevel: "error" });
  for (const peer of PEERS) {
    try {
      showDefinitions(peer.name, await peer.describe(module.installPackages([peer.package])));
    } catch (error) {
      console.log(`${peer.name}: skipped (${String(error?.message ?? error).split("\n")[0]})\n`);
    }
  }
}

async function showResults() {
  console.log("Results of a session:");
  for (const [title, name, args] of CALLS) {
    const { content } = await session.call(name, args);
    const tokens = String(countText(content)).padStart(6);
    console.log(`${tokens}  ${name}: ${title} (${content.length} characters)`);
  }
}
