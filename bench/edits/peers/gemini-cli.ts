/**
 * Owns calling the edit tool of gemini-cli's core. Rule: without its correction by a model, which is one of its
 * options and needs a network; all else as it comes.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Peer } from "./open-peers.ts";

interface GeminiEdit {
  EditTool: new (
    config: unknown,
    bus: unknown,
  ) => {
    build(params: unknown): {
      execute(use: {
        abortSignal: AbortSignal;
      }): Promise<{ llmContent: unknown; error?: { message: string } }>;
    };
  };
}

interface GeminiFiles {
  StandardFileSystemService: new () => unknown;
}

export const geminiCli: Peer = {
  name: "gemini-cli 0.61.0",
  package: "@google/gemini-cli-core@0.61.0",
  async prepare({ modules, load }) {
    const core = join(modules, "@google/gemini-cli-core/dist/src");
    const { EditTool } = (await load(pathToFileURL(join(core, "tools/edit.js")).href)) as GeminiEdit;
    const { StandardFileSystemService } = (await load(
      pathToFileURL(join(core, "services/fileSystemService.js")).href,
    )) as GeminiFiles;
    return async (root) => {
      const tool = new EditTool(configFor(root, new StandardFileSystemService()), {});
      return {
        name: geminiCli.name,
        onlyOne: true,
        async edit(path, [edit]) {
          const params = {
            file_path: join(root, path),
            old_string: edit?.old_text,
            new_string: edit?.new_text,
            instruction: "Make the change.",
          };
          const result = await tool.build(params).execute({ abortSignal: new AbortController().signal });
          return { refused: result.error !== undefined, text: String(result.llmContent) };
        },
        close: async () => undefined,
      };
    };
  },
};

/** What the tool asks of the agent's configuration; the rest of it is off or absent. */
function configFor(root: string, files: unknown): unknown {
  const known: Readonly<Record<string, () => unknown>> = {
    getTargetDir: () => root,
    getProjectRoot: () => root,
    getFileSystemService: () => files,
    getApprovalMode: () => "yolo",
    getDisableLLMCorrection: () => true,
    validatePathAccess: () => null,
    getSessionId: () => "benchmark",
    getModel: () => "none",
  };
  const absent = (): undefined => undefined;
  return new Proxy(known, { get: (each, name) => each[String(name)] ?? absent });
}
