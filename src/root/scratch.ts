/**
 * Owns where the commands of an agent keep what is temporary: `scratch/<agentId>` in the state, with `tmp` and `cache`.
 * Leaves when it is made to the callers, the rest of the environment to process/. Rule: made when the first command
 * runs; `tmp` is emptied at the end without following a link, caches stay. What commands left under the names of
 * `tmp` and `cache` (a link to elsewhere) is taken away itself and made anew.
 */
import { lstatSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Root } from "../contract/root.ts";
import { type Directory, openDirectory } from "./directory.ts";
import { emptyScratch } from "./scratch-emptying.ts";
import { scratchVariables } from "./scratch-variables.ts";
import { makeSessionFolder } from "./session-folder.ts";
import { type StateRequest, withStateDirectory } from "./state-directory.ts";
import {
  enterOwnDirectory,
  explainError,
  isStateError,
  type StateError,
  settleOwnFile,
} from "./state-directory-entry.ts";
import { errorCode } from "./system-error.ts";
import { findWriter, isTemporaryName, newTemporaryName } from "./temporary-name.ts";

export interface Scratch {
  /** `.haft/scratch/<agentId>`, absolute. */
  readonly path: string;
  /** What a command's environment says of temporary files and caches. */
  readonly variables: Readonly<Record<string, string>>;
  /**
   * Whether its folder for temporary files is still there: `git clean -fdx` in the root takes the whole state away.
   * Waited for, as it is asked before each command: to hand the question to another thread takes fifty times as long.
   */
  isThere(): boolean;
  /** Empties what is temporary, keeps caches. Never rejects: what cannot be removed stays. */
  dispose(): Promise<void>;
}

export interface ScratchRequest extends StateRequest {
  /** Leaves the person's own caches in use; only temporary files are kept apart. */
  readonly sharedCaches: boolean;
}

const AGENT_ID = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Bytes of the address of a Unix socket (`sun_path`, its final NUL included): 104 on macOS and the BSDs, 108 on Linux.
 */
const SOCKET_PATH_BYTES = process.platform === "linux" ? 108 : 104;
/** What programs put below TMPDIR for their sockets; the longest in common use is .NET's `dotnet-diagnostic-<pid>-<start>-socket`. */
const SOCKET_NAME_BYTES = 44;

/** Whether an agent's id may be the name of a directory. */
export function isAgentId(id: string): boolean {
  return AGENT_ID.test(id);
}

/** Makes the scratch of this root's agent, or says what stands in the way. */
export async function openScratch(request: ScratchRequest): Promise<Scratch | StateError> {
  const { agentId } = request.root;
  if (!isAgentId(agentId)) return { error: "an agent id has 1 to 64 letters, digits, _ and -" };
  return withStateDirectory(request, (state, path) =>
    within({ root: request.root, above: state, path }, "scratch", (scratches) =>
      within(scratches, agentId, (own) => settle(request, own)),
    ),
  );
}

interface Held {
  readonly root: Root;
  readonly above: Directory;
  /** Of `above`. */
  readonly path: string;
}

async function within<T extends object>(
  { root, above, path }: Held,
  name: string,
  act: (held: Held) => Promise<T | StateError>,
): Promise<T | StateError> {
  const shown = join(path, name);
  const entered = await enterOwnDirectory({ disk: root.disk, within: above, name, shown });
  if (isStateError(entered)) return entered;
  try {
    return await act({ root, above: entered, path: shown });
  } finally {
    await entered.close();
  }
}

async function settle(request: ScratchRequest, own: Held): Promise<Scratch | StateError> {
  for (const name of ["tmp", "cache"]) {
    const made = await makeAnew(own, name);
    if (isStateError(made)) return made;
    await made.close();
  }
  const { root } = request;
  const mark = newTemporaryName();
  const marked = await settleOwnFile({
    disk: root.disk,
    within: own.above,
    name: mark,
    shown: join(own.path, mark),
  });
  if (marked !== undefined) return marked;
  const tmp = join(own.path, "tmp");
  const isTooLong = Buffer.byteLength(tmp) + 1 + SOCKET_NAME_BYTES + 1 > SOCKET_PATH_BYTES;
  try {
    const temporary = isTooLong ? await makeSessionFolder() : tmp;
    return {
      path: own.path,
      variables: scratchVariables({
        tmp: temporary,
        cache: join(own.path, "cache"),
        sharedCaches: request.sharedCaches,
      }),
      isThere: () => isDirectory(tmp) && (!isTooLong || isDirectory(temporary)),
      dispose: async () => {
        await leave({ root, path: own.path, mark });
        if (temporary !== tmp) await removeAt(root, temporary);
      },
    };
  } catch (error) {
    return explainError({ shown: tmpdir() }, error);
  }
}

function isDirectory(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

/** A directory whose name a command may have given to something else: a link or a file there goes, itself. */
async function makeAnew({ root, above, path }: Held, name: string): Promise<Directory | StateError> {
  const entry = { disk: root.disk, within: above, name, shown: join(path, name) };
  try {
    const there = await root.disk.lstat(above.child(name));
    if (!there.isDirectory()) await root.disk.unlink(above.child(name));
  } catch (error) {
    if (errorCode(error) !== "ENOENT") return explainError(entry, error);
  }
  return enterOwnDirectory(entry);
}

/** Another session of the same agent may be at work in `tmp`: the last one that leaves empties it. */
async function leave({ root, path, mark }: { root: Root; path: string; mark: string }): Promise<void> {
  let own: Directory | undefined;
  try {
    own = await openDirectory(root.disk, path);
    if (own === undefined) return;
    await root.disk.unlink(own.child(mark));
    const names = (await root.disk.readdir(own.self)).map((entry) => entry.name.toString("latin1"));
    const isShared = names.some((name) => isTemporaryName(name) && findWriter(name) !== "gone");
    if (!isShared) await emptyScratch(root.disk, own, "tmp");
  } catch {
    // Gone, exchanged for a link, or held by something that still runs: nothing of ours is lost with it.
  } finally {
    await own?.close();
  }
}

async function removeAt({ disk }: Root, path: string): Promise<void> {
  let parent: Directory | undefined;
  try {
    parent = await openDirectory(disk, dirname(path));
    if (parent === undefined) return;
    const name = basename(path);
    await emptyScratch(disk, parent, name);
    await disk.rmdir(parent.child(name));
  } catch {
    // As above.
  } finally {
    await parent?.close();
  }
}
