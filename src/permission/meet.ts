/**
 * Owns the question which rules that deny or ask a call meets. Leaves single rules to rule.ts, what is allowed to
 * cover.ts. Rule: one effect is enough, and one simple command of a line. A folder that is deleted or moved takes
 * with it what is below: there the disk is looked at, so that a rule about `src/**` is not dodged by deleting `src`. So it is for a file with several
 * names: a rule about one of them is met under every other, and no rule about `secrets/**` is dodged by a hard link; where that cannot be told, it is met.
 */
import type { Root } from "../contract/root.ts";
import { searchBelow } from "../root/find-below.ts";
import { type LedName, nameOtherwise } from "../root/led-names.ts";
import { findIdentity } from "../root/other-names.ts";
import { keepOnOneLine } from "../text/one-line.ts";
import { clipMiddle } from "../text/search-summary.ts";
import { type CommandEffect, type Effect, isPathEffect, type PathEffect } from "./effect.ts";
import type { PathPattern } from "./path-pattern.ts";
import { hitsEffect, isEffectKind, namesEffect, namesWholeCall, type Rule } from "./rule.ts";
import { searchNames } from "./search-names.ts";

export interface MetCall {
  readonly root: Root;
  /** The tool, and those whose work it does. */
  readonly tools: readonly string[];
  readonly effects: readonly Effect[];
  /** Where links lead that matter to the rules. */
  readonly led: readonly LedName[];
  /** Entries that are looked at for each rule where a file has several names. */
  readonly maxEntries?: number | undefined;
  readonly signal: AbortSignal;
}

/** A rule that a call meets. */
export interface Met {
  readonly rule: Rule;
  /** What does not show in the path: a name of a link, a hard link, or that it could not be told. */
  readonly why?: string;
}

/** The rules that a call meets, in their order. */
export async function findMet(rules: readonly Rule[], call: MetCall): Promise<readonly Met[]> {
  const met = new Map<Rule, Met>();
  for (const rule of rules) {
    const found = meets(rule, call);
    if (found !== undefined) met.set(rule, found);
  }
  const open = rules.filter((rule) => !met.has(rule));
  for (const rule of await findMetBelow(open, call)) met.set(rule, { rule });
  for (const one of await findMetByOtherNames(open, call)) if (!met.has(one.rule)) met.set(one.rule, one);
  return rules.flatMap((rule) => met.get(rule) ?? []);
}

function meets(rule: Rule, { tools, effects }: MetCall): Met | undefined {
  if (namesWholeCall(rule, tools)) return { rule };
  const hit = effects.find((effect) => namesEffect(rule, tools, effect) && hitsEffect(rule, effect));
  return hit === undefined ? undefined : { rule, ...tellName(rule, hit) };
}

const RECALLED = "what it would show was read there by an earlier call";

/** A name that the caller gave is told; another is not, for the rule may hide it. */
function tellName({ pattern }: Rule, effect: Effect): Pick<Met, "why"> {
  if (isPathEffect(effect) && effect.recalls !== undefined) return { why: RECALLED };
  if (!isPathEffect(effect) || pattern?.path === undefined || pattern.path.hits(effect.path)) return {};
  const given = effect.place?.through?.find((name) => pattern.path?.hits(name));
  return {
    why:
      given === undefined
        ? "a link of a name that the rule speaks of leads there"
        : `by the link that is followed from ${clipMiddle(keepOnOneLine(given))}`,
  };
}

interface Watch {
  readonly rule: Rule;
  readonly pattern: PathPattern;
  /** The folder that goes, under each of its names. */
  readonly paths: readonly string[];
}

async function findMetBelow(rules: readonly Rule[], call: MetCall): Promise<ReadonlySet<Rule>> {
  const met = new Set<Rule>();
  for (const effect of call.effects)
    if (isPathEffect(effect) && effect.place?.link === "itself")
      for (const rule of rules.filter((one) => namesEffect(one, call.tools, effect)))
        if (takesLink(rule, effect, call)) met.add(rule);
  const trees = call.effects.filter(takesTree);
  const place = trees[0]?.tree;
  if (place === undefined) return met;
  const watches = trees.flatMap((effect) => listWatches(rules, effect, call));
  const watched = new Set([...met, ...watches.map(({ rule }) => rule)]).size;
  if (watches.length === 0) return met;
  const otherwise = nameOtherwise(call.led);
  await searchBelow({
    root: call.root,
    place,
    signal: call.signal,
    isFound: (below) => {
      for (const { rule, pattern, paths } of watches) {
        const names = paths.map((path) => (path === "." ? below : `${path}/${below}`));
        if (names.some((name) => pattern.hits(name) || otherwise(name).some((one) => pattern.hits(one))))
          met.add(rule);
      }
      // To the end where any is still open: which one is named must not hang on the order of a folder's entries.
      return met.size === watched;
    },
  });
  return met;
}

function listWatches(rules: readonly Rule[], effect: PathEffect, { tools, led }: MetCall): readonly Watch[] {
  const paths = [effect.path, ...(effect.names ?? [])];
  const inside = led.filter(({ target }) => isAtOrBelow(effect.path, target)).map(({ name }) => name);
  return rules.flatMap((rule) => {
    const pattern = rule.pattern?.path;
    if (pattern === undefined || !namesEffect(rule, tools, effect)) return [];
    const isWatched =
      paths.some((path) => pattern.mayHitBelow(path)) || inside.some((name) => pattern.minds(name));
    return isWatched ? [{ rule, pattern, paths }] : [];
  });
}

/** A link that leads a rule elsewhere goes: what lies there would be no longer what the rule speaks of. */
function takesLink({ pattern }: Rule, { path }: PathEffect, { led }: MetCall): boolean {
  const minds = pattern?.path;
  return led.some(
    ({ name }) =>
      isAtOrBelow(path, name) &&
      (minds?.hits(name) === true || (minds?.floats === false && minds.minds(name))),
  );
}

function isAtOrBelow(folder: string, path: string): boolean {
  return folder === "." || path === folder || path.startsWith(`${folder}/`);
}

function takesTree(effect: Effect): effect is PathEffect {
  return isPathEffect(effect) && effect.tree !== undefined;
}

async function findMetByOtherNames(rules: readonly Rule[], call: MetCall): Promise<readonly Met[]> {
  const met = new Map<Rule, Met>();
  const { root, signal, tools, led, maxEntries } = call;
  for (const effect of call.effects) {
    if (!isPathEffect(effect)) continue;
    const { kind, place } = effect;
    const speaking = rules.filter(
      (rule) => rule.pattern?.path !== undefined && namesEffect(rule, tools, effect),
    );
    // Nothing is looked at where no rule could be met by what is found.
    if (place === undefined || speaking.length === 0) continue;
    const identity = await findIdentity(root, place);
    if (identity === undefined) continue;
    const { names, open } = await searchNames({ root, signal, rules: speaking, led, maxEntries });
    const others = names.get(identity) ?? [];
    for (const rule of speaking)
      if (others.some((path) => hitsEffect(rule, { kind, path }))) met.set(rule, { rule, why: HARD_LINK });
    for (const rule of open) if (!met.has(rule)) met.set(rule, { rule, why: UNTOLD });
  }
  return [...met.values()];
}

const HARD_LINK = "it is another name, a hard link, of a file that the rule speaks of";

const UNTOLD = [
  "it is a file with several names, hard links, and too much would have to be looked through to tell that the rule",
  "speaks of none of them; a rule that names a folder with less in it, or a copy that has one name alone, can be told",
].join(" ");

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
