/**
 * Owns `move`: one file, link or directory to another name, across file systems too.
 * Leaves containment, protection and the moving itself to root/. Rule: what stands at the destination is never lost unasked.
 */
import { z } from "zod";
import type { Sight } from "../../contract/output.ts";
import { isRefusal } from "../../contract/refusal.ts";
import type { Tool } from "../../contract/tool.ts";
import { keepOldFiles } from "../../root/keep-old.ts";
import { withLocks } from "../../root/lock.ts";
import { moveEntry } from "../../root/move-entry.ts";
import { refuseMissing } from "../../root/suggest.ts";
import { keepOnOneLine } from "../../text/one-line.ts";

const input = z.object({
  from: z.string().describe("File, link or directory to move, relative to the root."),
  to: z
    .string()
    .describe("Its whole new path (not the directory to put it in). Missing directories are made."),
  overwrite: z.boolean().optional().describe("Replace a file that stands at the destination."),
});

export interface MoveDetails {
  readonly from: string;
  readonly to: string;
  readonly kind: "file" | "directory" | "link" | "other";
  /** Whether something at the destination was replaced. */
  readonly replaced: boolean;
}

export const moveTool: Tool<"move", typeof input, MoveDetails> = {
  name: "move",
  annotations: {
    title: "Move or rename",
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  },
  alwaysLoaded: false,
  input,
  describe: () =>
    "Moves or renames one file, link or directory and makes missing directories. An existing destination is refused, unless it is a file and overwrite is true. A link is moved itself.",
  access: ({ from, to }) => ({
    paths: [
      { argument: "from", path: from, effect: "writes", link: "itself", mustExist: true },
      { argument: "to", path: to, effect: "writes", link: "itself", mustExist: false },
    ],
    runs: [],
    connects: [],
  }),
  async preview(_args, { place }) {
    const [from, to] = [place("from"), place("to")];
    return `rename from ${keepOnOneLine(from.shown)}\nrename to ${keepOnOneLine(to.shown)}\n`;
  },
  run({ overwrite }, { place, root, signal, ports }) {
    const [from, to] = [place("from"), place("to")];
    return withLocks({ paths: [from.real, to.real], signal }, async () => {
      // What is moved keeps its bytes; what stands at the destination loses its own.
      if (overwrite === true && ports.keepOldBytes !== undefined)
        await keepOldFiles({
          root,
          place: to,
          signal,
          recursive: false,
          keep: ports.keepOldBytes.bind(ports),
        });
      const moved = await moveEntry({ root, from, to, overwrite: overwrite ?? false, signal });
      if (isRefusal(moved)) return moved.code === "path-missing" ? refuseMissing(root, from) : moved;
      // The text is the same under the new name, so what was seen of it is too.
      const sights: Sight[] = [
        { file: to.real, ranges: ports.seen(from.real), replace: true },
        { file: from.real, ranges: [], replace: true },
      ];
      const mark = moved.kind === "directory" ? "/" : "";
      return {
        content: `moved ${keepOnOneLine(from.shown)}${mark} → ${keepOnOneLine(to.shown)}${mark}${moved.replaced ? " (replaced what stood there)" : ""}`,
        details: { from: from.shown, to: to.shown, ...moved },
        sights,
        changed: [from.shown, to.shown],
      };
    });
  },
};
