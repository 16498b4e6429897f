/**
 * Owns where haft keeps its state for a root: `.haft`, or the directory that the option `stateDir` names.
 * Leaves what is in it to the ledger and to scratch.ts. Rule: a real directory, ours, closed to others, with a
 * `.gitignore` of `*`; whatever else stands there is refused with the way out, and nothing is written through it.
 *
 * Between this look and the moment in which SQLite opens its file by its path, a window remains: whoever may write
 * in the root as this very user can exchange the directory. Nobody else can.
 */
import { mkdir, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Root } from "../contract/root.ts";
import { isInside } from "./containment.ts";
import { type Directory, openDirectory } from "./directory.ts";
import { OPEN } from "./disk.ts";
import { protectorOfName } from "./protect.ts";
import {
  enterOwnDirectory,
  explainError,
  isStateError,
  judgeNames,
  judgeOwn,
  type StateError,
  settleOwnFile,
} from "./state-directory-entry.ts";
import { splitPath } from "./trace-path.ts";

export interface StateDirectory {
  /** Absolute, links on the way to it resolved. */
  readonly path: string;
  /** The path of a file in it; nothing is looked at. */
  file(name: string): string;
  /** The path of a file in it that is ours alone, made empty where it is missing: what opens it next makes none of its own. */
  prepareFile(name: string): Promise<string | StateError>;
}

export interface StateRequest {
  readonly root: Root;
  /** Where the state is kept instead of `.haft`; relative to the root. Made where it is missing. */
  readonly stateDir?: string | undefined;
}

/** Kept by SQLite beside a database: they are opened by name, like it. */
const COMPANIONS = ["-wal", "-shm", "-journal"];
const IGNORE_ALL = "*\n";
const WAY_OUT = "or name another place with the option stateDir";

/** Opens the state of a root, or says what stands in the way. */
export async function openStateDirectory(request: StateRequest): Promise<StateDirectory | StateError> {
  return withStateDirectory(request, async (_directory, path) => ({
    path,
    file: (name) => join(path, name),
    prepareFile: (name) => prepareFile(request, name),
  }));
}

/** Runs `act` while the state's directory is held: what was judged is what is worked in. */
export async function withStateDirectory<T extends object>(
  request: StateRequest,
  act: (directory: Directory, path: string) => Promise<T | StateError>,
): Promise<T | StateError> {
  const done = await enterState(request, act);
  return isStateError(done)
    ? { error: done.error.endsWith(WAY_OUT) ? done.error : `${done.error}, ${WAY_OUT}` }
    : done;
}

async function enterState<T extends object>(
  { root, stateDir }: StateRequest,
  act: (directory: Directory, path: string) => Promise<T | StateError>,
): Promise<T | StateError> {
  const where = await locateState(root, stateDir);
  if (isStateError(where)) return where;
  const { parent, name } = where;
  const shown = join(parent, name);
  let above: Directory | undefined;
  try {
    above = await openDirectory(root.disk, parent);
    if (above === undefined) return { error: `${parent} changed while it was opened: try again` };
    const foreign = stateDir === undefined ? undefined : await judgeGiven({ root, above, name, shown });
    if (foreign !== undefined) return foreign;
    const entered = await enterOwnDirectory({ disk: root.disk, within: above, name, shown });
    if (isStateError(entered)) return entered;
    try {
      return (await ignoreAll(root, entered, shown)) ?? (await act(entered, shown));
    } finally {
      await entered.close();
    }
  } catch (error) {
    return explainError({ shown }, error);
  } finally {
    await above?.close();
  }
}

async function locateState(
  root: Root,
  stateDir: string | undefined,
): Promise<{ readonly parent: string; readonly name: string } | StateError> {
  if (stateDir === undefined) return { parent: root.path, name: ".haft" };
  const given = resolve(root.path, stateDir);
  try {
    await mkdir(dirname(given), { recursive: true });
    const parent = await realpath(dirname(given));
    const path = join(parent, basename(given));
    const below = isInside(root.path, path) && path !== root.path;
    // The guards of every change know the state by the name `.haft`.
    const guarded =
      below && splitPath(path.slice(root.path.length)).some((name) => protectorOfName(name) === "haft");
    if (isInside(path, root.path) || (below && !guarded))
      return {
        error: `${path} is no place for state: inside the root only .haft is kept from the tools. Name a directory outside of the root`,
      };
    return { parent, name: basename(given) };
  } catch (error) {
    return explainError({ shown: dirname(given) }, error);
  }
}

/** A directory that a person named and that holds other things is not taken over: it would be closed and ignored. */
async function judgeGiven(at: {
  root: Root;
  above: Directory;
  name: string;
  shown: string;
}): Promise<StateError | undefined> {
  const { root, above, name, shown } = at;
  const there = await judgeOwn({ disk: root.disk, within: above, name, shown }, "directory");
  if (there === undefined || isStateError(there)) return there;
  const held = await above.enter(name);
  try {
    const entries = await root.disk.readdir(held.self);
    const isOurs = entries.length === 0 || (await readIgnore(root, held)) === "*";
    return isOurs
      ? undefined
      : { error: `${shown} holds other things already: name one that is empty or new` };
  } finally {
    await held.close();
  }
}

async function readIgnore({ disk }: Root, within: Directory): Promise<string | undefined> {
  try {
    const handle = await disk.open(within.child(".gitignore"), OPEN.read | OPEN.noFollow | OPEN.nonBlock);
    const present = await handle.read(0, 64).finally(() => handle.close());
    return present.toString("latin1").trim();
  } catch {
    // Missing, a link, a directory: in any case not the file that haft makes.
    return undefined;
  }
}

/** The state is no part of the project, whatever a `.gitignore` that came with it says. */
async function ignoreAll(root: Root, within: Directory, path: string): Promise<StateError | undefined> {
  const entry = { disk: root.disk, within, name: ".gitignore", shown: join(path, ".gitignore") };
  const bytes = Buffer.from(IGNORE_ALL);
  const wrong = await settleOwnFile(entry, bytes);
  if (wrong !== undefined) return wrong;
  if ((await readIgnore(root, within)) === "*") return undefined;
  // Taken away and made anew: another name of that very file keeps its bytes.
  await root.disk.unlink(within.child(entry.name));
  return settleOwnFile(entry, bytes);
}

async function prepareFile(request: StateRequest, name: string): Promise<string | StateError> {
  const { disk } = request.root;
  const prepared = await withStateDirectory(request, async (within, path) => {
    for (const one of ["", ...COMPANIONS].map((ending) => name + ending)) {
      const entry = { disk, within, name: one, shown: join(path, one) };
      const there = await judgeOwn(entry, "file");
      if (there === undefined) continue;
      const wrong = isStateError(there) ? there : judgeNames(entry, there);
      if (wrong !== undefined) return wrong;
    }
    const shown = join(path, name);
    return (await settleOwnFile({ disk, within, name, shown })) ?? { shown };
  });
  return isStateError(prepared) ? prepared : prepared.shown;
}
