/**
 * Owns `delete`: one file, one link, or one directory with all that is in it.
 * Leaves containment, protection and the deleting itself to root/. Rule: links go themselves, never what they lead to.
 */
import { z } from "zod";
import type { Note, Sight } from "../../contract/output.ts";
import { isRefusal } from "../../contract/refusal.ts";
import type { Tool } from "../../contract/tool.ts";
import { inspect } from "../../root/inspect.ts";
import { keepOldFiles } from "../../root/keep-old.ts";
import { withLocks } from "../../root/lock.ts";
import { removeEntry } from "../../root/remove-entry.ts";
import { refuseMissing } from "../../root/suggest.ts";
import { unifiedDiff } from "../../text/diff.ts";
import { keepOnOneLine } from "../../text/one-line.ts";

const input = z.object({
  path: z.string().describe("File, link or directory to delete, relative to the root."),
  recursive: z.boolean().optional().describe("Needed to delete a directory; everything in it goes."),
});

export interface DeleteDetails {
  readonly path: string;
  readonly kind: "file" | "directory" | "link" | "other";
  /** What went with it: everything that is no directory, and directories (the named one included). */
  readonly files: number;
  readonly directories: number;
}

export const deleteTool: Tool<"delete", typeof input, DeleteDetails> = {
  name: "delete",
  annotations: {
    title: "Delete a file or directory",
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  },
  alwaysLoaded: false,
  input,
  describe: () =>
    "Deletes one file, link or directory (with recursive: true). A link is deleted itself, never what it leads to. It cannot be undone.",
  access: ({ path }) => ({
    paths: [{ argument: "path", path, effect: "writes", link: "itself", mustExist: true }],
    runs: [],
    connects: [],
  }),
  async preview(_args, { place: placeOf, root, signal }) {
    const place = placeOf("path");
    const state = await inspect(root, place);
    if (isRefusal(state)) return state;
    if (state.kind === "missing") return refuseMissing(root, place);
    if (state.kind !== "file") return undefined;
    let before: Uint8Array | undefined;
    const keep = (_file: string, bytes: Uint8Array) => {
      before = bytes;
    };
    await keepOldFiles({ root, place, signal, recursive: false, keep });
    if (before === undefined) return undefined;
    const { patch } = await unifiedDiff({ path: place.shown, before, after: Buffer.alloc(0) });
    return patch.replace(/^\+\+\+ .*$/m, "+++ /dev/null");
  },
  run({ recursive }, { place: placeOf, root, signal, ports }) {
    const place = placeOf("path");
    const keep = ports.keepOldBytes?.bind(ports);
    return withLocks({ paths: [place.real], signal }, async () => {
      const missed =
        keep === undefined
          ? 0
          : await keepOldFiles({ root, place, signal, keep, recursive: recursive ?? false });
      const removed = await removeEntry({ root, place, recursive: recursive ?? false, signal });
      if (isRefusal(removed)) return removed.code === "path-missing" ? refuseMissing(root, place) : removed;
      const sights: Sight[] = [{ file: place.real, ranges: [], replace: true }];
      return {
        content: `deleted ${describeRemoved(keepOnOneLine(place.shown), removed)}`,
        details: { path: place.shown, ...removed },
        notes: noteMissed(missed),
        sights,
        changed: [place.shown],
      };
    });
  },
};

/** What cannot be brought back from the ledger. */
function noteMissed(missed: number): Note[] {
  if (missed === 0) return [];
  const text = `the old bytes of ${missed} ${missed === 1 ? "file" : "files"} were not kept`;
  return [{ code: "other", text, audience: "host" }];
}

function describeRemoved(path: string, removed: Omit<DeleteDetails, "path">): string {
  if (removed.kind === "link") return `the link ${path}; what it led to is untouched`;
  if (removed.kind !== "directory") return path;
  const inside = removed.directories - 1;
  const files = `${removed.files} ${removed.files === 1 ? "file" : "files"}`;
  return `${path}/ with ${files}${inside > 0 ? ` and ${inside} ${inside === 1 ? "directory" : "directories"}` : ""}`;
}
