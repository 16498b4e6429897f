/**
 * Owns reading a project's `haft.config.json`. Leaves what it may do to narrow.ts.
 * Rule: it is a stranger's file. Only a regular file in the root itself, never through a link, bounded before it is
 * read; what is hashed is what is parsed. What is no regular file is nobody's configuration and is ignored, with the
 * reason; a regular one that cannot be read as a whole may have been meant to deny something, and stops.
 */
import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { join } from "node:path";
import { parseStrictJson } from "./parse-json.ts";
import { PROJECT_FILE } from "./places.ts";
import { showSafely } from "./show-safely.ts";

/** A configuration of a hundred rules has some 5,000 bytes. */
const MAX_BYTES = 65_536;

export type ProjectFile =
  | { readonly kind: "none" }
  /** `why` is a phrase: `it is a link`. */
  | { readonly kind: "ignored"; readonly why: string }
  /** A regular file that says nothing that can be followed. `why` as above. */
  | { readonly kind: "broken"; readonly why: string }
  | { readonly kind: "read"; readonly hash: string; readonly value: Readonly<Record<string, unknown>> };

export function readProjectFile(root: string): ProjectFile {
  let bytes: Uint8Array | undefined;
  try {
    bytes = readBounded(join(realpathSync(root), PROJECT_FILE));
  } catch (error) {
    // Without the root itself there is no file of it to be ignored; whoever opens the root says so.
    if (isWithoutFolder(error)) return { kind: "none" };
    return { kind: error instanceof NoFile ? "ignored" : "broken", why: showSafely(messageOf(error)) };
  }
  if (bytes === undefined) return { kind: "none" };
  try {
    const value = parseStrictJson(bytes);
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return { kind: "broken", why: "it is not a JSON object" };
    const hash = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
    return { kind: "read", hash, value: value as Readonly<Record<string, unknown>> };
  } catch (error) {
    return { kind: "broken", why: showSafely(messageOf(error)) };
  }
}

/** Undefined where nothing is there. Throws a phrase of what is wrong. */
function readBounded(path: string): Uint8Array | undefined {
  const seen = lstatSync(path, { throwIfNoEntry: false });
  if (seen === undefined) return undefined;
  checkKind(seen);
  // A link or a FIFO that is put there now is not followed, and does not keep us waiting.
  const handle = openSync(
    path,
    constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
  );
  try {
    checkKind(fstatSync(handle));
    const buffer = new Uint8Array(MAX_BYTES + 1);
    let length = 0;
    for (let count = 1; count > 0 && length < buffer.length; length += count)
      count = readSync(handle, buffer, length, buffer.length - length, null);
    if (length > MAX_BYTES) throw new Error(TOO_LARGE);
    return buffer.subarray(0, length);
  } finally {
    closeSync(handle);
  }
}

function isWithoutFolder(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOENT" || code === "ENOTDIR";
}

const TOO_LARGE = `it has more than ${MAX_BYTES} bytes`;

/** What lies there is no regular file. */
class NoFile extends Error {}

function checkKind(stats: Stats): void {
  if (stats.isSymbolicLink()) throw new NoFile("it is a link");
  if (!stats.isFile()) throw new NoFile("it is not a regular file");
  if (stats.size > MAX_BYTES) throw new Error(TOO_LARGE);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
