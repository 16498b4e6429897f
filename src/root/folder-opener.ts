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
  /** Lets go of the folder. */
  close(): void;
}

export function makeFolderOpener(disk: WalkDisk): FolderOpener {
  let held: HeldFolder | undefined;
  const close = () => {
    if (held !== undefined) disk.release(held);
    held = undefined;
  };
  return {
    open({ folder, name }) {
      if (held?.real !== folder) {
        close();
        const found = disk.holdFolder(folder);
        if ("error" in found) return found;
        held = found;
      }
      return disk.openWithin(held, name);
    },
    close,
  };
}

/** The place of the file at a real path. */
export function splitPlace(real: string): FilePlace {
  const end = real.lastIndexOf("/") + 1;
  return { folder: real.slice(0, end), name: real.slice(end) };
}
