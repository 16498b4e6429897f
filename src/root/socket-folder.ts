/**
 * Owns the folder of one Unix socket of ours, and that of what only we write to.
 * Leaves listening to net/. Rule: the socket is alone in a folder that only the person can enter, outside of the root, in
 * a place that a confined command does not see, and short enough for a socket's address.
 */
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

export interface SocketFolder {
  /** Where the socket is to be made. Real path. */
  readonly socket: string;
  remove(): Promise<void>;
}

export async function makeSocketFolder(root: string): Promise<SocketFolder> {
  const folder = await realpath(await mkdtemp(join(placeUnseen(root), "haft-")));
  return {
    socket: join(folder, "screen"),
    remove: () => rm(folder, { recursive: true, force: true }).catch(() => {}),
  };
}

/** A folder of the system's for temporary files that a fence shows nobody. */
export function placeUnseen(root: string): string {
  const places = ["/tmp", "/var/tmp"];
  return places.find((place) => relative(root, place).startsWith("..")) ?? tmpdir();
}
