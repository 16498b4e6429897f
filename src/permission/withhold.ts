/**
 * Owns what walks leave out: paths that a rule about reading hides.
 * Leaves walking and counting to root/walk.ts. Rule: a walk that begins above a path is no way around a rule about
 * it. What asks hides as well, for nobody was asked about it; a path that a person has answered for is shown in that
 * call, and wherever an answer holds from now on.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Rules } from "../contract/decision.ts";
import type { Root } from "../contract/root.ts";
import { isInside, showBelow } from "../root/containment.ts";
import { identifyNow, type LinkedNames } from "../root/other-names.ts";
import type { WithheldRules } from "../worker/run-tool.ts";
import { findCover } from "./cover.ts";
import type { Effect } from "./effect.ts";
import { hitsEffect, namesEffect, parseRule, type Rule, type RuleLists } from "./rule.ts";

/** The call in which a walk is asked about: rules may name its tool, and a person may have answered for it. */
export interface RunningCall {
  readonly tools: readonly string[];
  readonly answered: readonly Rule[];
  /** Hidden names of files that have other names, too: those are no way around a rule either. */
  readonly linked: LinkedNames;
}

export type RunningCalls = AsyncLocalStorage<RunningCall>;

export function trackCalls(): RunningCalls {
  return new AsyncLocalStorage();
}

export function makeWithholds(
  root: Pick<Root, "path">,
  of: { readonly lists: () => RuleLists; readonly running: Pick<RunningCalls, "getStore"> },
): (realPath: string) => string | undefined {
  const { deny, ask } = of.lists();
  const hiding = [...deny, ...ask].filter(({ pattern }) => pattern?.path !== undefined);
  if (hiding.length === 0) return () => undefined;
  const hide = (path: string, { tools, answered }: RunningCall) => {
    const effect: Effect = { kind: "reads", path };
    const rule = hiding.find(
      (one) => namesEffect(one, tools, effect) && !answered.includes(one) && hitsEffect(one, effect),
    );
    if (rule === undefined || rule.list === "deny") return rule?.text;
    const granted = findCover(of.lists().granted, { tool: tools[0] ?? "", effects: [effect] });
    return granted === undefined ? rule.text : undefined;
  };
  return (realPath) => {
    const call = of.running.getStore() ?? NO_CALL;
    const path = isInside(root.path, realPath) ? showBelow(root.path, realPath) : realPath;
    const rule = hide(path, call);
    if (rule !== undefined || call.linked.size === 0) return rule;
    for (const name of findLinked(realPath, call.linked)) {
      const other = hide(name, call);
      if (other !== undefined) return other;
    }
    return undefined;
  };
}

/** What cannot be looked at may be any of them. */
function findLinked(realPath: string, linked: LinkedNames): readonly string[] {
  const identity = identifyNow(realPath);
  if (identity === undefined) return [];
  return identity === "unseen" ? [...linked.values()].flat() : (linked.get(identity) ?? []);
}

/**
 * What commands may not read or change, by whatever rule says so of `read`, or of `edit` and `write`: what one tool may
 * not see, a shell does not show. A rule that asks hides too, as it does from walks: nobody is asked within a command.
 */
export function makeCommandRules(root: Pick<Root, "path">, lists: () => RuleLists) {
  const show = (realPath: string) =>
    isInside(root.path, realPath) ? showBelow(root.path, realPath) : realPath;
  const find = (rules: readonly Rule[], tools: readonly string[], effect: Effect) =>
    rules.find(
      (one) => one.pattern?.path !== undefined && namesEffect(one, tools, effect) && hitsEffect(one, effect),
    );
  return {
    hides(realPath: string): string | undefined {
      const effect: Effect = { kind: "reads", path: show(realPath) };
      const { deny, ask, granted } = lists();
      const denied = find(deny, ["read"], effect);
      if (denied !== undefined) return denied.text;
      const asked = find(ask, ["read"], effect);
      const isGranted =
        asked !== undefined && findCover(granted, { tool: "read", effects: [effect] }) !== undefined;
      return isGranted ? undefined : asked?.text;
    },
    locks: (realPath: string) =>
      find(lists().deny, ["edit", "write"], { kind: "writes", path: show(realPath) })?.text,
  };
}

/** What hides paths in the call that runs now, as it was written: for a tool that runs elsewhere. */
export function describeWithheld(of: {
  readonly lists: () => RuleLists;
  readonly running: RunningCalls;
}): WithheldRules | undefined {
  const { deny, ask, granted } = of.lists();
  const { tools, answered, linked } = of.running.getStore() ?? NO_CALL;
  const hides = (rules: readonly Rule[]) =>
    rules
      .filter((rule) => rule.pattern?.path !== undefined && !answered.includes(rule))
      .map(({ text }) => text);
  const withheld = {
    deny: hides(deny),
    ask: hides(ask),
    granted: granted.map(({ text }) => text),
    tools,
    linked: [...linked],
  };
  return withheld.deny.length + withheld.ask.length === 0 ? undefined : withheld;
}

/** The same there. */
export function withholdByRules(
  root: Pick<Root, "path" | "spelled" | "resolve">,
  { deny, ask, granted, tools, linked }: WithheldRules,
): (realPath: string) => string | undefined {
  const read = (list: keyof Rules, texts: readonly string[]) =>
    texts.map((text) => parseRule({ text, list, option: list, context: { root, tools } }));
  const lists: RuleLists = {
    deny: read("deny", deny),
    ask: read("ask", ask),
    allow: [],
    granted: read("allow", granted),
  };
  const call: RunningCall = { tools, answered: [], linked: new Map(linked) };
  return makeWithholds(root, { lists: () => lists, running: { getStore: () => call } });
}

const NO_CALL: RunningCall = { tools: [], answered: [], linked: new Map() };
