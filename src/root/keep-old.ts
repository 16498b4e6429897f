/**
 * Owns reading what is about to be deleted or replaced, so that it can be kept.
 * Leaves keeping to the port that is given. Rule: read through descriptors, never through a link; what is too large,
 * too much or not readable is counted and not kept, and stops nobody; what the keeper throws stops the change.
 */
import type { Place } from "../contract/access.ts";
import type { DiskPath } from "../contract/disk.ts";
import { isRefusal } from "../contract/refusal.ts";
import type { Root } from "../contract/root.ts";
import { closeQuietly, type Directory } from "./directory.ts";
import { OPEN } from "./disk.ts";
import { withParent } from "./parent.ts";
import { errorCode } from "./system-error.ts";
import { visitTree } from "./visit-tree.ts";

export interface OldKeeping {
  readonly root: Root;
  readonly place: Place;
  readonly signal: AbortSignal;
  /** Whether a directory goes with all that is in it; without, it is not looked into. */
  readonly recursive: boolean;
  readonly keep: (file: string, bytes: Uint8Array) => void;
}

/** Of one file: larger ones are data, and would make what is kept larger than the tree. */
const MOST_BYTES_A_FILE = 10_485_760;
/** Of one call. A tree beyond this is mostly what was built or installed, and is made again rather than brought back. */
const MOST_FILES = 1_000;
const MOST_BYTES = 67_108_864;

interface Keeping extends OldKeeping {
  files: number;
  bytes: number;
  missed: number;
}

/** Keeps a file, or all files of a tree. Gives how many were not kept. */
export async function keepOldFiles(request: OldKeeping): Promise<number> {
  const keeping: Keeping = { ...request, files: 0, bytes: 0, missed: 0 };
  const { root, place, signal } = request;
  const done = await withParent(root, place, async ({ directory, name }) => {
    if (!(await isDirectory(root, directory.child(name)))) {
      await keepFile(keeping, directory.child(name), place.real);
      return;
    }
    if (!request.recursive) return;
    const tree = await directory.enter(name);
    try {
      const entry = async (within: Directory, { name: inner }: { name: Buffer }, path: string) => {
        await keepFile(keeping, within.child(inner), `${place.real}/${path}`);
        return undefined;
      };
      await visitTree({ root, signal, entry }, tree);
    } finally {
      await tree.close();
    }
  }).catch((error: unknown) => {
    // What the system does not let us see, the change itself will meet and tell.
    if (errorCode(error) === "") throw error;
  });
  return isRefusal(done) ? 0 : keeping.missed;
}

async function isDirectory(root: Root, path: DiskPath): Promise<boolean> {
  return (await root.disk.lstat(path)).isDirectory();
}

async function keepFile(keeping: Keeping, path: DiskPath, real: string): Promise<void> {
  const bytes = await readSmall(keeping, path);
  if (bytes === "none") return;
  if (bytes === "missed") {
    keeping.missed += 1;
    return;
  }
  keeping.files += 1;
  keeping.bytes += bytes.length;
  keeping.keep(real, bytes);
}

/** `none`: a link, a socket and the like have no bytes of their own. */
async function readSmall(
  { root, files, bytes }: Keeping,
  path: DiskPath,
): Promise<Buffer | "missed" | "none"> {
  const { disk } = root;
  try {
    if (!(await disk.lstat(path)).isFile()) return "none";
    if (files >= MOST_FILES) return "missed";
    const handle = await disk.open(path, OPEN.read | OPEN.noFollow | OPEN.nonBlock);
    try {
      const { size } = await handle.stat();
      if (size > BigInt(Math.min(MOST_BYTES_A_FILE, MOST_BYTES - bytes))) return "missed";
      return await handle.read(0, Number(size));
    } finally {
      await closeQuietly(handle);
    }
  } catch (error) {
    if (errorCode(error) === "") throw error;
    return "missed";
  }
}
