/**
 * Owns opening the files of a search one after another, as a walk meets them: by their folder, which is held.
 * Leaves how a place is verified to walk-disk.ts. Rule: a folder is verified once when it is first held; from then on
 * what is opened lies in that very folder, whatever becomes of its path. That saves a call a file.
 */
import type { HeldFolder, WalkDisk } from "./walk-disk.ts";

export interface FolderOpener {
  /** Opens the file at a real path (binary string). */
  open(real: string): { readonly fd: number } | { readonly error: string };
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
    open(real) {
      const end = real.lastIndexOf("/") + 1;
      if (held === undefined || held.real.length !== end || !real.startsWith(held.real)) {
        close();
        const folder = disk.holdFolder(real.slice(0, end));
        if ("error" in folder) return folder;
        held = folder;
      }
      return disk.openWithin(held, real.slice(end));
    },
    close,
  };
}
