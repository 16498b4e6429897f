/**
 * Owns a disk that fails on demand: its Nth call, handles included, ends with the error that is asked for.
 * Rule: a call that fails does nothing, but for closing, which a system does even where it reports an error.
 */
import type { Disk, DiskHandle } from "../../src/contract/disk.ts";
import { nodeDisk } from "../../src/root/disk.ts";

export interface FaultyDisk {
  readonly disk: Disk;
  /** Calls so far. */
  calls(): number;
  /** What failed: `open`, `handle.write`. */
  failed(): string | undefined;
}

/** Fails call number `failAt` (from 1) with `code`, and no other. */
export function makeFaultyDisk(failAt: number, code: string, real: Disk = nodeDisk): FaultyDisk {
  let calls = 0;
  let failed: string | undefined;
  const count = (name: string) => {
    calls += 1;
    if (calls !== failAt) return;
    failed = name;
    throw Object.assign(new Error(`${code}: injected into ${name}`), { code });
  };
  const wrap =
    <A extends unknown[], R>(name: string, act: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      count(name);
      return act(...args);
    };
  const handleOf = (handle: DiskHandle): DiskHandle => ({
    fd: handle.fd,
    read: wrap("handle.read", handle.read),
    write: wrap("handle.write", handle.write),
    stat: wrap("handle.stat", handle.stat),
    chmod: wrap("handle.chmod", handle.chmod),
    chown: wrap("handle.chown", handle.chown),
    sync: wrap("handle.sync", handle.sync),
    close: async () => {
      await handle.close();
      count("handle.close");
    },
  });
  const disk: Disk = {
    open: async (...args) => {
      count("open");
      return handleOf(await real.open(...args));
    },
    lstat: wrap("lstat", real.lstat),
    stat: wrap("stat", real.stat),
    readdir: wrap("readdir", real.readdir),
    readlink: wrap("readlink", real.readlink),
    realpath: wrap("realpath", real.realpath),
    mkdir: wrap("mkdir", real.mkdir),
    rmdir: wrap("rmdir", real.rmdir),
    unlink: wrap("unlink", real.unlink),
    rename: wrap("rename", real.rename),
    entries: async function* (path) {
      count("entries");
      yield* real.entries(path);
    },
    renameUnless: async (ends, object) => {
      count("renameUnless");
      return real.renameUnless(ends, object);
    },
    symlink: wrap("symlink", real.symlink),
    access: wrap("access", real.access),
    utimes: wrap("utimes", real.utimes),
    lutimes: wrap("lutimes", real.lutimes),
    lchown: wrap("lchown", real.lchown),
  };
  return { disk, calls: () => calls, failed: () => failed };
}

/** A disk on which only temporary files can be renamed: every move has to copy. */
export const acrossDisk: Disk = {
  ...nodeDisk,
  rename: async (from, to) => {
    if (!String(from).split("/").at(-1)?.startsWith(".haft-")) {
      throw Object.assign(new Error("EXDEV: injected"), { code: "EXDEV" });
    }
    await nodeDisk.rename(from, to);
  },
};
