/**
 * Owns what a denial says is allowed instead. Leaves the sentence around it to toolset/phrase-session.ts.
 * Rule: bounded, and true: what is named would be allowed by a rule or by the mode.
 */
import type { Mode } from "../contract/decision.ts";
import type { Effect } from "./effect.ts";
import { kindsOf, type Rule, type RuleLists } from "./rule.ts";
import { EFFECTS_OF, judgeByMode } from "./tool-table.ts";

const MOST_RULES = 5;

const BY_MODE: Readonly<Record<Mode, readonly string[]>> = {
  "read-only": ["reading and searching below the root"],
  "workspace-write": ["reading, searching and changing files below the root"],
  "full-access": [],
};

const OUTSIDE: Readonly<Record<Effect["kind"], string>> = {
  reads: "reading outside of",
  writes: "changes outside of",
  runs: "commands other than",
  connects: "hosts other than",
};

export function tellAllowed(of: {
  readonly mode: Mode;
  readonly lists: RuleLists;
  readonly call: { readonly tool: string; readonly effects: readonly Effect[] };
  /** The rule that denies or asks. */
  readonly rule: Rule | undefined;
}): readonly string[] {
  const { mode, lists, call, rule } = of;
  const kinds = new Set(call.effects.map(({ kind }) => kind));
  const akin = [...lists.granted, ...lists.allow].filter(({ name, pattern }) => {
    if (name === call.tool) return true;
    return pattern !== undefined && name !== "*" && kindsOf(name).some((kind) => kinds.has(kind));
  });
  const rules = [...new Set(akin.map(({ text }) => text))].slice(0, MOST_RULES);
  return [...rules, ...tellRest(mode, call, rule)];
}

function tellRest(
  mode: Mode,
  { tool, effects }: { tool: string; effects: readonly Effect[] },
  rule: Rule | undefined,
): readonly string[] {
  const [first] = effects;
  const inner = rule?.pattern === undefined ? undefined : /\(([\s\S]*)\)$/.exec(rule.text)?.[1];
  if (inner !== undefined && first !== undefined && judgeByMode(mode, tool) === "allow")
    return [`${OUTSIDE[first.kind]} ${inner}`];
  // Where a rule stands in the way of everything that the mode allows, the mode's own words would not be true.
  const isBroad = rule !== undefined && rule.pattern === undefined;
  const spoken = isBroad ? kindsOfRule(rule) : [];
  return spoken.includes("reads") || spoken.includes("writes") ? [] : BY_MODE[mode];
}

function kindsOfRule({ name }: Rule): readonly string[] {
  return Object.hasOwn(EFFECTS_OF, name) ? (EFFECTS_OF[name] ?? []) : kindsOf(name);
}
