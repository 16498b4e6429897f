/**
 * Owns the file of a ledger before SQLite has it: that it is a file, ours, and closed to others.
 * Leaves what is in it to open-database.ts. Rule: looked at by name and never opened here, but to make it where it is
 * missing. SQLite's locks belong to the process, and closing any descriptor of the file drops those of every other
 * connection in it (https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_).
 *
 * The attack: a repository that brings `.haft/ledger.db`, or a file that SQLite keeps beside it, as a link to a file
 * of the person's, which would then be written. Between this look and SQLite's opening of the same name, whoever may
 * write to the directory as this user can still exchange it; nobody else can.
 */
import { chmodSync, closeSync, constants, lstatSync, openSync, type Stats, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { LedgerError } from "./ledger-error.ts";

const OPEN_TO_OTHERS = 0o077;
const OWNER_WRITES = 0o200;
/** Kept by SQLite beside the database, and opened by name like it. */
const COMPANIONS = ["-wal", "-shm", "-journal"];

export interface LedgerFile {
  readonly size: number;
  /** Bytes of what was written and may not be copied into the file yet. */
  readonly logSize: number;
}

export interface FileRequest {
  /** Makes a missing one, empty. */
  readonly create: boolean;
  /** Whether the directory must not be a link either: `.haft`, which a repository can bring. */
  readonly inState: boolean;
}

/** Makes sure of the file, and says how large it is. */
export function settleLedgerFile(path: string, { create, inState }: FileRequest): LedgerFile {
  if (inState && look(dirname(path))?.isSymbolicLink())
    throw new LedgerError({
      code: "not-a-file",
      what: `${dirname(path)} is a symbolic link, and haft keeps its state behind none`,
      wayOut: "remove it, or name another path with the option ledger",
    });
  const [log] = COMPANIONS.map((companion) => inspect(path + companion));
  const there = inspect(path);
  if (there !== undefined) {
    // SQLite would open it all the same, and fail at the first call.
    if (process.platform !== "win32" && process.geteuid?.() !== 0 && (there.mode & OWNER_WRITES) === 0)
      throw unusable(path, Object.assign(new Error("read-only"), { code: "read-only" }));
    return { size: there.size, logSize: log?.size ?? 0 };
  }
  if (!create)
    throw new LedgerError({
      code: "missing",
      what: `there is no ledger at ${path}`,
      wayOut: "a session makes one; name another path where it is elsewhere",
    });
  make(path);
  return { size: look(path)?.size ?? 0, logSize: log?.size ?? 0 };
}

function inspect(path: string): Stats | undefined {
  const stats = look(path);
  checkKind(path, stats);
  return stats;
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw unusable(path, error);
  }
}

function checkKind(path: string, stats: Stats | undefined): void {
  if (stats === undefined) return;
  const wayOut = "remove it, or name another path with the option ledger";
  if (stats.isSymbolicLink())
    throw new LedgerError({
      code: "not-a-file",
      what: `${path} is a symbolic link, and the ledger is written through none`,
      wayOut,
    });
  if (!stats.isFile())
    throw new LedgerError({ code: "not-a-file", what: `${path} is no file, so no ledger`, wayOut });
  const us = process.geteuid?.();
  if (us !== undefined && stats.uid !== us)
    throw new LedgerError({
      code: "not-a-file",
      what: `${path} belongs to another user (uid ${stats.uid}, this is uid ${us})`,
      wayOut,
    });
}

/**
 * What tools showed is in it: nobody else's to read. Only once the file is known to be a ledger: whoever names another
 * file by mistake finds its mode as it was. SQLite gives what it makes beside it later the same mode.
 */
export function closeToOthers(path: string): void {
  if (process.platform === "win32") return;
  for (const one of [path, ...COMPANIONS.map((companion) => path + companion)]) {
    const there = inspect(one);
    if (there === undefined || (there.mode & OPEN_TO_OTHERS) === 0) continue;
    try {
      chmodSync(one, 0o600);
    } catch (error) {
      // Another process has just put the log away.
      if (one === path) throw unusable(path, error);
    }
  }
}

/** Made by another process in this very moment is as good. */
function make(path: string): void {
  const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW = 0 } = constants;
  try {
    closeSync(openSync(path, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw unusable(path, error);
    inspect(path);
  }
}

/** What to say where there is no room; undefined where there is, or where that cannot be told. */
export function tellFullDisk(path: string): Pick<LedgerError, "code" | "what" | "wayOut"> | undefined {
  try {
    const { bavail, files, ffree } = statfsSync(dirname(path));
    const full = { code: "full", wayOut: "make room there" } as const;
    // A few pages are room for nothing: SQLite makes files of several beside the database.
    if (bavail <= LEAST_BLOCKS) return { ...full, what: "has no room left on its disk" };
    // File systems that do not count files say none of none.
    if (files > 0 && ffree === 0) return { ...full, what: "has no room left on its disk for one more file" };
  } catch {
    // It is not there any more, or may not be looked at: that is another story.
  }
  return undefined;
}

const LEAST_BLOCKS = 8;
const FULL = new Set(["ENOSPC", "EDQUOT"]);

function unusable(path: string, error: unknown): LedgerError {
  const { code = "error", message } = error as NodeJS.ErrnoException;
  if (FULL.has(code))
    return new LedgerError({
      code: "full",
      what: `the ledger ${path} has no room left on its disk (${code})`,
      wayOut: "make room there, or name another path with the option ledger",
      cause: error,
    });
  return new LedgerError({
    code: "unwritable",
    what: `the ledger ${path} cannot be opened for writing (${code === "error" ? message : code})`,
    wayOut:
      'make it and its directory writable, name another path with the option ledger, or keep it in memory with ledger: "memory"',
    cause: error,
  });
}

/**
 * Whether the file is still the one that is there now. SQLite goes on writing into a file that has no name, and all of
 * that is gone when it closes: a command that clears the tree (`git clean -fdx`) must not make a session forget without
 * a word. Always true for a ledger in memory.
 */
export function watchPlace(path: string | undefined): () => boolean {
  if (path === undefined) return () => true;
  const opened = identify(path);
  return () => identify(path) === opened;
}

function identify(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`;
}
