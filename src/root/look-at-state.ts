/**
 * Owns looking whether haft's state may be used as it lies there, for those who ask before anything is opened.
 * Leaves opening it to state-directory.ts. Rule: looks and never changes, and judges as opening would.
 */
import { basename, dirname, join } from "node:path";
import type { Root } from "../contract/root.ts";
import { type Directory, openDirectory } from "./directory.ts";
import {
  explainError,
  isStateError,
  judgeNames,
  judgeOwn,
  type StateError,
} from "./state-directory-entry.ts";

/** What opening a session meets, the folder's own files first; each name is followed by what lies in it. */
interface Expected {
  readonly name: string;
  readonly kind: "file" | "directory";
  readonly within?: readonly Expected[];
}

const FILES = [".gitignore", "ledger.db", "ledger.db-wal", "ledger.db-shm", "ledger.db-journal"];

/** The first thing that stands in the way; undefined where nothing does. `path` is absolute. */
export async function lookAtState(root: Root, path: string): Promise<StateError | undefined> {
  const scratch = { name: root.agentId, kind: "directory" } as const;
  const state: Expected = {
    name: basename(path),
    kind: "directory",
    within: [
      ...FILES.map((name) => ({ name, kind: "file" }) as const),
      { name: "scratch", kind: "directory", within: [scratch] },
    ],
  };
  let above: Directory | undefined;
  try {
    above = await openDirectory(root.disk, dirname(path));
    return above === undefined ? undefined : await look({ root, above, path: dirname(path) }, state);
  } catch (error) {
    return explainError({ shown: path }, error);
  } finally {
    await above?.close();
  }
}

async function look(
  { root, above, path }: { readonly root: Root; readonly above: Directory; readonly path: string },
  { name, kind, within = [] }: Expected,
): Promise<StateError | undefined> {
  const shown = join(path, name);
  const there = await judgeOwn({ disk: root.disk, within: above, name, shown }, kind);
  if (there === undefined || isStateError(there)) return there;
  // Opening makes the `.gitignore` anew instead.
  const names = kind === "file" && name !== ".gitignore" ? judgeNames({ shown }, there) : undefined;
  if (names !== undefined || within.length === 0) return names;
  const entered = await above.enter(name);
  try {
    for (const one of within) {
      const wrong = await look({ root, above: entered, path: shown }, one);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  } finally {
    await entered.close();
  }
}
