/**
 * Owns gathering, before a call that walks, the hidden names of files that have other names, too.
 * Leaves hiding to withhold.ts, a file that is named to meet.ts. Rule: once a call, and only for rules that name a
 * folder: for those that float over the whole tree (`**\/.env`), every walk would cost a second one.
 */
import { isRefusal } from "../contract/refusal.ts";
import type { Root } from "../contract/root.ts";
import { inspect } from "../root/inspect.ts";
import { gatherLinkedNames, type LinkedNames } from "../root/other-names.ts";
import type { PreparedCall } from "../toolset/mounted.ts";
import type { Effect } from "./effect.ts";
import { hitsEffect, namesEffect, type Rule, type RuleLists } from "./rule.ts";

export interface WalkingCall {
  readonly root: Root;
  readonly lists: RuleLists;
  readonly prepared: PreparedCall;
  readonly tools: readonly string[];
  readonly answered: readonly Rule[];
  readonly signal: AbortSignal;
}

export async function gatherLinksOfWalks(call: WalkingCall): Promise<LinkedNames> {
  const { root, signal, tools, answered } = call;
  const read = (path: string): Effect => ({ kind: "reads", path });
  const rules = [...call.lists.deny, ...call.lists.ask].filter(
    (rule) => namesFolder(rule) && namesEffect(rule, tools, read(".")) && !answered.includes(rule),
  );
  if (rules.length === 0 || !(await walks(call))) return new Map();
  return gatherLinkedNames({
    root,
    signal,
    mayEnter: (folder) => rules.some(({ pattern }) => pattern?.path?.mayHitBelow(folder) === true),
    isMeant: (path) => rules.some((rule) => hitsEffect(rule, read(path))),
  });
}

/** A folder of a name that nobody gives: what may hit something below it may do so below any. */
const ANY_FOLDER = "\u{10FFFF}";

function namesFolder({ pattern }: Rule): boolean {
  return pattern?.path !== undefined && !pattern.path.mayHitBelow(ANY_FOLDER);
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
