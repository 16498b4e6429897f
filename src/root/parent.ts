/**
 * Owns reaching an entry through its parent directory, held while the work is done; creating missing parents.
 * Leaves the entry to its callers, who never follow a link in the last component.
 * Rule: the parent that is worked in is the one that was resolved, or the call is refused (`path-changed`).
 */
import { basename, dirname } from "node:path";
import type { Place } from "../contract/access.ts";
import type { DiskPath } from "../contract/disk.ts";
import { isRefusal, type Refusal, refuse } from "../contract/refusal.ts";
import type { Root } from "../contract/root.ts";
import { isInside } from "./containment.ts";
import { type Directory, openDirectory } from "./directory.ts";
import { refuseMissing } from "./suggest.ts";
import { errorCode, refuseSystemError } from "./system-error.ts";

export interface ParentDirectory {
  /** The path under which an entry of the parent is reached. */
  child(name: string | Buffer): DiskPath;
  /** The last part of the place. */
  readonly name: string;
  readonly directory: Directory;
  /** Flushes the parent's entries to the device. */
  sync(): Promise<void>;
}

/** A directory that this call made, and the hold on it once it was entered. */
interface MadeDirectory {
  readonly within: Directory;
  readonly name: string;
  itself: Directory | undefined;
}

/** Runs `act` in the parent of a place. A parent that is missing is a missing path; one that was exchanged, a changed one. */
export async function withParent<T>(
  root: Root,
  place: Place,
  act: (parent: ParentDirectory) => Promise<T>,
): Promise<T | Refusal> {
  const fence = refuseUncontained(root, place);
  if (fence !== undefined) return fence;
  const opened = await openParent(root, place);
  if (isRefusal(opened)) return opened;
  if (opened === "missing") return refuseMissing(root, place);
  try {
    return await act(parentOf(opened, place));
  } finally {
    await opened.close();
  }
}

/** As `withParent`, but missing parents are created, and removed again where `act` refuses or throws. */
export async function withCreatedParent<T>(
  root: Root,
  place: Place,
  act: (parent: ParentDirectory) => Promise<T | Refusal>,
): Promise<T | Refusal> {
  const fence = refuseUncontained(root, place);
  if (fence !== undefined) return fence;
  const made: MadeDirectory[] = [];
  const held: Directory[] = [];
  let done = false;
  try {
    const parent = await createParents(root, place, { made, held });
    if (isRefusal(parent)) return parent;
    const result = await act(parentOf(parent, place));
    done = !isRefusal(result);
    return result;
  } finally {
    if (!done) await removeCreated(root, made);
    for (const directory of held) await directory.close();
  }
}

function parentOf(directory: Directory, place: Place): ParentDirectory {
  return {
    name: basename(place.real),
    directory,
    child: (name) => directory.child(name),
    sync: () => directory.sync(),
  };
}

/** A place is made by resolve.ts; one that claims to be inside and is not was forged, and is never worked on. */
function refuseUncontained(root: Root, place: Place): Refusal | undefined {
  if (!place.contained || isInside(root.path, place.real)) return undefined;
  return refuse("path-outside-root", { path: place.asked, why: "link" });
}

async function openParent(root: Root, place: Place): Promise<Directory | "missing" | Refusal> {
  try {
    const opened = await openDirectory(root.disk, dirname(place.real));
    return opened ?? refuse("path-changed", { path: place.shown });
  } catch (error) {
    if (errorCode(error) === "ENOENT") return "missing";
    return refuseSystemError(error, { place, operation: "open the directory of" });
  }
}

/** Opens the nearest parent that exists and makes the rest below it, each through the descriptor of the one above. */
async function createParents(
  root: Root,
  place: Place,
  log: { made: MadeDirectory[]; held: Directory[] },
): Promise<Directory | Refusal> {
  const toMake: string[] = [];
  for (let path = dirname(place.real); ; path = dirname(path)) {
    try {
      const nearest = await openDirectory(root.disk, path);
      if (nearest === undefined) return refuse("path-changed", { path: place.shown });
      log.held.push(nearest);
      return await makeBelow(root, { nearest, names: toMake.reverse() }, log);
    } catch (error) {
      const vanished = log.held.length > 0 || path === root.path || path === dirname(path);
      if (errorCode(error) !== "ENOENT" || vanished) {
        return refuseSystemError(error, { place, operation: "create the directory of" });
      }
      toMake.push(basename(path));
    }
  }
}

async function makeBelow(
  root: Root,
  from: { nearest: Directory; names: readonly string[] },
  log: { made: MadeDirectory[]; held: Directory[] },
): Promise<Directory> {
  let at = from.nearest;
  for (const name of from.names) {
    const made: MadeDirectory = { within: at, name, itself: undefined };
    try {
      await root.disk.mkdir(at.child(name));
      log.made.push(made);
    } catch (error) {
      // Made by somebody else meanwhile: entering it below still refuses a link.
      if (errorCode(error) !== "EEXIST") throw error;
    }
    at = await at.enter(name);
    made.itself = at;
    log.held.push(at);
  }
  return at;
}

/** Takes back the directories of a call that failed; one that is used by now, or no longer ours, stays. */
async function removeCreated(root: Root, made: readonly MadeDirectory[]): Promise<void> {
  for (const directory of made.toReversed()) {
    try {
      if (await isStillOurs(root, directory)) await root.disk.rmdir(directory.within.child(directory.name));
    } catch {
      // The error that brought us here is the one to tell.
    }
  }
}

/** Another process may have put a directory of its own under the name; it is not ours to take away. */
async function isStillOurs(root: Root, made: MadeDirectory): Promise<boolean> {
  if (made.itself === undefined) return true;
  const ours = await root.disk.lstat(made.itself.child("."));
  const now = await root.disk.lstat(made.within.child(made.name));
  return ours.dev === now.dev && ours.ino === now.ino;
}
