/**
 * Owns finding an entry below a folder, whatever is ignored or hidden there: what goes when the folder goes.
 * Leaves walks that people see to walk.ts. Rule: no link is followed, and nothing is opened but folders.
 */
import type { Dirent } from "node:fs";
import type { Place } from "../contract/access.ts";
import type { Root } from "../contract/root.ts";
import { withParent } from "./parent.ts";
import { errorCode } from "./system-error.ts";
import { visitTree } from "./visit-tree.ts";

export interface Search {
  readonly root: Root;
  readonly place: Place;
  readonly signal: AbortSignal;
  /** Told every entry, by its path below the folder; true ends the search. */
  readonly isFound: (path: string) => boolean;
}

/** Looks at everything below a folder until `isFound` says so. What cannot be looked into has nothing below it. */
export async function searchBelow({ root, place, signal, isFound }: Search): Promise<void> {
  const above: string[] = [];
  const look = ({ name }: Dirent<Buffer>) => {
    if (isFound([...above, name.toString("utf8")].join("/"))) throw FOUND;
  };
  try {
    await withParent(root, place, async (parent) => {
      const folder = await parent.directory.enter(parent.name);
      try {
        await visitTree(
          {
            root,
            signal,
            before: (entry) => {
              look(entry);
              above.push(entry.name.toString("utf8"));
              return undefined;
            },
            entry: async (_within, entry) => {
              look(entry);
              return undefined;
            },
            leave: async () => {
              above.pop();
            },
          },
          folder,
        );
      } finally {
        await folder.close();
      }
    });
  } catch (error) {
    // A folder that cannot be looked through is refused by the tools that would remove or move it. Anything else that
    // fails must fail here: half a search would let by what the other half holds.
    if (error !== FOUND && !CLOSED.has(errorCode(error))) throw error;
  }
}

const CLOSED = new Set(["EACCES", "EPERM", "ENOENT", "ENOTDIR", "ELOOP"]);
const FOUND = new Error("found");
