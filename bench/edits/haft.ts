/**
 * Owns haft's own edit tool among the tools that are measured.
 * Rule: as a host mounts it, by its public interface.
 */
import type { EditTool } from "./play.ts";

/** What is needed of the public toolset; so the built package and the sources both fit. */
export interface EditToolset {
  call(
    name: "edit",
    args: unknown,
  ): Promise<{ isError: boolean; content: string; notes: readonly { code: string }[]; details?: unknown }>;
  close(): Promise<void>;
}

export async function openHaft(mount: (root: string) => EditToolset, root: string): Promise<EditTool> {
  const tools = mount(root);
  return {
    name: "haft",
    async edit(path, edits) {
      const output = await tools.call("edit", { path, edits });
      const reported = output.notes.some(({ code }) => code === "edit-tolerance" || code === "line-endings");
      const { patch } = (output.details ?? {}) as { patch?: string };
      return {
        refused: output.isError,
        text: output.content,
        reported,
        ...(patch !== undefined && { patch }),
      };
    },
    close: () => tools.close(),
  };
}
