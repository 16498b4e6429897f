/**
 * Owns a folder of ours for one purpose, that no confined command sees: a browser's profile, and the socket of a proxy.
 * Leaves what is made in it to its callers. Rule: new, outside of the root, in a place that every fence covers, open to the
 * person alone, and short enough for a socket's address; the socket has a folder of its own in it.
 */
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { makeSessionFolder } from "./session-folder.ts";

export interface PrivateFolder {
  /** Real path. */
  readonly path: string;
  /** Where a socket is to be made, alone in a folder of it. */
  readonly socket: string;
  remove(): Promise<void>;
}

export async function makePrivateFolder(root: string): Promise<PrivateFolder> {
  const path = await makeSessionFolder(findUnseen(root));
  await mkdir(join(path, "screen"), { mode: 0o700 });
  return {
    path,
    socket: join(path, "screen", "socket"),
    remove: () => rm(path, { recursive: true, force: true }).catch(() => {}),
  };
}

/** What fences cover, and is not the workspace. */
function findUnseen(root: string): string {
  return ["/tmp", "/var/tmp"].find((place) => relative(root, place).startsWith("..")) ?? tmpdir();
}
