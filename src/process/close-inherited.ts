/**
 * Owns letting go of the descriptors that a process was born with, the standard ones and its own channel apart.
 * Leaves when to the worker's entry: first of all. Rule: only what is inherited further is closed. The attack, or the
 * accident: the host was started with a pipe or a secret on a further descriptor, and each command could read it, or
 * held the pipe open long after the host's end.
 */
import { closeSync, readdirSync, readFileSync } from "node:fs";

const OWN = "/proc/self/fdinfo";
const CLOSED_ON_EXEC = 0o2_000_000;

/** Linux tells of each descriptor whether a further program would get it; elsewhere nothing is known and nothing done. */
export function closeInherited({ upTo }: { readonly upTo: number }): void {
  if (process.platform !== "linux") return;
  for (const name of listDescriptors()) {
    const fd = Number(name);
    if (fd > upTo && isInherited(name)) closeQuietly(fd);
  }
}

function listDescriptors(): string[] {
  try {
    return readdirSync(OWN);
  } catch {
    return [];
  }
}

/** `flags:	0100000`, in octal. */
function isInherited(name: string): boolean {
  try {
    const flags = /^flags:\s+([0-7]+)$/m.exec(readFileSync(`${OWN}/${name}`, "latin1"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) === 0;
  } catch {
    return false;
  }
}

function closeQuietly(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // The listing's own, by now.
  }
}
