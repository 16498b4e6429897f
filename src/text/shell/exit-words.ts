/**
 * Owns the words for how a command ended, and what well-known programs mean by a status.
 * Leaves finding out which program it was to parse-shell.ts. Rule: a closed, small table; a meaning is only told where
 * no other program can have given the status.
 */
import { basename } from "node:path/posix";
import type { Exit } from "../../contract/shell.ts";
import type { ParsedShell } from "./parsed-shell.ts";

const NO_MATCH = { 1: "no match" };
const DIFFERS = { 1: "the files differ" };
const IS_FALSE = { 1: "false" };

/** What statuses of these programs mean, failures that they explain themselves left out. */
const MEANINGS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  grep: NO_MATCH,
  egrep: NO_MATCH,
  fgrep: NO_MATCH,
  zgrep: NO_MATCH,
  rg: NO_MATCH,
  ag: NO_MATCH,
  ack: NO_MATCH,
  pgrep: { 1: "no process matches" },
  diff: DIFFERS,
  cmp: DIFFERS,
  test: IS_FALSE,
  "[": IS_FALSE,
  "[[": IS_FALSE,
  "((": { 1: "the value is 0" },
  expr: { 1: "the result is empty or 0" },
  which: { 1: "not found" },
  command: { 1: "not found" },
  timeout: { 124: "its time was over" },
  curl: {
    6: "the host's name has no address",
    7: "no connection",
    22: "HTTP error",
    28: "its time was over",
    60: "the certificate is not trusted",
  },
  pytest: { 5: "no tests were found" },
};

/** The signals of these numbers are the same on all systems that have bash. */
const SIGNALS: Readonly<Record<number, string>> = {
  129: "SIGHUP",
  130: "SIGINT",
  131: "SIGQUIT",
  132: "SIGILL",
  134: "SIGABRT",
  136: "SIGFPE",
  137: "SIGKILL",
  139: "SIGSEGV",
  141: "SIGPIPE",
  142: "SIGALRM",
  143: "SIGTERM",
};

/** These say on standard error why they fail. */
const EXPLAINS_ITSELF = new Set(["cd", "pushd", "popd", "mkdir", "echo", "printf", "export", "true", ":"]);

/** `exit code 3`, `killed by SIGKILL`. */
export function describeExit(exit: Exit): string {
  switch (exit.kind) {
    case "exited":
      return `exit code ${exit.code}`;
    case "signalled":
      return `killed by ${exit.signal}`;
    case "timed-out":
      return `timed out after ${exit.afterMs} ms`;
    case "lost":
      return `lost: the process that ran it ${exit.why}`;
    default:
      return exit.kind;
  }
}

export interface StatusQuestion {
  readonly code: number;
  readonly parsed: Pick<ParsedShell, "deciders">;
  readonly errors: string;
}

/** What to put in brackets behind a status: `grep: no match`, `killed by SIGTERM`; undefined where that is not sure. */
export function explainStatus({ code, parsed, errors }: StatusQuestion): string | undefined {
  const signal = SIGNALS[code];
  if (signal !== undefined) return `killed by ${signal}`;
  if (code === 127) return /not found|No such file/i.test(errors) ? "command not found" : undefined;
  if (code === 126)
    return /denied|cannot execute|is a directory/i.test(errors) ? "cannot be executed" : undefined;
  const last = parsed.deciders.at(-1);
  if (last === undefined || !parsed.deciders.every((name) => name === last || EXPLAINS_ITSELF.has(name)))
    return undefined;
  // A command before it that failed has said so.
  if (parsed.deciders.some((name) => name !== last) && errors !== "") return undefined;
  const meaning = meaningOf(last, code);
  return meaning === undefined ? undefined : `${basename(last)}: ${meaning}`;
}

/** The stages before the last one that failed: `grep exit code 1 (no match)`. That nobody reads on is no failure. */
export function describeStages(
  stages: readonly number[],
  parsed: Pick<ParsedShell, "lastPipeline">,
): string[] {
  const names = parsed.lastPipeline.length === stages.length ? parsed.lastPipeline : [];
  return stages.slice(0, -1).flatMap((code, index) => {
    if (code === 0 || SIGNALS[code] === "SIGPIPE") return [];
    const name = names[index];
    const meaning = SIGNALS[code] === undefined ? meaningOf(name ?? "", code) : `killed by ${SIGNALS[code]}`;
    return [
      `${name || `stage ${index + 1}`} exit code ${code}${meaning === undefined ? "" : ` (${meaning})`}`,
    ];
  });
}

function meaningOf(name: string, code: number): string | undefined {
  const base = basename(name);
  return Object.hasOwn(MEANINGS, base) ? MEANINGS[base]?.[code] : undefined;
}
