/**
 * Owns the one line that a fault is told in. Leaves the sentence around it to phrase.ts.
 * Rule: failures of the machine in plain words and without paths, since the system's own message names temporary
 * files, and a content is the same for the same state.
 */
import { clipText } from "./show-value.ts";

const SYSTEM: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EIO: "the disk reported an input or output error",
  EMFILE: "this process has too many files open",
  ENFILE: "the system has too many files open",
  ENOMEM: "the system is out of memory",
  EROFS: "the file system is read-only",
  EACCES: "the system does not allow it",
  EPERM: "the system does not allow it",
  EBUSY: "the file is in use",
  ETXTBSY: "the file is a running program",
  ENOENT: "a file disappeared while the call ran",
  ESTALE: "the network file system lost the file",
  ETIMEDOUT: "the file system did not answer",
};

export function describeFault(error: unknown): string {
  const code = readCode(error);
  if (code !== undefined) return `${SYSTEM[code] ?? "the system refused"} (${code})`;
  const text = readMessage(error);
  return clipText(`an internal error (${text.split("\n", 1)[0]?.trim() ?? ""})`.toWellFormed(), 300);
}

/** Own tools may throw anything, things with getters that throw included. */
function readCode(error: unknown): string | undefined {
  try {
    const code = (error as { code?: unknown } | null | undefined)?.code;
    return typeof code === "string" && /^E[A-Z0-9]{2,20}$/.test(code) ? code : undefined;
  } catch {
    return undefined;
  }
}

function readMessage(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } catch {
    return "of a kind that cannot be shown";
  }
}
