/**
 * Owns the searches of other tools that npm installs, called as their own agents call them, on one tree.
 * Leaves installing to bench/edits/packages.ts, measuring to run.mjs. Rule: what cannot be installed or called is
 * skipped aloud; nothing of it stays in the project. Told beside ours without a bound: what each of them answers and
 * leaves out is its own affair.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { runnerImport } from "vite";

const load = (...parts) => import(pathToFileURL(join(...parts)).href);

/** Each opens a search of the folder for one pattern or glob; `tool` is the one of ours that does the same. */
const PEERS = [
  {
    name: "Anthropic agent toolset 1.14.0, grep",
    package: "@anthropic-ai/sdk@1.14.0",
    tool: "grep",
    async open({ modules, root }) {
      const toolset = await load(modules, "@anthropic-ai/sdk/tools/agent-toolset/node.mjs");
      const grep = toolset.betaAgentToolset20260401({ workdir: root }).find(({ name }) => name === "grep");
      return { search: (pattern) => grep.run({ pattern }), close: () => {} };
    },
  },
  {
    name: "pi 0.74.2, grep",
    package: "@earendil-works/pi-coding-agent@0.74.2",
    tool: "grep",
    async open({ modules, root }) {
      const tools = await load(modules, "@earendil-works/pi-coding-agent/dist/core/tools/index.js");
      const { grep } = tools.createAllTools(root);
      return { search: (pattern) => grep.execute("call", { pattern }), close: () => {} };
    },
  },
  {
    name: "gemini-cli 0.61.0, grep by the system's grep",
    package: "@google/gemini-cli-core@0.61.0",
    tool: "grep",
    async open({ modules, root }) {
      const { GrepTool } = await load(modules, "@google/gemini-cli-core/dist/src/tools/grep.js");
      const tool = new GrepTool(geminiConfig(root), {});
      const abortSignal = new AbortController().signal;
      return {
        async search(pattern) {
          const { error } = await tool.build({ pattern }).execute({ abortSignal });
          if (error !== undefined) throw new Error(error.message);
        },
        close: () => {},
      };
    },
  },
  {
    name: "MCP filesystem 2026.8.31, search_files",
    package: "@modelcontextprotocol/server-filesystem@2026.8.31",
    tool: "glob",
    async open({ modules, root }) {
      const client = new Client({ name: "haft-bench", version: "1" });
      const server = join(modules, "@modelcontextprotocol/server-filesystem/dist/index.js");
      const args = [server, root];
      await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
      return {
        async search(pattern) {
          const { isError } = await client.callTool({
            name: "search_files",
            arguments: { path: root, pattern },
          });
          if (isError) throw new Error("search_files failed");
        },
        close: () => client.close(),
      };
    },
  },
];

/** What the tool asks of the agent's configuration; the rest of it is off or absent. */
function geminiConfig(root) {
  const known = {
    getTargetDir: () => root,
    getWorkspaceContext: () => ({ getDirectories: () => [root] }),
    getFileFilteringOptions: () => ({ respectGitIgnore: true, respectGeminiIgnore: true }),
    getFileExclusions: () => ({ getGlobExcludes: () => ["**/.git/**", "**/node_modules/**"] }),
    validatePathAccess: () => null,
    sandboxManager: undefined,
  };
  return new Proxy(known, { get: (each, name) => (name in each ? each[name] : () => undefined) });
}

/** Runs `measure` with each of them that can be opened. */
export async function withPeers(root, measure) {
  const packages = new URL("../edits/packages.ts", import.meta.url).pathname;
  const { module } = await runnerImport(packages, { configFile: false, logLevel: "error" });
  for (const { name, package: wanted, tool, open } of PEERS) {
    let peer;
    try {
      peer = await open({ modules: module.installPackages([wanted]), root });
      await measure({ name, tool, search: peer.search });
    } catch (error) {
      console.log(`     ${name}: skipped (${String(error?.message ?? error).split("\n")[0]})`);
    } finally {
      await peer?.close();
    }
  }
}
