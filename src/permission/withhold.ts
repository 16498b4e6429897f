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
import { type LedName, type LinkFinder, nameOtherwise } from "../root/led-names.ts";
import { identifyNow, type LinkedNames } from "../root/other-names.ts";
import type { WithheldRules } from "../worker/run-tool.ts";
import { findCover } from "./cover.ts";
import type { Effect, PathEffect } from "./effect.ts";
import { hitsEffect, namesEffect, parseRule, type Rule, type RuleLists } from "./rule.ts";

/** The call in which a walk is asked about: rules may name its tool, and a person may have answered for it. */
export interface RunningCall {
  readonly tools: readonly string[];
  readonly answered: readonly Rule[];
  /** Hidden names of files that have other names, too: those are no way around a rule either. */
  readonly linked: LinkedNames;
  /** Where links lead: the same for their names. */
  readonly led: readonly LedName[];
  /** Rules of which it could not be told which files with several names they speak of: they hide them all. */
  readonly open: readonly Rule[];
}

export type RunningCalls = AsyncLocalStorage<RunningCall>;

export function trackCalls(): RunningCalls {
  return new AsyncLocalStorage();
}

export function makeWithholds(
  root: Pick<Root, "path">,
  of: {
    readonly lists: () => RuleLists;
    readonly running: Pick<RunningCalls, "getStore">;
    /** Where links lead, for what is asked outside of calls. */
    readonly led: () => readonly LedName[];
  },
): (realPath: string) => string | undefined {
  const { deny, ask } = of.lists();
  const hiding = [...deny, ...ask].filter(({ pattern }) => pattern?.path !== undefined);
  if (hiding.length === 0) return () => undefined;
  const findOtherwise = rememberLast(nameOtherwise);
  /** `path` is what an answer of a person has to cover, `effect` has the names that are hidden. */
  const hide = (effect: PathEffect, path: string, { tools, answered }: RunningCall) => {
    const rule = hiding.find(
      (one) => namesEffect(one, tools, effect) && !answered.includes(one) && hitsEffect(one, effect),
    );
    return rule === undefined ? undefined : hideUnlessGranted(rule, { path, tools });
  };
  const hideUnlessGranted = (rule: Rule, { path, tools }: { path: string; tools: readonly string[] }) => {
    if (rule.list === "deny") return rule.text;
    const effects: Effect[] = [{ kind: "reads", path }];
    return findCover(of.lists().granted, { tool: tools[0] ?? "", effects }) === undefined
      ? rule.text
      : undefined;
  };
  return (realPath) => {
    const call = of.running.getStore() ?? { ...NO_CALL, led: of.led() };
    const path = isInside(root.path, realPath) ? showBelow(root.path, realPath) : realPath;
    const names = findOtherwise(call.led)(path);
    const rule = hide({ kind: "reads", path, ...(names.length === 0 ? {} : { names }) }, path, call);
    if (rule !== undefined || call.linked.size + call.open.length === 0) return rule;
    const identity = identifyNow(realPath);
    if (identity === undefined) return undefined;
    for (const name of findLinked(identity, call.linked)) {
      const other = hide({ kind: "reads", path: name }, path, call);
      if (other !== undefined) return other;
    }
    const [open] = call.open;
    return open === undefined ? undefined : hideUnlessGranted(open, { path, tools: call.tools });
  };
}

/** The same for the same list. */
function rememberLast<T, R>(make: (value: T) => R): (value: T) => R {
  let last: { readonly value: T; readonly made: R } | undefined;
  return (value) => {
    if (last === undefined || last.value !== value) last = { value, made: make(value) };
    return last.made;
  };
}

/** What cannot be looked at may be any of them. */
function findLinked(identity: string, linked: LinkedNames): readonly string[] {
  return identity === "unseen" ? [...linked.values()].flat() : (linked.get(identity) ?? []);
}

/**
 * What commands may not read or change, by whatever rule says so of `read`, or of `edit` and `write`: what one tool may
 * not see, a shell does not show. A rule that asks hides too, as it does from walks: nobody is asked within a command.
 */
export function makeCommandRules(root: Pick<Root, "path">, lists: () => RuleLists, links: LinkFinder) {
  const findOtherwise = rememberLast(nameOtherwise);
  const name = (kind: PathEffect["kind"], realPath: string): PathEffect => {
    const path = show(realPath);
    const names = findOtherwise(links.latest())(path);
    return { kind, path, ...(names.length === 0 ? {} : { names }) };
  };
  const show = (realPath: string) =>
    isInside(root.path, realPath) ? showBelow(root.path, realPath) : realPath;
  const find = (rules: readonly Rule[], tools: readonly string[], effect: Effect) =>
    rules.find(
      (one) => one.pattern?.path !== undefined && namesEffect(one, tools, effect) && hitsEffect(one, effect),
    );
  return {
    hides(realPath: string): string | undefined {
      const effect = name("reads", realPath);
      const { deny, ask, granted } = lists();
      const denied = find(deny, ["read"], effect);
      if (denied !== undefined) return denied.text;
      const asked = find(ask, ["read"], effect);
      const isGranted =
        asked !== undefined && findCover(granted, { tool: "read", effects: [effect] }) !== undefined;
      return isGranted ? undefined : asked?.text;
    },
    locks: (realPath: string) => find(lists().deny, ["edit", "write"], name("writes", realPath))?.text,
    follow: () => links.look({ isExact: true }),
  };
}

/** What hides paths in the call that runs now, as it was written: for a tool that runs elsewhere. */
export function describeWithheld(of: {
  readonly lists: () => RuleLists;
  readonly running: RunningCalls;
  readonly led: () => readonly LedName[];
}): WithheldRules | undefined {
  const { deny, ask, granted } = of.lists();
  const { tools, answered, linked, led, open } = of.running.getStore() ?? { ...NO_CALL, led: of.led() };
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
    led,
    open: open.map(({ text }) => text),
  };
  return withheld.deny.length + withheld.ask.length === 0 ? undefined : withheld;
}

/** The same there. */
export function withholdByRules(
  root: Pick<Root, "path" | "spelled" | "resolve">,
  { deny, ask, granted, tools, linked, led, open }: WithheldRules,
): (realPath: string) => string | undefined {
  const read = (list: keyof Rules, texts: readonly string[]) =>
    texts.map((text) => parseRule({ text, list, option: list, context: { root, tools } }));
  const lists: RuleLists = {
    deny: read("deny", deny),
    ask: read("ask", ask),
    allow: [],
    granted: read("allow", granted),
  };
  const call: RunningCall = {
    tools,
    answered: [],
    linked: new Map(linked),
    led,
    open: [...lists.deny, ...lists.ask].filter(({ text }) => open.includes(text)),
  };
  return makeWithholds(root, { lists: () => lists, running: { getStore: () => call }, led: () => led });
}

const NO_CALL: RunningCall = { tools: [], answered: [], linked: new Map(), led: [], open: [] };
