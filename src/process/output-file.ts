/**
 * Owns keeping what a program prints until it has ended: in a file without a name.
 * Leaves starting it to spawn-program.ts. Rule: nothing of it is left, however the host ends.
 *
 * A file rather than a pipe: a pipe holds 64 KiB, and a host that is busy for milliseconds at a time lets the program
 * wait for as long (3 MB of names took ripgrep 1.5 s instead of 0.7 s beside a walk in slices of 6 ms).
 */
import { randomUUID } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** More than the names of a million files. */
const MAX_OUTPUT = 268_435_456;

export interface OutputFile {
  readonly fd: number;
  /** What has been printed, cut at a bound. */
  read(): Buffer;
  close(): void;
}

/** An error where there is no room for temporary files: no program is worth a failure then. */
export function openOutputFile(): OutputFile | { readonly error: string } {
  const path = join(tmpdir(), `haft-${randomUUID()}`);
  let fd: number;
  try {
    // Made here and only here: `x` refuses what another user may have put in its place.
    fd = openSync(path, "wx+", 0o600);
    unlinkSync(path);
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
  return {
    fd,
    read() {
      const bytes = Buffer.alloc(Math.min(fstatSync(fd).size, MAX_OUTPUT));
      let length = 0;
      for (let read = -1; read !== 0 && length < bytes.length; length += read)
        read = readSync(fd, bytes, length, bytes.length - length, length);
      return bytes.subarray(0, length);
    },
    close: () => closeSync(fd),
  };
}
