/**
 * Owns the sentences of refusals about the browser. Leaves the record of codes to phrase.ts, which alone uses this.
 * Rule: as phrase.ts says; a person who has to install something is told what.
 */
import type { RefusalFacts } from "../contract/refusal.ts";
import { listItems, type Phrase, type PhraseContext } from "./phrase-words.ts";
import { clipQuoted } from "./show-value.ts";

export function phraseMissing(
  { tried, wrong }: RefusalFacts["browser-missing"],
  { names }: PhraseContext,
): Phrase {
  const webfetch = names.name("webfetch");
  const other = webfetch === undefined ? "" : ` ${webfetch} reads pages that need no JavaScript.`;
  if (wrong !== undefined)
    return {
      wrong: `The browser that ${wrong.by} names, ${JSON.stringify(clipQuoted(wrong.value))}, cannot be run: ${wrong.reason}.`,
      advice: `Nothing was launched. Whoever runs this has to correct ${wrong.by}, or to leave it out.${other}`,
    };
  return {
    wrong: `No browser was found on this machine. Tried: ${listItems(tried)}.`,
    advice: `Whoever runs this can install Chromium or Chrome, or name one by HAFT_BROWSER or the option browser.path.${other}`,
  };
}

export function phraseFailed({ reason, url, lastWords }: RefusalFacts["browser-failed"]): Phrase {
  const page = url === undefined ? "a page" : clipQuoted(url);
  const words = lastWords === "" ? "It said nothing." : `Its last words: ${clipQuoted(lastWords)}`;
  if (reason === "not-started")
    return { wrong: `The browser could not be started: ${clipQuoted(lastWords)}.` };
  if (reason === "timed-out")
    return {
      wrong: `The browser gave no DOM of ${page} within 20 s and was ended. ${words}`,
      advice: "A script of the page may never end, or wait for an answer to a dialog.",
    };
  return { wrong: `The browser gave no DOM of ${page}. ${words}` };
}
