/**
 * Owns opening the session that the flags and the configurations describe.
 * Leaves the flags to session-flags.ts, merging to surfaces/config. Rule: the person's own rules come along.
 */
import { resolve } from "node:path";
import type { Approve, Mode } from "../../contract/decision.ts";
import { DEFAULT_LIMITS } from "../../contract/limits.ts";
import { openSessionFor, SESSION_LIMITS } from "../../session/open-session.ts";
import type { Session } from "../../session/session.ts";
import type { SessionOptions } from "../../session/session-options.ts";
import type { Confine } from "../../toolset/later-options.ts";
import type { CatalogTool } from "../../toolset/mount.ts";
import { type Configured, configure } from "../config/configure.ts";
import { savePersonRule } from "../config/person-rules.ts";
import type { Settings } from "../config/schema.ts";
import { quoteWord, type SessionFlags } from "./session-flags.ts";

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
export async function openWithFlags(of: OpenWith): Promise<Session> {
  return openConfigured(configureWithFlags(of), of);
}

/** What holds for a session in this root, before one is opened. */
export function configureWithFlags({ flags, root, cwd, warn = warnPerson }: OpenWith): Configured {
  const configured = configure({ root, flags: readFlags(flags, cwd), limits: LIMITS });
  for (const note of configured.notes) warn(note);
  return configured;
}

export async function openConfigured(
  { settings, projectAsks }: Configured,
  { root, approve }: Pick<OpenWith, "root" | "approve">,
): Promise<Session> {
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
