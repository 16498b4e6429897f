/**
 * Owns the narrowest rule that allows a call: what a person is offered, and what a denial asks for.
 * Leaves what rules mean to rule.ts. Rule: it covers this very call, or none is offered; nothing in it is a pattern.
 */
import { findCover } from "./cover.ts";
import type { Effect, PathEffect } from "./effect.ts";
import { showHost } from "./host-pattern.ts";
import { parseRule, type RuleContext } from "./rule.ts";
import { quoteWord } from "./shell-words.ts";

/** A rule that a person cannot take in at a glance is none that they agree to. */
const LONGEST = 500;

export function suggestRule(
  call: { readonly tool: string; readonly effects: readonly Effect[] },
  context: RuleContext,
): string | undefined {
  const text = writeRule(call);
  if (text === undefined || text.length > LONGEST || /[\0-\x1f\x7f]/.test(text)) return undefined;
  try {
    const rule = parseRule({ text, list: "allow", option: "suggested", context });
    return findCover([rule], call) === undefined ? undefined : text;
  } catch {
    // A path or a word that no pattern spells.
    return undefined;
  }
}

function writeRule({ tool, effects }: { tool: string; effects: readonly Effect[] }): string | undefined {
  const [first] = effects;
  if (first === undefined) return tool;
  if (first.kind === "runs") return writeCommands(effects);
  if (first.kind === "connects")
    return effects.length === 1 && first.host !== undefined ? `connects(${showHost(first.host)})` : undefined;
  const paths = effects.filter((effect): effect is PathEffect => "path" in effect);
  if (paths.length < effects.length) return undefined;
  if (paths.length === 1) return `${first.kind}(${spellPath(first)})`;
  return `${tool}({${[...new Set(paths.map(spellPath))].join(",")}})`;
}

function spellPath({ path, tree }: PathEffect): string {
  return path.replace(/[*?[\]{}\\!+@(),]/g, "\\$&") + (tree === undefined ? "" : "/");
}

function writeCommands(effects: readonly Effect[]): string | undefined {
  const commands = effects.flatMap((effect) => (effect.kind === "runs" ? effect.parsed.commands : []));
  const texts = commands.map(({ words }) => words.map(quoteWord).join(" "));
  return texts.length === 0 ? undefined : `runs(${[...new Set(texts)].join("; ")})`;
}
