/**
 * Owns removing a file, a link or a whole tree.
 * Leaves asking whether it should to permission. Rule: a link is removed itself; a tree is looked through first
 * and refused as a whole where something in it is protected; then it is removed through descriptors, so that
 * no link is ever walked through (D01). What appears in the tree meanwhile is judged again before it goes.
 * A tree that fails half-way has lost what was removed before: the refusal says how much.
 */
import type { Place } from "../contract/access.ts";
import { type Refusal, refuse } from "../contract/refusal.ts";
import type { Root } from "../contract/root.ts";
import type { Directory } from "./directory.ts";
import { inspectEntry } from "./inspect.ts";
import { type ParentDirectory, withParent } from "./parent.ts";
import { guardPlace, guardRoot, protectorOfName } from "./protect.ts";
import { refuseMissing } from "./suggest.ts";
import { refuseSystemError, refuseSystemErrors } from "./system-error.ts";
import { guardTree, type TreeVisitor, visitTree } from "./visit-tree.ts";

export interface Removal {
  readonly root: Root;
  readonly place: Place;
  readonly recursive: boolean;
  readonly signal: AbortSignal;
}

export interface Removed {
  readonly kind: "file" | "directory" | "link" | "other";
  /** Everything that is no directory. */
  readonly files: number;
  readonly directories: number;
}

/** Removes an entry. Directories only with `recursive`. */
export async function removeEntry(removal: Removal): Promise<Removed | Refusal> {
  const { root, place, signal } = removal;
  signal.throwIfAborted();
  const guarded = guardRoot(root, place) ?? guardPlace(root, place);
  if (guarded !== undefined) return guarded;
  const removed = await refuseSystemErrors({ place, operation: "delete" }, () =>
    withParent(root, place, (parent) => removeFrom(removal, parent)),
  );
  return removed === "missing" ? refuseMissing(root, place) : removed;
}

async function removeFrom(removal: Removal, parent: ParentDirectory): Promise<Removed | Refusal | "missing"> {
  const { root, place } = removal;
  const { kind } = await inspectEntry(root, parent);
  if (kind === "missing") return "missing";
  // The place was resolved to what a link leads to; a link there now is news.
  if (kind === "link" && place.link === "follow") return refuse("path-changed", { path: place.shown });
  if (!(await parent.directory.isSame())) return refuse("path-changed", { path: place.shown });
  if (kind === "directory") return removeTree(removal, parent);
  await root.disk.unlink(parent.child(parent.name));
  return { kind: kind === "file" || kind === "link" ? kind : "other", files: 1, directories: 0 };
}

async function removeTree(removal: Removal, parent: ParentDirectory): Promise<Removed | Refusal> {
  const { root, place, signal } = removal;
  if (!removal.recursive) return refuse("path-is-directory", { path: place.shown, operation: "delete" });
  const directory = await parent.directory.enter(parent.name);
  const count = { files: 0, directories: 1 };
  const patient = waitWithCancelling(signal);
  try {
    const guarded = await guardTree({ root, place, signal }, directory);
    if (guarded !== undefined) return guarded;
    signal.throwIfAborted();
    const refusal = await emptyDirectory({ root, place, signal: patient.signal, count }, directory);
    if (refusal !== undefined) return refusal;
    await root.disk.rmdir(parent.child(parent.name));
    return { kind: "directory", ...count };
  } catch (error) {
    return refuseSystemError(error, { place, operation: "delete", done: tellDone(count) });
  } finally {
    patient.end();
    await directory.close();
  }
}

/** A cancelled call is answered within a second, so a removal that can end before is not left half done. */
const FINISH_MS = 700;

/** A signal that follows another one only after a while. */
function waitWithCancelling(signal: AbortSignal): { signal: AbortSignal; end(): void } {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    timer = setTimeout(() => late.abort(signal.reason), FINISH_MS);
  };
  signal.addEventListener("abort", wait, { once: true });
  return {
    signal: late.signal,
    end() {
      signal.removeEventListener("abort", wait);
      clearTimeout(timer);
    },
  };
}

function tellDone(count: { files: number; directories: number }): string | undefined {
  const gone = count.files + count.directories - 1;
  return gone === 0
    ? undefined
    : `${gone} ${gone === 1 ? "entry" : "entries"} of it ${gone === 1 ? "was" : "were"} deleted`;
}

/** Removes all that is below a directory; `count` is right whatever happens. */
export async function emptyDirectory(
  request: {
    root: Root;
    place: Place;
    signal: AbortSignal;
    count: { files: number; directories: number };
  },
  directory: Directory,
): Promise<Refusal | undefined> {
  const { root, place, signal, count } = request;
  const judge = (name: Buffer, path: string): Refusal | undefined => {
    const by = protectorOfName(name);
    if (by === undefined) return undefined;
    const done = tellDone(count);
    const inside = `${place.shown}/${path}`;
    return refuse("path-protected", { path: place.shown, by, inside, ...(done && { done }) });
  };
  const visitor: TreeVisitor = {
    root,
    signal,
    before: (entry, path) => judge(entry.name, path),
    entry: async (within, entry, path) => {
      const refusal = judge(entry.name, path);
      if (refusal !== undefined) return refusal;
      await root.disk.unlink(within.child(entry.name));
      count.files += 1;
      return undefined;
    },
    leave: async (within, name) => {
      await root.disk.rmdir(within.child(name));
      count.directories += 1;
    },
  };
  return visitTree(visitor, directory);
}
