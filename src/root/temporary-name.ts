/**
 * Owns the names of temporary files, `.haft-<writer>-<random>.tmp`, and whether the writer of one is gone.
 * Leaves removing them to sweep.ts. Rule: the name says which process of which pid namespace of which boot wrote
 * it, so that a later mount can remove what a killed process left, and never what a living one is writing.
 */
import { createHash, randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";

/** `.haft-<pid>-<start>-<space>-<random>.tmp`, each part in base 36. */
const WRITER = /^\.haft-([a-z0-9]+)-([a-z0-9]+)-([a-z0-9]+)-[a-z0-9]+\.tmp$/;
/** `haft-<pid>-<start>-<space>-<random>`: a folder of session-folder.ts. */
const FOLDER = /^haft-([a-z0-9]+)-([a-z0-9]+)-([a-z0-9]+)-[A-Za-z0-9]{6}$/;

/**
 * Whether a name is one of ours; such entries are never listed anywhere, and swept. The whole pattern is asked for: a
 * person's own `.haft-abc.tmp` is an ordinary file.
 */
export function isTemporaryName(name: string | Buffer): boolean {
  return WRITER.test(typeof name === "string" ? name : name.toString("latin1"));
}

/** A fresh name, with this process in it. */
export function newTemporaryName(): string {
  const random = BigInt(`0x${randomBytes(10).toString("hex")}`).toString(36);
  return `.haft-${outside?.writer ?? nameWriter(process.pid)}-${random}.tmp`;
}

/** What names say of the process that writes them, while it runs. */
export function nameWriter(pid: number): string {
  return `${pid.toString(36)}-${startOf(pid) ?? "0"}-${pidSpace() ?? "0"}`;
}

export type WriterState = "alive" | "gone" | "unknown";

/** How a process with a pid namespace of its own is known outside of it, and whom it can ask about others. */
export interface OutsideWriter {
  readonly writer: string;
  readonly find: (name: string) => WriterState;
}

let outside: OutsideWriter | undefined;

/** From now on this process writes, and looks for writers, as those outside of its namespace do. */
export function writeAsOutside(as: OutsideWriter): void {
  outside = as;
}

/**
 * Whether the process that made a name still runs. `unknown` where this process cannot tell: another pid
 * namespace, another machine on a shared disk, a system without /proc.
 */
export function findWriter(name: string | Buffer): WriterState {
  const text = typeof name === "string" ? name : name.toString("latin1");
  if (outside !== undefined)
    return text.startsWith(`.haft-${outside.writer}-`) ? "alive" : outside.find(text);
  return judge(WRITER.exec(text));
}

/** The same of a folder that lasts as long as a session. */
export function findFolderMaker(name: string | Buffer): WriterState {
  return judge(FOLDER.exec(typeof name === "string" ? name : name.toString("latin1")));
}

function judge(match: RegExpExecArray | null): WriterState {
  const [, pid, start, space] = match ?? [];
  const here = pidSpace();
  if (pid === undefined || here === undefined || space !== here) return "unknown";
  // A pid is used again: only the start time tells the writer from its successor.
  return startOf(Number.parseInt(pid, 36)) === start ? "alive" : "gone";
}

/** When a process started, in clock ticks since boot, base 36. Field 22 of /proc/<pid>/stat; the name before it may hold blanks. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const field = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    return field === undefined ? undefined : BigInt(field).toString(36);
  } catch {
    return undefined;
  }
}

/** The pid namespace of this boot, short: the same number means another process elsewhere and after a restart. */
function pidSpace(): string | undefined {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    const hash = createHash("sha256")
      .update(`${boot} ${readlinkSync("/proc/self/ns/pid")}`)
      .digest("hex");
    return BigInt(`0x${hash.slice(0, 12)}`).toString(36);
  } catch {
    return undefined;
  }
}
