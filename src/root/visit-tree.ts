/**
 * Owns walking a tree through descriptors, to judge, copy or remove it as a whole.
 * Leaves walks that people see (order, ignore rules) to walk.ts. Rule: never follows a link, names are bytes,
 * and each directory is entered from the one above, so that nothing exchanged meanwhile leads out.
 */
import type { Dirent } from "node:fs";
import type { Place } from "../contract/access.ts";
import { type Refusal, refuse } from "../contract/refusal.ts";
import type { Root } from "../contract/root.ts";
import type { Directory } from "./directory.ts";
import { type EntryKind, kindOfEntry } from "./entry-kind.ts";
import { protectorOfName } from "./protect.ts";
import { showName } from "./show-name.ts";

export interface TreeVisitor {
  readonly root: Root;
  readonly signal: AbortSignal;
  /** Called for each entry that is no directory; a refusal ends the walk. */
  entry?(within: Directory, entry: Dirent<Buffer>, path: string): Promise<Refusal | undefined>;
  /** Called for each directory once what is in it was visited. */
  leave?(within: Directory, name: Buffer): Promise<void>;
  /** Called for each directory before it is entered. */
  before?(entry: Dirent<Buffer>, path: string): Refusal | undefined;
}

/** Visits everything below a directory, depth first. `path` is what is told of it: relative to the tree, with `/`. */
export async function visitTree(
  visitor: TreeVisitor,
  directory: Directory,
  path = "",
): Promise<Refusal | undefined> {
  for (const entry of await visitor.root.disk.readdir(directory.self)) {
    visitor.signal.throwIfAborted();
    const shown = path === "" ? showName(entry.name) : `${path}/${showName(entry.name)}`;
    const refusal = entry.isDirectory()
      ? await visitDirectory(visitor, { within: directory, entry, shown })
      : await visitor.entry?.(directory, entry, shown);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

async function visitDirectory(
  visitor: TreeVisitor,
  at: { within: Directory; entry: Dirent<Buffer>; shown: string },
): Promise<Refusal | undefined> {
  const refusal = visitor.before?.(at.entry, at.shown);
  if (refusal !== undefined) return refusal;
  const inner = await at.within.enter(at.entry.name);
  try {
    const below = await visitTree(visitor, inner, at.shown);
    if (below !== undefined) return below;
  } finally {
    await inner.close();
  }
  await visitor.leave?.(at.within, at.entry.name);
  return undefined;
}

/** Why an entry of a tree that is none of file, directory and link stands in the way. */
type JudgeSpecial = (path: string, kind: EntryKind) => Refusal | undefined;

/** Why a tree may not be moved or removed: something protected is in it, or something that `special` does not take. */
export async function guardTree(
  request: { root: Root; place: Place; signal: AbortSignal; special?: JudgeSpecial | undefined },
  directory: Directory,
): Promise<Refusal | undefined> {
  const { place } = request;
  const judge = (entry: Dirent<Buffer>, path: string): Refusal | undefined => {
    const by = protectorOfName(entry.name);
    const inside = `${place.shown}/${path}`;
    if (by !== undefined) return refuse("path-protected", { path: place.shown, by, inside });
    const kind = kindOfEntry(entry);
    if (kind === "file" || kind === "directory" || kind === "link") return undefined;
    return request.special?.(inside, kind);
  };
  return visitTree(
    {
      root: request.root,
      signal: request.signal,
      before: judge,
      entry: async (_within, entry, path) => judge(entry, path),
    },
    directory,
  );
}
