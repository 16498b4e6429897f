/**
 * Owns reading the beginnings of several files at once, so that the system holds them when their turn comes.
 * Leaves when that pays to whoever searches. Rule: what is read is thrown away, and what fails is told when the file is
 * opened to be searched; opened as there, through the folder that is held, never through a link.
 */
import { read } from "node:fs";
import { type FilePlace, makeFolderOpener } from "./folder-opener.ts";
import { walkDisk } from "./walk-disk.ts";

/** Enough for the system to read the rest of most files with it. */
const BYTES = 65_536;
/** Of no interest, so that all may share it. */
let waste: Buffer | undefined;

export interface Beginnings {
  /** Starts reading these. */
  add(files: readonly FilePlace[]): void;
  /** Resolves once all are read, with how many bytes there were. Never rejects. */
  finish(): Promise<number>;
}

export function readBeginnings(): Beginnings {
  const opener = makeFolderOpener(walkDisk);
  waste ??= Buffer.allocUnsafeSlow(BYTES);
  const into = waste;
  const reads: Promise<number>[] = [];
  return {
    add(files) {
      for (const file of files) {
        const opened = opener.open(file);
        if (!("error" in opened)) reads.push(readBeginning(opened.fd, into));
      }
    },
    async finish() {
      opener.close();
      return (await Promise.all(reads)).reduce((sum, count) => sum + count, 0);
    },
  };
}

function readBeginning(fd: number, into: Buffer): Promise<number> {
  return new Promise((resolve) => {
    read(fd, into, 0, BYTES, 0, (_error, count) => {
      // What was read is closed in no time; asking for it in the pool would take as long as the read.
      walkDisk.close(fd);
      resolve(count ?? 0);
    });
  });
}
