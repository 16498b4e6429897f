/**
 * Owns the decision about a call before anybody is asked: any deny, then any ask, then an allow that covers
 * every effect, then the mode.
 * Leaves what rules meet to meet.ts and cover to cover.ts, words for what else is allowed to allowed.ts.
 * Rule: runs nothing. A rule that denies or asks about commands holds as far as can be seen; where it cannot be seen
 * whether it is met, a person is asked, even where the mode would allow.
 */
import type { Mode } from "../contract/decision.ts";
import { isRefusal } from "../contract/refusal.ts";
import { inspect } from "../root/inspect.ts";
import { type LedName, type LinkFinder, nameOtherwise } from "../root/led-names.ts";
import type { PreparedCall } from "../toolset/mounted.ts";
import { tellAllowed } from "./allowed.ts";
import { findCover, listUnseen } from "./cover.ts";
import { type Effect, isPathEffect, listEffects, showEffect } from "./effect.ts";
import { findHidden, findMet, findUndeclared, type MetCall } from "./meet.ts";
import { listRecalled, type Recalled } from "./recalled.ts";
import { nameRule, type Rule, type RuleContext, type RuleLists } from "./rule.ts";
import { suggestRule } from "./suggest-rule.ts";
import { judgeByMode } from "./tool-table.ts";
import type { Verdict } from "./verdict.ts";

export interface JudgeRequest {
  readonly prepared: PreparedCall;
  readonly mode: Mode;
  readonly lists: RuleLists;
  readonly context: RuleContext & { readonly root: MetCall["root"] };
  readonly links: LinkFinder;
  readonly maxEntries?: number | undefined;
  /** What the call would show of an earlier one. */
  readonly recalled?: Recalled | undefined;
  readonly signal: AbortSignal;
}

/** A verdict with what only the station needs. */
export interface Judgement extends Verdict {
  readonly list?: "deny" | "ask";
  /** The rules that ask, all of which the person's answer is an answer to. */
  readonly asks: readonly Rule[];
  /** The tool, and those whose work it does. */
  readonly tools: readonly string[];
  readonly facts: readonly Effect[];
  /** Where links lead that matter to the rules, those that the call passes through among them. */
  readonly led: readonly LedName[];
  /** Why a rule is met that does not show it. */
  readonly why?: string;
}

type Outcome = Pick<Verdict, "outcome" | "by" | "reason"> & {
  readonly rules?: readonly Rule[];
  readonly asks?: readonly Rule[];
  readonly why?: string;
};

export async function judgeCall(request: JudgeRequest): Promise<Judgement> {
  const { prepared, mode, lists, context } = request;
  const { effects, led } = await nameEffects(request, await listEffects(prepared, context.root));
  const call = {
    root: context.root,
    tools: await listTools(request),
    effects,
    led,
    maxEntries: request.maxEntries,
    signal: request.signal,
    tool: prepared.tool.name,
  };
  const outcome = await decide(request, call);
  const [first] = outcome.rules ?? [];
  const isDenied = outcome.outcome === "deny" && outcome.by === "rule";
  const suggested = isDenied ? undefined : suggestRule(call, context);
  return {
    outcome: outcome.outcome,
    by: outcome.by,
    ...(first === undefined ? {} : { rule: (outcome.rules ?? []).map(({ text }) => text).join(", ") }),
    effects: effects.map(showEffect),
    ...(suggested === undefined ? {} : { suggestedRule: suggested }),
    allowed: outcome.outcome === "allow" ? [] : tellAllowed({ mode, lists, call, rule: first }),
    unseen: listUnseen(effects),
    reason: outcome.reason,
    ...(first === undefined || first.list === "allow"
      ? {}
      : { list: first.list === "deny" ? "deny" : "ask" }),
    asks: outcome.asks ?? [],
    tools: call.tools,
    facts: effects,
    led,
    ...(outcome.why === undefined ? {} : { why: outcome.why }),
  };
}

/** Gives each path the other names by which links lead there. */
async function nameEffects(request: JudgeRequest, effects: readonly Effect[]) {
  const { links, recalled, lists, context } = request;
  if (recalled !== undefined) {
    const led = await links.look();
    const rules = [...lists.deny, ...lists.ask];
    const more = await listRecalled({ recalled, rules, root: context.root, led });
    return { effects: [...effects, ...more], led };
  }
  const paths = effects.filter(isPathEffect);
  if (paths.length === 0) return { effects, led: [] };
  const given = paths.flatMap(({ path, place }) =>
    (place?.through ?? []).map((name) => ({ target: path, name })),
  );
  const led = [...given, ...(await links.look())];
  if (led.length === 0) return { effects, led };
  const otherwise = nameOtherwise(led);
  const named = effects.map((effect) => {
    const names = isPathEffect(effect) ? otherwise(effect.path) : [];
    return names.length === 0 ? effect : { ...effect, names };
  });
  return { effects: named, led };
}

type JudgedCall = MetCall & { readonly tool: string };

async function decide({ mode, lists, prepared }: JudgeRequest, call: JudgedCall): Promise<Outcome> {
  const met = await findMet([...lists.deny, ...lists.ask], call);
  const first = met[0]?.rule;
  const why = met[0]?.why;
  const because = why === undefined ? {} : { why };
  const how = why === undefined ? "" : `: ${why}`;
  if (first?.list === "deny") {
    const reason = `the rule ${nameRule(first)} forbids it${how}`;
    return { outcome: "deny", by: "rule", rules: [first], reason, ...because };
  }
  const granted = findCover(lists.granted, call);
  const byMode = judgeByMode(mode, call.tool);
  const cover = granted ?? findCover(lists.allow, call);
  // An ask that only narrows opens nothing: without it the mode would say no.
  const opensNothing = byMode === "deny" && cover === undefined;
  const isNarrowed = opensNothing && met.every(({ rule }) => rule.narrows === true);
  if (first !== undefined && granted === undefined && !isNarrowed)
    return {
      outcome: "ask",
      by: "rule",
      rules: [first],
      asks: met.map(({ rule }) => rule),
      reason: `the rule ${nameRule(first)} asks for it${how}`,
      ...because,
    };
  const silent =
    prepared.access.isUndeclared === true && granted === undefined && !opensNothing
      ? findUndeclared([...lists.deny, ...lists.ask], call.tool)
      : undefined;
  if (silent !== undefined) {
    const reason = `it does not declare what it touches, and the rule ${nameRule(silent)} may speak of it`;
    return { outcome: "ask", by: "rule", rules: [silent], reason };
  }
  if (cover !== undefined)
    return {
      outcome: "allow",
      by: "rule",
      rules: cover,
      asks: met.map(({ rule }) => rule),
      reason: `allowed by ${cover.map(({ text }) => text).join(", ")}`,
    };
  const hidden = byMode === "allow" ? findHidden([...lists.deny, ...lists.ask], call) : undefined;
  if (hidden !== undefined) {
    const reason = `it has what cannot be seen through (${hidden.why}), and the rule ${nameRule(hidden.rule)} may speak of it`;
    return { outcome: "ask", by: "rule", rules: [hidden.rule], reason };
  }
  return { outcome: byMode, by: "mode", reason: `the mode ${mode} ${MODE_VERBS[byMode]} it` };
}

const MODE_VERBS = { allow: "allows", ask: "asks for", deny: "does not allow" } as const;

/** `read` with `grep` does what grep does, and on a folder what list does: rules about those hold for it. */
async function listTools({ prepared, lists, context }: JudgeRequest): Promise<readonly string[]> {
  const { tool, input, places } = prepared;
  if (tool.name !== "read") return [tool.name];
  if (input.grep !== undefined) return ["read", "grep"];
  const place = places.get("path");
  // What is there is looked at only where it matters.
  if (place === undefined || ![...lists.deny, ...lists.ask].some(({ name }) => name === "list"))
    return ["read"];
  const state = await inspect(context.root, place);
  return !isRefusal(state) && state.kind === "directory" ? ["read", "list"] : ["read"];
}
