/**
 * Owns reading the processes of Linux from `/proc`.
 * Leaves what they mean to tree.ts. Rule: a process may be gone at any step; what cannot be read is absent, never a fault.
 */
import { closeSync, openSync, readdirSync, readlinkSync, readSync } from "node:fs";
import type { ProcessRow, ProcessTable } from "./process-table.ts";

/** More than any line of `stat` has; an environment or a command line is read in steps of it. */
const STEP_BYTES = 16_384;
/** The system bounds arguments and environment together by 2 MiB as it is set up. */
const MAX_BYTES = 2_097_152;

const step = Buffer.allocUnsafe(STEP_BYTES);

export const linuxTable: ProcessTable = {
  isCheap: true,
  lastPid() {
    const load = readText("/proc/loadavg");
    const last = Number(load.slice(load.lastIndexOf(" ") + 1));
    return Number.isInteger(last) && last > 0 ? last : undefined;
  },
  lookAt: (pid) => parseStat(readText(`/proc/${pid}/stat`)),
  list() {
    const rows: ProcessRow[] = [];
    for (const name of withDescriptor(() => readdirSync("/proc")) ?? []) {
      const first = name.charCodeAt(0);
      if (first < 48 || first > 57) continue;
      const row = parseStat(readText(`/proc/${name}/stat`));
      if (row !== undefined) rows.push(row);
    }
    return rows;
  },
  isThread: (pid) => !readText(`/proc/${pid}/status`).includes(`\nTgid:\t${pid}\n`),
  markOf(pid) {
    const environment = readText(`/proc/${pid}/environ`);
    if (environment === "") return undefined;
    return /(?:^|\0)HAFT_MARK=([^\0]*)/.exec(environment)?.[1] ?? "";
  },
  outputsOf: (pid) => [1, 2].map((fd) => readLink(`/proc/${pid}/fd/${fd}`)).filter((to) => to !== ""),
  wordsOf(pid) {
    const words = readText(`/proc/${pid}/cmdline`).split("\0");
    return words.at(-1) === "" ? words.slice(0, -1) : words;
  },
};

/** `pid (name) state parent group session …`, the start time as field 22. A name may hold spaces and parentheses. */
export function parseStat(stat: string): ProcessRow | undefined {
  const nameEnd = stat.lastIndexOf(")");
  if (nameEnd < 0) return undefined;
  const fields = stat.slice(nameEnd + 2).split(" ");
  const [state, parent, group, session] = fields;
  return {
    pid: Number.parseInt(stat, 10),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startedAt: Number(fields[19]),
    isZombie: state === "Z" || state === "X" || state === "x",
    isStopped: state === "T",
  };
}

function readText(path: string): string {
  return withDescriptor(() => readFile(path)) ?? "";
}

/** Kept for when there is no other left: who cannot look would take a command that runs for one that has ended. */
let spare: number | undefined;

/** Undefined where what is asked for is not there. */
function withDescriptor<T>(read: () => T): T | undefined {
  spare ??= openSpare();
  try {
    return read();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (spare === undefined || (code !== "EMFILE" && code !== "ENFILE")) return undefined;
  }
  closeSync(spare);
  spare = undefined;
  try {
    return read();
  } catch {
    return undefined;
  } finally {
    spare = openSpare();
  }
}

function openSpare(): number | undefined {
  try {
    return openSync("/dev/null", "r");
  } catch {
    return undefined;
  }
}

function readFile(path: string): string {
  const fd = openSync(path, "r");
  try {
    const read = readSync(fd, step, 0, STEP_BYTES, null);
    if (read < STEP_BYTES) return step.toString("utf8", 0, read);
    return readRest(fd, Buffer.from(step));
  } finally {
    closeSync(fd);
  }
}

function readRest(fd: number, first: Buffer): string {
  const parts = [first];
  for (let length = first.length; length < MAX_BYTES; ) {
    const read = readSync(fd, step, 0, STEP_BYTES, null);
    if (read === 0) break;
    parts.push(Buffer.from(step.subarray(0, read)));
    length += read;
  }
  return Buffer.concat(parts).toString("utf8");
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
