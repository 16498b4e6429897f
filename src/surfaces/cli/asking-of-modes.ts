/**
 * Owns what a model is told of a tool whose every call is asked about, where nobody can be asked.
 * Leaves deciding to permission/.
 */
import type { Mode } from "../../contract/decision.ts";
import { judgeByMode } from "../../permission/tool-table.ts";

/** Bare names of the tools that a mode may ask about. */
export const ASKED_TOOLS = ["bash", "webfetch", "browse"] as const;
export type AskedTool = (typeof ASKED_TOOLS)[number];

export function tellAsking(bare: AskedTool): string {
  return `A person must allow each call, and this client cannot ask one: the server takes --allow ${bare}, or a narrower rule, which a denial names, or --mode full-access.`;
}

/** By their mounted names; where no rule speaks, the mode alone decides. */
export function listAskedByMode(
  mode: Mode,
  nameOf: (bare: AskedTool) => string | undefined,
): ReadonlyMap<string, string> {
  const asking = new Map<string, string>();
  for (const bare of ASKED_TOOLS) {
    const name = nameOf(bare);
    if (name !== undefined && judgeByMode(mode, bare) === "ask") asking.set(name, tellAsking(bare));
  }
  return asking;
}
