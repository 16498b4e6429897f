/**
 * Owns folders outside of the root that last as long as a session, and removing those that a killed host has left.
 * Leaves what is kept in them to the callers, who remove them at the end. Rule: the name says which process made one. Only
 * what is this person's own and whose maker is known to be gone is removed; no link is followed.
 */
import { mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Directory, openDirectory } from "./directory.ts";
import { nodeDisk } from "./disk.ts";
import { emptyScratch } from "./scratch-emptying.ts";
import { findFolderMaker, nameWriter } from "./temporary-name.ts";

/** Where they are made, and what is made elsewhere where the root is one of these. */
const PLACES = ["/tmp", "/var/tmp"];
/** Entries that one look for them takes: in a folder with more, what is left stays for longer. */
const MAX_LOOKED_AT = 20_000;

/** Its real path. */
export async function makeSessionFolder(place: string = tmpdir()): Promise<string> {
  return realpath(await mkdtemp(join(place, `haft-${nameWriter(process.pid)}-`)));
}

/** Ends quietly where it is cancelled, or something cannot be removed. */
export async function sweepSessionFolders(options: {
  readonly signal: AbortSignal;
  readonly places?: readonly string[];
}): Promise<void> {
  const { signal, places = [...new Set([tmpdir(), ...PLACES])] } = options;
  for (const place of places) {
    if (signal.aborted) return;
    const within = await openDirectory(nodeDisk, place).catch(() => undefined);
    await sweepPlace(within, signal)
      .catch(() => {})
      .finally(() => within?.close());
  }
}

async function sweepPlace(within: Directory | undefined, signal: AbortSignal): Promise<void> {
  if (within === undefined) return;
  let lookedAt = 0;
  for await (const { name } of nodeDisk.entries(within.self)) {
    if (signal.aborted || ++lookedAt > MAX_LOOKED_AT) return;
    if (findFolderMaker(name) === "gone") await removeOwn(within, name).catch(() => {});
  }
}

async function removeOwn(within: Directory, name: string | Buffer): Promise<void> {
  const path = within.child(name);
  const { uid } = await nodeDisk.lstat(path);
  // Of others it is not known whether they are gone, where the system hides their processes.
  if (process.getuid === undefined || uid !== BigInt(process.getuid())) return;
  await emptyScratch(nodeDisk, within, name);
  await nodeDisk.rmdir(path);
}
