/**
 * Owns calling the edit tool of the agent toolset in Anthropic's SDK. Rule: as the SDK's own runner calls it.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Peer } from "./open-peers.ts";

interface Toolset {
  betaEditTool(context: { workdir: string }): {
    run(input: { file_path: string; old_string: string; new_string: string }): unknown;
  };
}

export const agentToolset: Peer = {
  name: "Anthropic agent toolset",
  package: "@anthropic-ai/sdk@1.14.0",
  async prepare({ modules, load }) {
    const file = join(modules, "@anthropic-ai/sdk/tools/agent-toolset/node.mjs");
    const { betaEditTool } = (await load(pathToFileURL(file).href)) as Toolset;
    return async (root) => {
      const tool = betaEditTool({ workdir: root });
      return {
        name: agentToolset.name,
        onlyOne: true,
        async edit(path, [edit]) {
          const [old_string, new_string] = [edit?.old_text ?? "", edit?.new_text ?? ""];
          return {
            refused: false,
            text: String(await tool.run({ file_path: path, old_string, new_string })),
          };
        },
        close: async () => undefined,
      };
    };
  },
};
