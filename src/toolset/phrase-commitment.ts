/**
 * Owns the sentences of refusals about commitments. Leaves the record of codes to phrase.ts, which alone uses this.
 * Rule: as phrase.ts says; what would work is named in the words of events, which every surface has a verb for.
 */
import type { RefusalFacts } from "../contract/refusal.ts";
import { joinSentences, listItems, type Phrase, type PhraseContext } from "./phrase-words.ts";
import { clipQuoted } from "./show-value.ts";

function quote(text: string): string {
  return JSON.stringify(clipQuoted(text));
}

export function phraseUnknown(
  { id, nearest }: RefusalFacts["commitment-unknown"],
  { names }: PhraseContext,
): Phrase {
  const list = names.suggest("commitments", {});
  return {
    wrong: `There is no commitment whose id begins with ${quote(id)}.`,
    advice: joinSentences(
      nearest.length === 0 ? undefined : `The nearest are ${listItems(nearest)}.`,
      list === undefined ? undefined : `See all that are open: ${list}`,
    ),
  };
}

export function phraseAmbiguous(
  { id, candidates }: RefusalFacts["commitment-ambiguous"],
  { names }: PhraseContext,
): Phrase {
  const first = candidates[0]?.id;
  const call = first === undefined ? undefined : names.suggest("commitments", { id: first });
  return {
    wrong: `${quote(id)} is the beginning of ${candidates.length} ids.`,
    advice: joinSentences(
      `They are ${listItems(candidates.map((one) => `${one.id} (${clipQuoted(one.objective)})`))}.`,
      call === undefined ? undefined : `The first: ${call}`,
    ),
  };
}

export function phraseExists({ id }: RefusalFacts["commitment-exists"]): Phrase {
  return {
    wrong: `The commitment ${id} is there already.`,
    advice: "Leave the id away, and a new one is made.",
  };
}

export function phraseInvalid({ problems }: RefusalFacts["commitment-invalid"]): Phrase {
  const told = problems.map(({ path, message }) => `${path} ${message}`);
  return { wrong: `This cannot be taken: ${listItems(told.map(clipQuoted))}.` };
}

export function phraseTransition(facts: RefusalFacts["commitment-transition"]): Phrase {
  const { id, event, phase, possible, why } = facts;
  const advice =
    possible.length === 0
      ? "Nothing can happen to it any more: open a new one instead."
      : `What may happen now: ${listItems(possible)}.`;
  return {
    wrong: `${event} may not happen to the commitment ${id}: ${why ?? `it is ${phase}`}.`,
    advice,
  };
}

export function phraseUnproven({ id, asked, lacking }: RefusalFacts["commitment-unproven"]): Phrase {
  return {
    wrong: `The commitment ${id} asks for evidence that is ${asked}, and is not proven: ${lacking.map(clipQuoted).join("; ")}.`,
    advice:
      "Evaluate it anew, or close it with another verdict: partial, failed, abandoned, expired or unknown.",
  };
}

export function phraseCriterion(facts: RefusalFacts["commitment-criterion"]): Phrase {
  const { id, criterion, kind, criteria } = facts;
  return {
    wrong:
      kind === undefined
        ? `The commitment ${id} has no criterion ${quote(criterion)}.`
        : `The criterion ${criterion} of the commitment ${id} is proven by ${kind}, and not so.`,
    advice: criteria.length === 0 ? undefined : `These are: ${listItems(criteria)}.`,
  };
}

export function phraseQuestion(facts: RefusalFacts["commitment-question"]): Phrase {
  const { id, question, isAnswered, open } = facts;
  return {
    wrong: isAnswered
      ? `The question ${quote(question)} of the commitment ${id} is answered already.`
      : `The commitment ${id} never asked a question ${quote(question)}.`,
    advice: open.length === 0 ? "No question of it waits for an answer." : `Open are ${listItems(open)}.`,
  };
}
