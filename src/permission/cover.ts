/**
 * Owns the question whether rules that allow cover a call. Leaves single rules to rule.ts.
 * Rule: every effect must be covered, each by some rule, and every simple command of a line; a line in which
 * something cannot be seen through is covered by none, whatever the rule. A call without effects is covered by a
 * rule that names its tool alone: nothing follows from covering nothing.
 */
import type { Effect } from "./effect.ts";
import { coversCommand, coversPath, namesEffect, namesWholeCall, type Rule } from "./rule.ts";

/** The rules that together cover a call, in their order; undefined where something is left over. */
export function findCover(
  rules: readonly Rule[],
  call: { readonly tool: string; readonly effects: readonly Effect[] },
): readonly Rule[] | undefined {
  const { tool, effects } = call;
  if (listUnseen(effects).length > 0) return undefined;
  const whole = rules.find((rule) => namesWholeCall(rule, [tool]));
  if (whole !== undefined) return [whole];
  if (effects.length === 0) return undefined;
  const used = new Set<Rule>();
  for (const effect of effects) {
    const named = rules.filter((rule) => namesEffect(rule, [tool], effect));
    const covering = coverEffect(named, effect);
    if (covering === undefined) return undefined;
    for (const rule of covering) used.add(rule);
  }
  return rules.filter((rule) => used.has(rule));
}

function coverEffect(rules: readonly Rule[], effect: Effect): readonly Rule[] | undefined {
  if (effect.kind === "runs") {
    const bare = rules.find((rule) => rule.pattern === undefined);
    if (bare !== undefined) return [bare];
    const { commands } = effect.parsed;
    const covering = commands.map((command) => rules.find((rule) => coversCommand(rule, command)));
    const found = covering.filter((rule) => rule !== undefined);
    return commands.length > 0 && found.length === commands.length ? found : undefined;
  }
  const rule = rules.find((one) =>
    effect.kind === "connects"
      ? one.pattern === undefined || one.pattern.host?.covers(effect.host) === true
      : coversPath(one, effect),
  );
  return rule === undefined ? undefined : [rule];
}

/** What of the commands of a call cannot be seen through. */
export function listUnseen(effects: readonly Effect[]): readonly string[] {
  const unseen = effects.flatMap((effect) => (effect.kind === "runs" ? effect.parsed.opaque : []));
  return [...new Set(unseen)];
}
