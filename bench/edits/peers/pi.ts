/**
 * Owns calling the edit tool of the coding agent pi. Rule: as its own agent makes it, on the local disk.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Peer } from "./open-peers.ts";

interface Pi {
  createEditTool(cwd: string): {
    execute(
      id: string,
      input: { path: string; edits: { oldText: string; newText: string }[] },
    ): Promise<{ content: { text?: string }[] }>;
  };
}

export const pi: Peer = {
  name: "pi 0.74.2",
  // The newest that runs on the Node that haft supports.
  package: "@earendil-works/pi-coding-agent@0.74.2",
  async prepare({ modules, load }) {
    const file = join(modules, "@earendil-works/pi-coding-agent/dist/core/tools/edit.js");
    const { createEditTool } = (await load(pathToFileURL(file).href)) as Pi;
    return async (root) => {
      const tool = createEditTool(root);
      return {
        name: pi.name,
        async edit(path, edits) {
          const input = {
            path,
            edits: edits.map((edit) => ({ oldText: edit.old_text, newText: edit.new_text })),
          };
          const result = await tool.execute("call", input);
          return { refused: false, text: result.content.map((part) => part.text ?? "").join("") };
        },
        close: async () => undefined,
      };
    };
  },
};
