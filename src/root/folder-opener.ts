/**
 * Owns opening the files of a search one after another, as a walk meets them: by their folder, which is held.
 * Leaves how a place is verified to walk-disk.ts. Rule: a folder is verified once when it is first held; from then on
 * what is opened lies in that very folder, whatever becomes of its path. That saves a call a file.
 */
import type { HeldFolder, WalkDisk } from "./walk-disk.ts";

/** A file by its folder's real path, with a final `/`, and its name: binary strings. */
export interface FilePlace {
  readonly folder: string;
  readonly name: string;
}

export interface FolderOpener {
  open(file: FilePlace): { readonly fd: number } | { readonly error: string };
  /** Lets go of the folders. */
  close(): void;
}

/** Folders held at once: the one that is searched and those above it, to which the order of paths comes back. */
const MOST_HELD = 16;

export function makeFolderOpener(disk: WalkDisk): FolderOpener {
  /** From the outermost to the innermost. */
  const held: HeldFolder[] = [];
  const letGo = (folder: HeldFolder | undefined) => {
    if (folder !== undefined) disk.release(folder);
  };
  /** The folder that is held, once those are let go that it does not lie in. */
  const find = (folder: string): HeldFolder | undefined => {
    for (let last = held.at(-1); last !== undefined; last = held.at(-1)) {
      if (last.real === folder) return last;
      if (folder.startsWith(last.real)) return undefined;
      letGo(held.pop());
    }
    return undefined;
  };
  return {
    open({ folder, name }) {
      let at = find(folder);
      if (at === undefined) {
        const found = disk.holdFolder(folder);
        if ("error" in found) return found;
        at = found;
        if (held.length >= MOST_HELD) letGo(held.shift());
        held.push(at);
      }
      return disk.openWithin(at, name);
    },
    close() {
      while (held.length > 0) letGo(held.pop());
    },
  };
}

/** The place of the file at a real path. */
export function splitPlace(real: string): FilePlace {
  const end = real.lastIndexOf("/") + 1;
  return { folder: real.slice(0, end), name: real.slice(end) };
}
