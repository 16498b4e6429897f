/**
 * Owns the sentences of refusals about a call as such. Leaves the record of codes to phrase.ts, which alone uses this.
 * Rule: as phrase.ts says.
 */
import type { RefusalFacts } from "../contract/refusal.ts";
import { joinSentences, listItems, type Phrase, type PhraseContext } from "./phrase-words.ts";
import { clipQuoted } from "./show-value.ts";

/** Problems told at once; more than these are one misunderstanding. */
const MOST_PROBLEMS = 20;

export function phraseInput(facts: RefusalFacts["input-invalid"], { tool, names }: PhraseContext): Phrase {
  const shown = facts.problems.slice(0, MOST_PROBLEMS).map(({ path, message }) => `${path} ${message}`);
  const more = facts.problems.length - shown.length;
  const told = `${facts.tool}: ${shown.join("; ")}${more > 0 ? `; and ${more} more problems` : ""}`;
  const taker = facts.entriesOf === undefined ? "It" : `Each entry of ${facts.entriesOf}`;
  const write =
    tool?.name === "edit" && facts.problems.some(isEmptyOldText) ? names.name("write") : undefined;
  return {
    wrong: told.endsWith("?") ? told : `${told}.`,
    advice: joinSentences(
      write && `To make a file, or to fill an empty one, use ${write}.`,
      `${taker} takes ${listItems(facts.takes)}.`,
    ),
  };
}

function isEmptyOldText({ path, message }: RefusalFacts["input-invalid"]["problems"][number]): boolean {
  return path.endsWith("old_text") && message === "must not be empty";
}

export function phraseTruncated(facts: RefusalFacts["input-truncated"]): Phrase {
  const length = facts.characters > 0 ? ` after ${facts.characters} characters` : "";
  return {
    wrong: `${facts.tool}: the arguments end too early${length}: the JSON text was cut off.`,
    advice: "It is not completed by guessing. Send less at once, in several calls.",
  };
}

export function phraseUnknown(facts: RefusalFacts["tool-unknown"]): Phrase {
  const named = `There is no tool ${JSON.stringify(facts.name)} here`;
  const told = facts.nearest === undefined ? `${named}.` : `${named}; did you mean ${facts.nearest}?`;
  return {
    wrong: facts.name === "" ? "The call names no tool." : told,
    advice: facts.names.length === 0 ? undefined : `The tools are ${listItems(facts.names)}.`,
  };
}

/** In the words of whoever wrote the tool, as they stand. */
export function phraseOwn({ message }: RefusalFacts["tool-failed"]): Phrase {
  const [first = "", ...rest] = message.split("\n");
  return { wrong: first, ...(rest.length === 0 ? {} : { below: rest.join("\n") }) };
}

export function phrasePattern(facts: RefusalFacts["pattern-unsupported"], { tool }: PhraseContext): Phrase {
  // A rewrite that is cut off is none.
  const isQuotable = facts.rewrite !== undefined && clipQuoted(facts.rewrite) === facts.rewrite;
  const rewrite = isQuotable ? `Instead: ${facts.rewrite}` : undefined;
  const pattern = JSON.stringify(clipQuoted(facts.pattern));
  const wrong = `The pattern ${pattern} uses ${clipQuoted(facts.construct)}, which is not supported.`;
  // The pattern of these two is a glob.
  if (tool?.name === "glob" || tool?.name === "list") return { wrong, advice: rewrite };
  // The others that search do not take it.
  const takesLiteral = tool === undefined || !["read", "recall", "jobs"].includes(tool.name);
  return {
    wrong,
    advice: joinSentences(
      "Patterns are RE2 syntax, which is always linear.",
      rewrite && `${rewrite}.`,
      takesLiteral ? "Or search for the text as it stands with literal: true." : undefined,
    ),
  };
}

export function phraseCancelled(facts: RefusalFacts["call-cancelled"], { tool }: PhraseContext): Phrase {
  const changes = tool !== undefined && !tool.annotations.readOnlyHint;
  return {
    wrong: `${facts.tool} was cancelled.`,
    advice: changes ? `${tellState(tool)}; look before you repeat the call.` : undefined,
  };
}

export function phraseClosed(): Phrase {
  return { wrong: "This toolset is closed; nothing was run. Calls need a newly mounted one." };
}

export function phraseFault(facts: RefusalFacts["fault"], { tool }: PhraseContext): Phrase {
  const reads = tool === undefined || tool.annotations.readOnlyHint;
  return {
    wrong: `${facts.tool} failed: ${facts.message}.`,
    advice: reads ? "Nothing was changed." : `${tellState(tool)}; look before you repeat the call.`,
  };
}

/** Our own changes are whole ones. Of what a command does that cannot be said. */
function tellState({ name }: NonNullable<PhraseContext["tool"]>): string {
  if (name === "bash") return "What the command had changed by then stays";
  return name === "jobs" ? "A job is as it was or stopped" : "Each file is as it was or wholly changed";
}
