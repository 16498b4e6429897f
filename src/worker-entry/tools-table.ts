/**
 * Owns finding a tool by its name in the worker. Leaves the order of tools to the catalogue.
 * Rule: a tool is loaded when it is first called, alone: a worker is up before a catalogue would be. A tool of the
 * catalogue that is not here does not compile.
 */
import type { AnyTool } from "../contract/tool.ts";
import type { Catalog, ToolName } from "../tools/catalog.ts";

const LOAD: { readonly [Name in ToolName]: () => Promise<Catalog[Name]> } = {
  read: async () => (await import("../tools/read/read.ts")).readTool,
  list: async () => (await import("../tools/list/list.ts")).listTool,
  glob: async () => (await import("../tools/glob/glob.ts")).globTool,
  grep: async () => (await import("../tools/grep/grep.ts")).grepTool,
  edit: async () => (await import("../tools/edit/edit.ts")).editTool,
  write: async () => (await import("../tools/write/write.ts")).writeTool,
  delete: async () => (await import("../tools/delete/delete.ts")).deleteTool,
  move: async () => (await import("../tools/move/move.ts")).moveTool,
  bash: async () => (await import("../tools/bash/bash.ts")).bashTool,
  jobs: async () => (await import("../tools/jobs/jobs.ts")).jobsTool,
  webfetch: async () => (await import("../tools/webfetch/webfetch.ts")).webfetchTool,
  browse: async () => (await import("../tools/browse/browse.ts")).browseTool,
  recall: async () => (await import("../tools/recall/recall.ts")).recallTool,
  commitments: async () => (await import("../tools/commitments/commitments.ts")).commitmentsTool,
};

export async function loadTool(name: string): Promise<AnyTool> {
  if (!Object.hasOwn(LOAD, name)) throw new Error(`the worker knows no tool ${JSON.stringify(name)}`);
  return LOAD[name as ToolName]();
}
