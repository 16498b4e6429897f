/**
 * Owns what walks leave out: paths that a rule about reading hides.
 * Leaves walking and counting to root/walk.ts. Rule: a walk that begins above a path is no way around a rule about
 * it. What asks hides as well, for nobody was asked about it; a path that a person has answered for is shown in that
 * call, and wherever an answer holds from now on.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Root } from "../contract/root.ts";
import { isInside, showBelow } from "../root/containment.ts";
import { findCover } from "./cover.ts";
import type { Effect } from "./effect.ts";
import { hitsEffect, namesEffect, type Rule, type RuleLists } from "./rule.ts";

/** The call in which a walk is asked about: rules may name its tool, and a person may have answered for it. */
export interface RunningCall {
  readonly tools: readonly string[];
  readonly answered: readonly Rule[];
}

export type RunningCalls = AsyncLocalStorage<RunningCall>;

export function trackCalls(): RunningCalls {
  return new AsyncLocalStorage();
}

export function makeWithholds(
  root: Pick<Root, "path">,
  of: { readonly lists: () => RuleLists; readonly running: RunningCalls },
): (realPath: string) => string | undefined {
  const { deny, ask } = of.lists();
  const hiding = [...deny, ...ask].filter(({ pattern }) => pattern?.path !== undefined);
  if (hiding.length === 0) return () => undefined;
  return (realPath) => {
    const { tools, answered } = of.running.getStore() ?? NO_CALL;
    const path = isInside(root.path, realPath) ? showBelow(root.path, realPath) : realPath;
    const effect: Effect = { kind: "reads", path };
    const rule = hiding.find(
      (one) => namesEffect(one, tools, effect) && !answered.includes(one) && hitsEffect(one, effect),
    );
    if (rule === undefined || rule.list === "deny") return rule?.text;
    const granted = findCover(of.lists().granted, { tool: tools[0] ?? "", effects: [effect] });
    return granted === undefined ? rule.text : undefined;
  };
}

const NO_CALL: RunningCall = { tools: [], answered: [] };
