/**
 * Owns finding the sockets that programs of this machine listen on, by their names in the file system.
 * Leaves closing them to the fence. Rule: the system's own list, because a folder that is read-only does not stop
 * anybody from connecting: whoever reaches the docker daemon, an ssh agent or a display is out of the fence.
 */
import { lstatSync, readFileSync } from "node:fs";

/** A machine with more has them in folders that are covered anyway. */
const MAX_SOCKETS = 1_000;

export function listHostSockets(): string[] {
  let table: string;
  try {
    table = readFileSync("/proc/net/unix", "utf8");
  } catch {
    return [];
  }
  // `Num RefCount Protocol Flags Type St Inode Path`; one that has no name in the file system begins with @.
  const named = table.split("\n").flatMap((line) => /^(?:\S+\s+){7}(\/.*)$/.exec(line)?.[1] ?? []);
  return [...new Set(named)].filter(isSocket).slice(0, MAX_SOCKETS);
}

function isSocket(path: string): boolean {
  try {
    return lstatSync(path).isSocket();
  } catch {
    return false;
  }
}
