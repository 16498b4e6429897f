/**
 * Owns reading the beginnings of several files at once, so that the system holds them when their turn comes.
 * Leaves when that pays to whoever searches. Rule: what is read is thrown away, and what fails is told when the file is
 * opened to be searched; opened as there, through the folder that is held, never through a link.
 */
import { close, read } from "node:fs";
import { type FilePlace, makeFolderOpener } from "./folder-opener.ts";
import { walkDisk } from "./walk-disk.ts";

/** Enough for the system to read the rest of most files with it. */
const BYTES = 65_536;
/** Of no interest, so that all may share it. */
let waste: Buffer | undefined;

/** Gives how many bytes there were. Never rejects. */
export async function readBeginnings(files: readonly FilePlace[]): Promise<number> {
  const opener = makeFolderOpener(walkDisk);
  waste ??= Buffer.allocUnsafeSlow(BYTES);
  const into = waste;
  const reads: Promise<number>[] = [];
  for (const file of files) {
    const opened = opener.open(file);
    if ("error" in opened) continue;
    const { fd } = opened;
    reads.push(
      new Promise((resolve) => {
        read(fd, into, 0, BYTES, 0, (_error, count) => close(fd, () => resolve(count ?? 0)));
      }),
    );
  }
  opener.close();
  return (await Promise.all(reads)).reduce((sum, count) => sum + count, 0);
}
