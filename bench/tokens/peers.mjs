/**
 * Owns the definitions of other tools that npm installs, as their own agents send them.
 * Leaves installing to bench/edits/packages.ts, counting to run.mjs. Rule: what cannot be installed or loaded is
 * skipped aloud; nothing of it stays in the project. Only tools of the kinds that haft has are taken.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const load = (...parts) => import(pathToFileURL(join(...parts)).href);

export const PEERS = [
  {
    name: "Anthropic agent toolset 1.14.0",
    package: "@anthropic-ai/sdk@1.14.0",
    async describe(modules) {
      const toolset = await load(modules, "@anthropic-ai/sdk/tools/agent-toolset/node.mjs");
      return toolset.betaAgentToolset20260401({ workdir: modules }).map((tool) => {
        return { name: tool.name, description: tool.description, inputSchema: tool.input_schema };
      });
    },
  },
  {
    name: "gemini-cli 0.61.0",
    package: "@google/gemini-cli-core@0.61.0",
    async describe(modules) {
      const core = await load(modules, "@google/gemini-cli-core/dist/src/tools/definitions/coreTools.js");
      const shell = core.getShellDefinition(true, true);
      return [
        ...[core.READ_FILE_DEFINITION, core.LS_DEFINITION, core.GLOB_DEFINITION, core.RIP_GREP_DEFINITION],
        ...[core.EDIT_DEFINITION, core.WRITE_FILE_DEFINITION, shell],
      ].map(({ base }) => {
        return { name: base.name, description: base.description, inputSchema: base.parametersJsonSchema };
      });
    },
  },
  {
    name: "pi 0.74.2",
    // The newest that runs on the Node that haft supports.
    package: "@earendil-works/pi-coding-agent@0.74.2",
    async describe(modules) {
      const tools = await load(modules, "@earendil-works/pi-coding-agent/dist/core/tools/index.js");
      return Object.values(tools.createAllTools(modules)).map((tool) => {
        return { name: tool.name, description: tool.description, inputSchema: tool.parameters };
      });
    },
  },
  {
    name: "MCP filesystem 2026.8.31",
    package: "@modelcontextprotocol/server-filesystem@2026.8.31",
    describe: (modules) =>
      listServer(join(modules, "@modelcontextprotocol/server-filesystem/dist/index.js"), [modules]),
  },
];

/** What an MCP server lists. */
async function listServer(file, args) {
  const client = new Client({ name: "haft-bench", version: "1" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [file, ...args],
    stderr: "ignore",
  });
  try {
    await client.connect(transport);
    return (await client.listTools()).tools;
  } finally {
    await client.close();
  }
}
