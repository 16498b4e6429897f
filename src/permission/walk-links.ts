/**
 * Owns gathering, before a call that walks, the hidden names of files that have other names, too.
 * Leaves hiding to withhold.ts, a file that is named to meet.ts. Rule: once a call, and only for rules that name a
 * folder: for those that float over the whole tree (`**\/.env`), every walk would cost a second one.
 */
import { isRefusal } from "../contract/refusal.ts";
import type { Root } from "../contract/root.ts";
import { inspect } from "../root/inspect.ts";
import type { LedName } from "../root/led-names.ts";
import type { PreparedCall } from "../toolset/mounted.ts";
import type { Effect } from "./effect.ts";
import { namesEffect, type Rule, type RuleLists } from "./rule.ts";
import { type SearchedNames, searchNames } from "./search-names.ts";

export interface WalkingCall {
  readonly root: Root;
  readonly lists: RuleLists;
  readonly prepared: PreparedCall;
  readonly tools: readonly string[];
  readonly answered: readonly Rule[];
  readonly led: readonly LedName[];
  readonly maxEntries?: number | undefined;
  readonly signal: AbortSignal;
}

export async function gatherLinksOfWalks(call: WalkingCall): Promise<SearchedNames> {
  const { root, signal, tools, answered, led, maxEntries } = call;
  const read: Effect = { kind: "reads", path: "." };
  const rules = [...call.lists.deny, ...call.lists.ask].filter(
    (rule) =>
      rule.pattern?.path?.floats === false && namesEffect(rule, tools, read) && !answered.includes(rule),
  );
  if (rules.length === 0 || !(await walks(call))) return { names: new Map(), open: [] };
  return searchNames({ root, signal, rules, led, maxEntries });
}

async function walks({ root, prepared: { access, places } }: WalkingCall): Promise<boolean> {
  for (const { argument, effect } of access.paths) {
    const place = places.get(argument);
    if (place === undefined || effect !== "reads") continue;
    const state = await inspect(root, place);
    if (!isRefusal(state) && state.kind === "directory") return true;
  }
  return false;
}
