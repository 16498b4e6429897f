/**
 * Owns calling `str_replace` of the local memory tool in Anthropic's SDK. Rule: the file is one of its memories.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Peer } from "./open-peers.ts";

interface Memory {
  BetaLocalFilesystemMemoryTool: {
    init(base: string): Promise<{
      str_replace(command: {
        command: "str_replace";
        path: string;
        old_str: string;
        new_str: string;
      }): Promise<string>;
    }>;
  };
}

export const memoryTool: Peer = {
  name: "Anthropic memory tool",
  package: "@anthropic-ai/sdk@1.14.0",
  async prepare({ modules, load }) {
    const file = join(modules, "@anthropic-ai/sdk/tools/memory/node.mjs");
    const { BetaLocalFilesystemMemoryTool } = (await load(pathToFileURL(file).href)) as Memory;
    return async (root) => {
      const tool = await BetaLocalFilesystemMemoryTool.init(root);
      const memories = join(root, "memories");
      mkdirSync(memories, { recursive: true });
      return {
        name: memoryTool.name,
        onlyOne: true,
        async edit(path, [edit]) {
          const copy = join(memories, path);
          writeFileSync(copy, readFileSync(join(root, path)));
          const [old_str, new_str] = [edit?.old_text ?? "", edit?.new_text ?? ""];
          try {
            const text = await tool.str_replace({
              command: "str_replace",
              path: `/memories/${path}`,
              old_str,
              new_str,
            });
            return { refused: false, text };
          } finally {
            writeFileSync(join(root, path), readFileSync(copy));
          }
        },
        close: async () => undefined,
      };
    };
  },
};
