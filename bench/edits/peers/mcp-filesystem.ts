/**
 * Owns calling `edit_file` of the official MCP filesystem server. Rule: the function that its server calls.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Peer } from "./open-peers.ts";

interface Server {
  applyFileEdits(
    file: string,
    edits: { oldText: string; newText: string }[],
    dryRun: boolean,
  ): Promise<string>;
}

export const filesystemServer: Peer = {
  name: "MCP filesystem 2026.8.31",
  package: "@modelcontextprotocol/server-filesystem@2026.8.31",
  async prepare({ modules, load }) {
    const file = join(modules, "@modelcontextprotocol/server-filesystem/dist/lib.js");
    const { applyFileEdits } = (await load(pathToFileURL(file).href)) as Server;
    return async (root) => ({
      name: filesystemServer.name,
      async edit(path, edits) {
        const sent = edits.map((edit) => ({ oldText: edit.old_text, newText: edit.new_text }));
        return { refused: false, text: await applyFileEdits(join(root, path), sent, false) };
      },
      close: async () => undefined,
    });
  },
};
