/**
 * Owns the peer of bench:start: the smallest server of the official SDK, as its own documentation writes one, with as
 * many tools as `haft mcp` has and a small zod schema each. Every tool reads a file, as a small `read` does.
 *
 * Rule: no favours either way. Nothing is loaded that a server of this kind does not need, nothing is bundled.
 * Run: node bench/start/sdk-server.mjs TOOLS ROOT
 */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

const [tools, root] = process.argv.slice(2);

function createServer() {
  const server = new McpServer({ name: "peer", version: "1.0.0" });
  for (let number = 1; number <= Number(tools); number++) {
    server.registerTool(
      `read_${number}`,
      {
        description: "Reads a text file.",
        inputSchema: z.object({
          path: z.string().describe("The file to read."),
          offset: z.number().int().optional().describe("The first line."),
          limit: z.number().int().optional().describe("How many lines."),
        }),
      },
      async ({ path }) => ({
        content: [{ type: "text", text: await readFile(resolve(root, path), "utf8") }],
      }),
    );
  }
  return server;
}

serveStdio(createServer);
