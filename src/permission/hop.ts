/**
 * Owns whether a call that was let through may connect to one more host: a redirect, a request of a page.
 * Leaves addresses to the network screen. Rule: what denies holds for every hop; what asks holds unless a person has
 * answered for the call; and where a rule let the call through, a hop to a host that no rule allows is refused.
 */
import type { Decision } from "../contract/decision.ts";
import { findCover } from "./cover.ts";
import type { Effect } from "./effect.ts";
import { readHost, showHost } from "./host-pattern.ts";
import { hitsEffect, nameRule, namesEffect, type RuleLists } from "./rule.ts";

/** One hop of a connection that a call makes; the first is the host of the call itself. */
export interface Hop {
  /** Bare name of the tool. */
  readonly tool: string;
  readonly host: string;
  readonly port: number;
  /** What was decided about the call. */
  readonly decision: Pick<Decision, "by">;
}

/** Why a hop is refused; undefined where it may be made. */
export function refuseHop({ tool, host, port, decision }: Hop, lists: RuleLists): string | undefined {
  const bare = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  const target = `${bare}:${port}`;
  const read = readHost(target);
  const effect: Effect = { kind: "connects", target, host: read };
  const shown = read === undefined ? target : showHost(read);
  const standing = decision.by === "approver" ? lists.deny : [...lists.deny, ...lists.ask];
  const met = standing.find((rule) => namesEffect(rule, [tool], effect) && hitsEffect(rule, effect));
  const covered = findCover([...lists.granted, ...lists.allow], { tool, effects: [effect] }) !== undefined;
  if (met?.list === "deny") return `the rule ${nameRule(met)} forbids ${shown}`;
  if (met !== undefined && findCover(lists.granted, { tool, effects: [effect] }) === undefined)
    return `the rule ${nameRule(met)} asks for ${shown} first`;
  return decision.by === "rule" && !covered ? `no rule allows ${shown}` : undefined;
}
