/**
 * Owns looking at the disk for a trace: one driver that waits, one that does not, and the same answers from both.
 * Leaves what follows from an answer to trace-path.ts. Rule: errors that a path explains are answers; the rest is thrown.
 */
import { lstatSync, readlinkSync } from "node:fs";
import type { Disk } from "../contract/disk.ts";
import { errorCode } from "./system-error.ts";
import { type Look, type Seen, type Traced, type TraceRequest, tracePath } from "./trace-path.ts";
import { findTwin } from "./twin.ts";

/** Follows a path on a root's disk. */
export async function traceLater(disk: Disk, request: TraceRequest): Promise<Traced> {
  const trace = tracePath(request);
  let step = trace.next();
  while (!step.done) step = trace.next(await lookLater(disk, step.value));
  return step.value;
}

/** Follows a path at once, for `under`. */
export function traceNow(request: TraceRequest): Traced {
  const trace = tracePath(request);
  let step = trace.next();
  while (!step.done) step = trace.next(lookNow(step.value));
  return step.value;
}

async function lookLater(disk: Disk, look: Look): Promise<Seen> {
  if (look.ask === "twin") return { kind: "twin", name: await findTwin(disk, look) };
  try {
    const stats = await disk.lstat(look.path);
    if (stats.isSymbolicLink()) return { kind: "link", target: await disk.readlink(look.path) };
    return { kind: stats.isDirectory() ? "directory" : "other" };
  } catch (error) {
    return seenError(error);
  }
}

function lookNow(look: Look): Seen {
  if (look.ask === "twin") return { kind: "twin", name: undefined };
  try {
    const stats = lstatSync(look.path);
    if (stats.isSymbolicLink())
      return { kind: "link", target: readlinkSync(look.path, { encoding: "buffer" }) };
    return { kind: stats.isDirectory() ? "directory" : "other" };
  } catch (error) {
    return seenError(error);
  }
}

function seenError(error: unknown): Seen {
  const code = errorCode(error);
  if (code === "ENOENT") return { kind: "missing" };
  if (code === "ENOTDIR") return { kind: "refused", code: "not-directory", error: code };
  if (code === "ELOOP") return { kind: "refused", code: "cycle", error: code };
  if (code === "ENAMETOOLONG") return { kind: "refused", code: "too-long", error: code };
  if (code === "EACCES" || code === "EPERM") return { kind: "refused", code: "denied", error: code };
  // A link a moment ago and none now: somebody exchanges it while we look.
  if (code === "EINVAL") return { kind: "refused", code: "changed", error: code };
  throw error;
}
