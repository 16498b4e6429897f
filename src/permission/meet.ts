/**
 * Owns the question which rules that deny or ask a call meets. Leaves single rules to rule.ts, what is allowed to
 * cover.ts. Rule: one effect is enough, and one simple command of a line. A folder that is deleted or moved takes
 * with it what is below: there the disk is looked at, so that a rule about `src/**` is not dodged by deleting `src`. So it is for a file with several
 * names: a rule about one of them is met under every other, and no rule about `secrets/**` is dodged by a hard link.
 */
import type { Root } from "../contract/root.ts";
import { searchBelow } from "../root/find-below.ts";
import { findIdentity, gatherLinkedNames } from "../root/other-names.ts";
import type { CommandEffect, Effect, PathEffect } from "./effect.ts";
import { hitsEffect, isEffectKind, namesEffect, namesWholeCall, type Rule } from "./rule.ts";

export interface MetCall {
  readonly root: Root;
  /** The tool, and those whose work it does. */
  readonly tools: readonly string[];
  readonly effects: readonly Effect[];
  readonly signal: AbortSignal;
}

/** The rules that a call meets, in their order. */
export async function findMet(rules: readonly Rule[], call: MetCall): Promise<readonly Rule[]> {
  const met = new Set(rules.filter((rule) => meets(rule, call)));
  const open = rules.filter((rule) => !met.has(rule));
  for (const rule of await findMetBelow(open, call)) met.add(rule);
  for (const rule of await findMetByOtherNames(open, call)) met.add(rule);
  return rules.filter((rule) => met.has(rule));
}

function meets(rule: Rule, { tools, effects }: MetCall): boolean {
  if (namesWholeCall(rule, tools)) return true;
  return effects.some((effect) => namesEffect(rule, tools, effect) && hitsEffect(rule, effect));
}

interface Watch {
  readonly rule: Rule;
  readonly path: string;
}

async function findMetBelow(rules: readonly Rule[], call: MetCall): Promise<ReadonlySet<Rule>> {
  const met = new Set<Rule>();
  const trees = call.effects.filter(takesTree);
  const place = trees[0]?.tree;
  if (place === undefined) return met;
  const watches: Watch[] = trees.flatMap((effect) =>
    rules
      .filter((rule) => namesEffect(rule, call.tools, effect))
      .filter(({ pattern }) => pattern?.path?.mayHitBelow(effect.path) === true)
      .map((rule) => ({ rule, path: effect.path })),
  );
  const watched = new Set(watches.map(({ rule }) => rule)).size;
  if (watched === 0) return met;
  await searchBelow({
    root: call.root,
    place,
    signal: call.signal,
    isFound: (below) => {
      for (const { rule, path } of watches)
        if (rule.pattern?.path?.hits(path === "." ? below : `${path}/${below}`) === true) met.add(rule);
      // To the end where any is still open: which one is named must not hang on the order of a folder's entries.
      return met.size === watched;
    },
  });
  return met;
}

function takesTree(effect: Effect): effect is PathEffect {
  return (effect.kind === "reads" || effect.kind === "writes") && effect.tree !== undefined;
}

async function findMetByOtherNames(rules: readonly Rule[], call: MetCall): Promise<ReadonlySet<Rule>> {
  const met = new Set<Rule>();
  const { root, signal, tools } = call;
  for (const effect of call.effects) {
    if (effect.kind !== "reads" && effect.kind !== "writes") continue;
    const { kind, place } = effect;
    const speaking = rules.filter(
      (rule) => rule.pattern?.path !== undefined && namesEffect(rule, tools, effect),
    );
    // Nothing is looked at where no rule could be met by what is found.
    if (place === undefined || speaking.length === 0) continue;
    const identity = await findIdentity(root, place);
    if (identity === undefined) continue;
    const linked = await gatherLinkedNames({
      root,
      signal,
      mayEnter: (folder) => speaking.some(({ pattern }) => pattern?.path?.mayHitBelow(folder) === true),
      isMeant: (path) => speaking.some((rule) => hitsEffect(rule, { kind, path })),
    });
    for (const path of linked.get(identity) ?? [])
      for (const rule of speaking) if (hitsEffect(rule, { kind, path })) met.add(rule);
  }
  return met;
}

/**
 * What hides no command: the commands in it are seen, or there is none in it. Words that are not known before the
 * command runs are looked at one by one.
 */
const SEEN = new Set([
  "command substitution",
  "process substitution",
  "variable",
  "pattern of file names",
  "brace expansion",
  "translated string",
  "escaped character",
  "function definition",
  "here-document",
  "redirection to a path",
  "redirection from a path",
]);

export interface Hidden {
  readonly rule: Rule;
  /** What the rule cannot see through. */
  readonly why: string;
}

/** The first rule that may speak of what a call does not declare: any that is about effects, and not about a tool as such. */
export function findUndeclared(rules: readonly Rule[], tool: string): Rule | undefined {
  return rules.find(
    ({ name, pattern }) => isEffectKind(name) || (pattern !== undefined && (name === "*" || name === tool)),
  );
}

/** The first rule about commands of which it cannot be seen that the call does not meet it. */
export function findHidden(rules: readonly Rule[], { tools, effects }: MetCall): Hidden | undefined {
  for (const effect of effects) {
    if (effect.kind !== "runs" || effect.parsed.opaque.length === 0) continue;
    for (const rule of rules) {
      const why = namesEffect(rule, tools, effect) ? findWhy(rule, effect) : undefined;
      if (why !== undefined) return { rule, why };
    }
  }
  return undefined;
}

function findWhy({ pattern }: Rule, { parsed }: CommandEffect): string | undefined {
  const shell = pattern?.shell;
  if (shell === undefined) return undefined;
  const hiding = parsed.opaque.find((why) => !SEEN.has(why));
  if (hiding !== undefined) return hiding;
  return parsed.commands.some((command) => shell.mayHit(command)) ? parsed.opaque[0] : undefined;
}
