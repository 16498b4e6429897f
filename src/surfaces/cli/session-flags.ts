/**
 * Owns the flags that say which session is opened and where, the same for every command that opens one.
 * Leaves checking them to `openSession`, which names what is wrong. Rule: a flag is an option of `openSession` and no
 * more; the person's own rules come along.
 */
import { resolve } from "node:path";
import type { Command } from "commander";
import type { Approve, Mode } from "../../contract/decision.ts";
import { DEFAULT_LIMITS } from "../../contract/limits.ts";
import { openSessionFor, SESSION_LIMITS } from "../../session/open-session.ts";
import type { Session } from "../../session/session.ts";
import type { SessionOptions } from "../../session/session-options.ts";
import { TOOL_NAMES } from "../../tools/catalog.ts";
import type { Confine } from "../../toolset/later-options.ts";
import type { CatalogTool } from "../../toolset/mount.ts";
import { configure } from "../config/configure.ts";
import { savePersonRule } from "../config/person-rules.ts";
import type { Settings } from "../config/schema.ts";

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
    .option("--tools <names>", `comma-separated names (default: ${TOOL_NAMES.join(",")})`, splitNames)
    .option("--prefix <text>", "put before each tool's name")
    .option("--read-only", "give only the tools that change nothing")
    .option("--mode <mode>", "read-only, workspace-write or full-access (default: workspace-write)")
    .option("--allow <rule>", "allow what the rule covers: bash, 'runs(npm test)', 'writes(src/**)'", gather)
    .option("--ask <rule>", "ask a person first", gather)
    .option("--deny <rule>", "forbid it; a deny beats every other rule", gather)
    .option("--ledger <file>", "where calls and results are kept, or memory (default: .haft/ledger.db)")
    .option("--state-dir <dir>", "where state is kept instead of .haft in the root")
    .option("--isolation <where>", "where tools run: none, or worker, a process of their own (default: none)")
    .option("--confine <how>", "confine commands: off, prefer or require (default: off)")
    .option("--commitments", "give the tool commitments too: what the agent still owes, across sessions");
}

export interface OpenWith {
  readonly flags: SessionFlags;
  readonly root: string;
  /** Asks the person, where there is one to ask. */
  readonly approve?: Approve;
  /** The folder that paths among the flags are relative to. */
  readonly cwd: string;
  /** One line for the person: what of the project's configuration is not in force. */
  readonly warn?: (text: string) => void;
}

/** Opens the session that the flags and the configurations describe. A rule for from now on goes into the person's. */
export async function openWithFlags({
  flags,
  root,
  approve,
  cwd,
  warn = warnPerson,
}: OpenWith): Promise<Session> {
  const { settings, projectAsks, notes } = configure({ root, flags: readFlags(flags, cwd), limits: LIMITS });
  for (const note of notes) warn(note);
  const { commitments, prefix = "", ...options } = settings;
  return openSessionFor(
    { flag: (rule) => `--allow ${quoteWord(rule)}`, narrowingAsks: projectAsks },
    {
      // Names and words as a person wrote them: `openSession` says which are wrong, with the nearest.
      ...(options as Omit<SessionOptions<CatalogTool["name"]>, "root">),
      root,
      prefix,
      commitments: commitments === true ? { enabled: true } : false,
      approve,
      saveRule: (rule) => savePersonRule(root, rule),
    },
  );
}

export const LIMITS = { ...DEFAULT_LIMITS, ...SESSION_LIMITS };

export function warnPerson(text: string): void {
  process.stderr.write(`haft: ${text}\n`);
}

/** The flags as settings; words that are none among them are left for `openSession` to refuse. */
function readFlags(flags: SessionFlags, cwd: string): Settings {
  const { allow, ask, deny, ledger, stateDir, root: _root, ...others } = flags;
  const { mode, tools, prefix, readOnly, commitments, isolation, confine } = others;
  return {
    mode: mode as Mode | undefined,
    tools: tools as string[] | undefined,
    prefix,
    readOnly,
    commitments,
    isolation: isolation as Settings["isolation"],
    confine: confine as Confine | undefined,
    rules: { allow: copy(allow), ask: copy(ask), deny: copy(deny) },
    ledger: ledger === undefined || ledger === "memory" ? ledger : resolve(cwd, ledger),
    stateDir: stateDir === undefined ? undefined : resolve(cwd, stateDir),
  };
}

function copy(words: readonly string[] | undefined): string[] | undefined {
  return words === undefined ? undefined : [...words];
}

/** As a POSIX shell takes it for one word. */
export function quoteWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
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
