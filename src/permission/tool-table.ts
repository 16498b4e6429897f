/**
 * Owns the table of modes: what each allows, asks and denies, by the bare names of tools.
 * Leaves rules to judge.ts. Rule: what is not in the table is a tool that nobody here knows, and what it says of itself
 * in its annotations decides nothing.
 */
import type { Mode } from "../contract/decision.ts";
import type { EffectKind } from "./effect.ts";

export const EFFECT_KINDS = ["reads", "writes", "connects", "runs"] as const satisfies readonly EffectKind[];

type Row = Readonly<Record<Mode, "allow" | "ask" | "deny">>;

const READS: Row = { "read-only": "allow", "workspace-write": "allow", "full-access": "allow" };
const CHANGES: Row = { "read-only": "deny", "workspace-write": "allow", "full-access": "allow" };
const FETCHES: Row = { "read-only": "ask", "workspace-write": "ask", "full-access": "allow" };
const ELSE: Row = { "read-only": "deny", "workspace-write": "ask", "full-access": "allow" };

const ROWS: Readonly<Record<string, Row>> = {
  read: READS,
  list: READS,
  glob: READS,
  grep: READS,
  edit: CHANGES,
  write: CHANGES,
  delete: CHANGES,
  move: CHANGES,
  bash: ELSE,
  /** They only reach what the session itself has started. */
  jobs: CHANGES,
  webfetch: FETCHES,
  browse: FETCHES,
  recall: READS,
  commitments: READS,
};

/** What the calls of a tool may do; a tool that is not here may do anything. */
export const EFFECTS_OF: Readonly<Record<string, readonly EffectKind[]>> = {
  read: ["reads"],
  list: ["reads"],
  glob: ["reads"],
  grep: ["reads"],
  edit: ["writes"],
  write: ["writes"],
  delete: ["writes"],
  move: ["writes"],
  bash: ["runs"],
  jobs: [],
  webfetch: ["connects"],
  browse: ["connects"],
  recall: [],
  commitments: [],
};

export const TOOLS_OF_RULES: readonly string[] = Object.keys(ROWS);

export function judgeByMode(mode: Mode, tool: string): "allow" | "ask" | "deny" {
  return (Object.hasOwn(ROWS, tool) ? (ROWS[tool] ?? ELSE) : ELSE)[mode];
}
