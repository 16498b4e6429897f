/**
 * Owns the flags that say which session is opened and where, the same for every command that opens one.
 * Leaves checking them to `openSession`, which names what is wrong. Rule: a flag is an option of `openSession` and no
 * more; the person's own rules come along.
 */
import { resolve } from "node:path";
import type { Command } from "commander";
import type { Approve, Mode } from "../../contract/decision.ts";
import { openSessionFor } from "../../session/open-session.ts";
import type { Session } from "../../session/session.ts";
import { TOOL_NAMES } from "../../tools/catalog.ts";
import type { CatalogTool } from "../../toolset/mount.ts";
import { readPersonRules, savePersonRule } from "../config/person-rules.ts";

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
    .option("--commitments", "give the tool commitments too: what the agent still owes, across sessions");
}

export interface OpenWith {
  readonly flags: SessionFlags;
  readonly root: string;
  /** Asks the person, where there is one to ask. */
  readonly approve?: Approve;
  /** The folder that paths among the flags are relative to. */
  readonly cwd: string;
}

/** Opens the session that the flags describe. A rule for from now on goes into the person's configuration. */
export function openWithFlags({ flags, root, approve, cwd }: OpenWith): Promise<Session> {
  const person = readPersonRules(root);
  const ledger =
    flags.ledger === undefined || flags.ledger === "memory" ? flags.ledger : resolve(cwd, flags.ledger);
  return openSessionFor(
    { flag: (rule) => `--allow ${quoteWord(rule)}` },
    {
      root,
      // Names and words as a person wrote them: `openSession` says which are wrong, with the nearest.
      tools: flags.tools as readonly CatalogTool["name"][] | undefined,
      prefix: flags.prefix ?? "",
      readOnly: flags.readOnly ?? false,
      mode: flags.mode as Mode | undefined,
      rules: {
        allow: [...person.allow, ...(flags.allow ?? [])],
        ask: [...person.ask, ...(flags.ask ?? [])],
        deny: [...person.deny, ...(flags.deny ?? [])],
      },
      ledger,
      stateDir: flags.stateDir === undefined ? undefined : resolve(cwd, flags.stateDir),
      commitments: flags.commitments === true ? { enabled: true } : false,
      approve,
      saveRule: (rule) => savePersonRule(root, rule),
    },
  );
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
