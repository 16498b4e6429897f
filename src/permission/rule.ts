/**
 * Owns rules: how `NAME` and `NAME(pattern)` are read, and which effects of which calls they speak of.
 * Leaves patterns to their own files, the order of lists to judge.ts.
 * Rule: a rule that could never mean anything throws when it is given, with what is expected and the nearest name:
 * a rule that denies and is misspelt would protect nothing.
 */
import type { Rules } from "../contract/decision.ts";
import { OptionsError } from "../contract/errors.ts";
import type { Root } from "../contract/root.ts";
import { nearestName } from "../text/edit-distance.ts";
import type { SimpleCommand } from "../text/shell/parse-shell.ts";
import type { Effect, EffectKind, PathEffect } from "./effect.ts";
import { compileHostPattern, type HostPattern } from "./host-pattern.ts";
import { compilePathPattern, isPatternFault, type PathPattern, type PatternFault } from "./path-pattern.ts";
import { compileShellPattern, type ShellPattern } from "./shell-pattern.ts";
import { EFFECT_KINDS, EFFECTS_OF, TOOLS_OF_RULES } from "./tool-table.ts";

export interface Rule {
  /** As it was written. */
  readonly text: string;
  readonly list: keyof Rules;
  /** A tool's bare name, `*`, or a kind of effect. */
  readonly name: string;
  /** Absent where the rule speaks of all that it names. */
  readonly pattern?: Pattern;
  /** It only narrows: it asks for what would run, and never for what the mode denies. */
  readonly narrows?: true;
}

/** What the text in brackets means for each kind of effect that the rule speaks of. */
export interface Pattern {
  readonly path?: PathPattern;
  readonly shell?: ShellPattern;
  readonly host?: HostPattern;
}

export interface RuleLists {
  readonly deny: readonly Rule[];
  readonly ask: readonly Rule[];
  readonly allow: readonly Rule[];
  /** What a person has answered for from now on: it answers rules that ask, too. */
  readonly granted: readonly Rule[];
}

export interface RuleContext {
  readonly root: Pick<Root, "path" | "spelled" | "resolve">;
  /** Bare names of tools that rules may name beside haft's own. */
  readonly tools: readonly string[];
}

/** Reads one rule. `option` says where it stands: `rules.deny[2]`. */
export function parseRule(of: {
  readonly text: unknown;
  readonly list: keyof Rules;
  readonly option: string;
  readonly context: RuleContext;
}): Rule {
  const { text, list, option, context } = of;
  const shown = typeof text === "string" ? JSON.stringify(text.slice(0, 200)) : typeof text;
  const wrong = (expected: string) => new OptionsError({ option, expected, got: shown });
  const parts = typeof text === "string" ? /^\s*([\w-]+|\*)\s*(?:\(([\s\S]*)\))?\s*$/.exec(text) : null;
  if (typeof text !== "string" || parts === null)
    throw wrong("NAME or NAME(pattern), for example writes(src/**) or bash");
  const [, name = "", inner] = parts;
  const names = ["*", ...EFFECT_KINDS, ...new Set([...TOOLS_OF_RULES, ...context.tools])];
  if (!names.includes(name)) {
    const near = nearestName(name, names) ?? nearestName(name.toLowerCase(), names);
    throw wrong(
      `${near === undefined ? "" : `${near} (the nearest name): `}a rule begins with one of ${names.join(", ")}`,
    );
  }
  if (inner === undefined) return { text: text.trim(), list, name };
  const pattern = compilePattern(inner.trim(), kindsOf(name), context.root);
  if (isPatternFault(pattern)) throw wrong(`in the brackets of ${name}: ${pattern.expected}`);
  return { text: text.trim(), list, name, pattern };
}

/** `deny writes(src/**)`. */
export function nameRule({ list, text }: Rule): string {
  return `${list} ${text}`;
}

/** Which kinds of effect a rule of this name speaks of. */
export function kindsOf(name: string): readonly EffectKind[] {
  if (isEffectKind(name)) return [name];
  return Object.hasOwn(EFFECTS_OF, name) ? (EFFECTS_OF[name] ?? []) : EFFECT_KINDS;
}

export function isEffectKind(name: string): name is EffectKind {
  return (EFFECT_KINDS as readonly string[]).includes(name);
}

function compilePattern(
  text: string,
  kinds: readonly EffectKind[],
  root: RuleContext["root"],
): Pattern | PatternFault {
  if (kinds.length === 0)
    return { expected: "nothing: its calls have no path, command or host, so no brackets" };
  const pattern: { -readonly [K in keyof Pattern]: Pattern[K] } = {};
  const faults: PatternFault[] = [];
  const keep = <K extends keyof Pattern>(key: K, made: NonNullable<Pattern[K]> | PatternFault) => {
    if (isPatternFault(made)) faults.push(made);
    else pattern[key] = made;
  };
  if (kinds.includes("reads") || kinds.includes("writes")) keep("path", compilePathPattern(text, root));
  if (kinds.includes("runs")) keep("shell", compileShellPattern(text));
  if (kinds.includes("connects")) keep("host", compileHostPattern(text));
  // What speaks of several kinds need not make sense for each.
  const [fault] = faults;
  return fault !== undefined && Object.keys(pattern).length === 0 ? fault : pattern;
}

/** Whether a rule speaks of every call of one of these tools, whatever it does. */
export function namesWholeCall({ name, pattern }: Rule, tools: readonly string[]): boolean {
  return pattern === undefined && (name === "*" || tools.includes(name));
}

/** Whether a rule speaks of calls of one of these tools, or of this effect of any call. */
export function namesEffect(rule: Rule, tools: readonly string[], effect: Effect): boolean {
  if (isEffectKind(rule.name)) return speaksOf(rule, rule.name, effect.kind);
  if (rule.name === "*" || tools.includes(rule.name)) return true;
  // Which tool may be called says nothing of what it has given; which path it may show does.
  const { recalls = [] } = effect as PathEffect;
  return rule.pattern !== undefined && recalls.includes(rule.name);
}

/** Writing a path includes reading it: who may write may read, and who may not read may not write. */
function speaksOf({ list }: Rule, named: EffectKind, kind: EffectKind): boolean {
  if (named === kind) return true;
  return list === "allow" ? named === "writes" && kind === "reads" : named === "reads" && kind === "writes";
}

/** Whether a rule that allows takes this path, with all that goes with it. */
export function coversPath({ pattern }: Rule, { path, tree }: PathEffect): boolean {
  if (pattern === undefined) return true;
  const { path: covers } = pattern;
  return covers?.covers(path) === true && (tree === undefined || covers.coversBelow(path));
}

export function coversCommand({ pattern }: Rule, command: SimpleCommand): boolean {
  return pattern === undefined || pattern.shell?.covers(command) === true;
}

/** Whether a rule that denies or asks is met by this effect; what lies below a folder is left to who looks there. */
export function hitsEffect({ pattern }: Rule, effect: Effect): boolean {
  if (pattern === undefined) return true;
  if (effect.kind === "connects") return pattern.host?.hits(effect.host) === true;
  if (effect.kind !== "runs") return hitsPath(pattern.path, effect);
  return effect.parsed.commands.some((command) => pattern.shell?.hits(command) === true);
}

function hitsPath(pattern: PathPattern | undefined, { path, names = [] }: PathEffect): boolean {
  return pattern !== undefined && (pattern.hits(path) || names.some((name) => pattern.hits(name)));
}
