/**
 * Owns emptying a directory of temporary files. Leaves which one to scratch.ts.
 * Rule: through descriptors, so that no link is ever walked through, whatever a process that was left running
 * exchanges meanwhile; what cannot be removed is left and the rest goes on.
 */
import type { Disk } from "../contract/disk.ts";
import { closeQuietly, type Directory } from "./directory.ts";
import { OPEN } from "./disk.ts";
import { errorCode } from "./system-error.ts";

/** Deeper than any path of the system's can name: what nests deeper is left. */
const MAX_DEPTH = 2_048;

/** Removes all that is in the directory of this name; the directory stays. Rejects where there is none. */
export async function emptyScratch(disk: Disk, within: Directory, name: string | Buffer): Promise<void> {
  await emptyBelow({ disk, depth: 0 }, within, name);
}

async function emptyBelow(
  at: { readonly disk: Disk; readonly depth: number },
  within: Directory,
  name: string | Buffer,
): Promise<void> {
  if (at.depth > MAX_DEPTH) return;
  const directory = await within.enter(name);
  try {
    for await (const entry of at.disk.entries(await makeReadable(at.disk, directory))) {
      try {
        if (!entry.isDirectory()) await at.disk.unlink(directory.child(entry.name));
        else {
          await emptyBelow({ disk: at.disk, depth: at.depth + 1 }, directory, entry.name);
          await at.disk.rmdir(directory.child(entry.name));
        }
      } catch {
        // One entry that resists keeps itself, and the directories above it.
      }
    }
  } finally {
    await directory.close();
  }
}

/** A tool may have made its directories read-only (module caches are): they are ours, so that can be taken back. */
async function makeReadable(disk: Disk, directory: Directory): Promise<string | Buffer> {
  const path = directory.child(".");
  const { mode } = await disk.lstat(path);
  if ((mode & 0o700n) === 0o700n) return path;
  try {
    const handle = await disk.open(path, OPEN.read | OPEN.directory);
    await handle.chmod(0o700).finally(() => closeQuietly(handle));
  } catch (error) {
    if (errorCode(error) === "") throw error;
  }
  return path;
}
