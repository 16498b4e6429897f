/**
 * Owns the flags that say which session is opened and where, the same for every command that opens one.
 * Leaves opening it to open-with-flags.ts, and checking them to `openSession`, which names what is wrong.
 * Rule: a flag is an option of `openSession` and no more. Loads nothing of a session: the server greets before it has one.
 */
import { type Command, InvalidArgumentError } from "commander";
import { TOOLS_OF_RULES } from "../../permission/tool-table.ts";

export interface SessionFlags {
  readonly root?: string;
  readonly tools?: readonly string[];
  readonly prefix?: string;
  readonly readOnly?: boolean;
  readonly mode?: string;
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  readonly ledger?: string;
  readonly stateDir?: string;
  readonly commitments?: boolean;
  readonly isolation?: string;
  readonly confine?: string;
}

export function addSessionFlags(command: Command, rootDefault: string): Command {
  return command
    .option("--root <dir>", `the directory that every path is relative to (default: ${rootDefault})`)
    .option("--tools <names>", `comma-separated names (default: ${TOOLS_OF_RULES.join(",")})`, splitNames)
    .option("--prefix <text>", "put before each tool's name")
    .option("--read-only", "give only the tools that change nothing")
    .option("--mode <mode>", "read-only, workspace-write or full-access (default: workspace-write)")
    .option("--allow <rule>", "allow what the rule covers: bash, 'runs(npm test)', 'writes(src/**)'", gather)
    .option("--ask <rule>", "ask a person first", gather)
    .option("--deny <rule>", "forbid it; a deny beats every other rule", gather)
    .option(
      "--ledger <file>",
      "where calls and results are kept, or memory (default: .haft/ledger.db)",
      readPath,
    )
    .option("--state-dir <dir>", "where state is kept instead of .haft in the root", readPath)
    .option("--isolation <where>", "where tools run: none, or worker, a process of their own (default: none)")
    .option("--confine <how>", "confine commands and the browser: off, prefer or require (default: off)")
    .option("--commitments", "give the tool commitments too: what the agent still owes, across sessions");
}

/** As a POSIX shell takes it for one word. */
export function quoteWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** An unset variable of a script: it would mean the working directory. */
export function readPath(value: string): string {
  if (value === "") throw new InvalidArgumentError("It is empty.");
  return value;
}

function gather(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

function splitNames(value: string): string[] {
  return value
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
