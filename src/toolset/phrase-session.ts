/**
 * Owns the sentences of refusals that come from the session: permission and recall. Leaves the record of codes to
 * phrase.ts, which alone uses this. Rule: as phrase.ts says; a denial says which rule, what is allowed, what to ask for.
 */
import type { RefusalFacts } from "../contract/refusal.ts";
import { countOf, joinSentences, listItems, type Phrase, type PhraseContext } from "./phrase-words.ts";
import { clipQuoted } from "./show-value.ts";

export function phraseDenied(facts: RefusalFacts["permission-denied"]): Phrase {
  const what =
    facts.effects.length === 0 ? facts.tool : `${facts.tool} (${listItems(facts.effects.map(clipQuoted))})`;
  const allowed =
    facts.allowed.length === 0 ? undefined : `Allowed are ${listItems(facts.allowed.map(clipQuoted))}.`;
  return {
    wrong: `${what} is not permitted: ${tellWhy(facts)}.`,
    advice: joinSentences(allowed, tellHow(facts)),
  };
}

function tellWhy({ by, rule, mode, why }: RefusalFacts["permission-denied"]): string {
  if (by === "rule")
    return `the rule ${clipQuoted(rule ?? "of this session")} forbids it${why === undefined ? "" : ` (${why})`}`;
  if (by === "mode") return `the mode ${mode} does not allow it`;
  if (by === "approver")
    return why === undefined || why === ""
      ? "it was asked for and denied"
      : `it was asked for and denied: ${clipQuoted(why)}`;
  return `${tellAsking({ rule, mode })}, and nobody could answer${why === undefined ? "" : ` (${clipQuoted(why)})`}`;
}

function tellAsking({ rule, mode }: { rule: string | undefined; mode: string }): string {
  if (rule === undefined) return `the mode ${mode} asks a person first`;
  const shown = clipQuoted(rule);
  // A deny rule that asks is one of which it cannot be seen whether the call meets it.
  return rule.startsWith("deny ")
    ? `it cannot be seen whether the rule ${shown} forbids it, so a person is asked first`
    : `the rule ${shown} asks a person first`;
}

function tellHow({ suggestedRule, flag, by, unseen }: RefusalFacts["permission-denied"]): string | undefined {
  if (by === "approver") return undefined;
  if (unseen !== undefined)
    return `No rule can allow it, for what it runs cannot be seen through (${listItems(unseen)}): give plain commands, or ask the person who runs this, who can choose the mode full-access.`;
  if (flag !== undefined) return `The person who runs this can allow it with ${flag}`;
  return suggestedRule === undefined ? undefined : `Ask for the rule allow ${suggestedRule}`;
}

export function phraseNoResult(
  { id, recent, isInterrupted }: RefusalFacts["result-missing"],
  { names }: PhraseContext,
): Phrase {
  const list = names.suggest("recall", {});
  return {
    wrong:
      isInterrupted === true
        ? `The call ${JSON.stringify(clipQuoted(id))} was interrupted and has no result: make it again where it is still wanted.`
        : `There is no result ${JSON.stringify(clipQuoted(id))} in the ledger.`,
    advice: joinSentences(
      recent.length === 0 ? "It has none so far." : `The latest are ${listItems(recent)}.`,
      recent.length === 0 || list === undefined ? undefined : `See more: ${list}`,
    ),
  };
}

export function phraseResultRange(facts: RefusalFacts["result-range"], { names }: PhraseContext): Phrase {
  const { id, unit, asked, total } = facts;
  const isLines = unit === "lines";
  const first = isLines ? 1 : 0;
  const noun = isLines ? "line" : "character";
  const what =
    asked.start === asked.end
      ? `The ${noun} ${asked.start} is`
      : `The ${unit} ${asked.start} to ${asked.end} are`;
  // Who asks past the end wants the end.
  const start = Math.max(first, total - Math.max(1, asked.end - asked.start));
  const call = names.suggest("recall", { id, [isLines ? "range" : "chars"]: { start, end: total } });
  return {
    wrong: `${what} not in the result ${clipQuoted(id)}: it has ${countOf(total, noun)}.`,
    advice:
      total === 0
        ? undefined
        : joinSentences(
            `Ask for a range from ${first} to ${total}.`,
            call === undefined ? undefined : `Its end: ${call}`,
          ),
  };
}
