/**
 * Owns the sentences of refusals about PDF documents. Leaves the record of codes to phrase.ts, which alone uses this.
 * Rule: as phrase.ts says.
 */
import type { RefusalFacts } from "../contract/refusal.ts";
import { countOf, joinSentences, type Phrase, type PhraseContext } from "./phrase-words.ts";

export function phrasePdf(facts: RefusalFacts["pdf-unreadable"], { names }: PhraseContext): Phrase {
  const { path, bytes, why, reason } = facts;
  const size = countOf(bytes, "byte");
  const bash = names.name("bash");
  const by = (command: string, makes: string) =>
    bash === undefined ? undefined : `Where qpdf is installed, ${command} in ${bash} makes ${makes}.`;
  switch (why) {
    case "encrypted":
      return {
        wrong: `${path} is an encrypted PDF document (${size}): ${reason}.`,
        advice: joinSentences(
          "Ask a person for a copy without a password.",
          by("qpdf --decrypt --password=PASSWORD IN.pdf OUT.pdf", "one"),
        ),
      };
    case "damaged":
      return {
        wrong: `${path} is a damaged PDF document (${size}): ${reason}.`,
        advice: "It cannot be read until it is made anew.",
      };
    case "bounds":
      return {
        wrong: `${path} is a PDF document (${size}) that takes too much to be read: ${reason}.`,
        advice: joinSentences(
          "Ask a person for a smaller one.",
          by("qpdf IN.pdf --pages . 1-20 -- OUT.pdf", "one of some of its pages"),
        ),
      };
    case "reader-missing":
      return {
        wrong: `${path} is a PDF document (${size}), and ${reason}, which reads them.`,
        advice: "Ask a person to install it: npm install unpdf",
      };
    default:
      return {
        wrong: `${path} is a PDF document (${size}), and reading it failed: ${reason}.`,
        advice: undefined,
      };
  }
}
