/**
 * Owns what a model is told of a refusal: one pattern a code, in one record; a code without one does not compile.
 * Leaves the subjects' sentences to phrase-call.ts, phrase-path.ts, phrase-file.ts, phrase-pdf.ts, phrase-edit.ts, phrase-shell.ts, phrase-web.ts, phrase-browser.ts, phrase-session.ts and phrase-commitment.ts, which nothing else uses.
 * Rule: what is wrong, that nothing was changed, and what would work. A call is suggested only under its mounted
 * name, and only one that succeeds.
 */

import type { Refusal, RefusalCode, RefusalFacts } from "../contract/refusal.ts";
import { keepOnOneLine } from "../text/one-line.ts";
import * as browser from "./phrase-browser.ts";
import * as call from "./phrase-call.ts";
import * as commitment from "./phrase-commitment.ts";
import * as edit from "./phrase-edit.ts";
import * as file from "./phrase-file.ts";
import * as path from "./phrase-path.ts";
import { phrasePdf } from "./phrase-pdf.ts";
import * as session from "./phrase-session.ts";
import * as shell from "./phrase-shell.ts";
import * as web from "./phrase-web.ts";
import type { Phrase, PhraseContext } from "./phrase-words.ts";

type Phrases = { readonly [C in RefusalCode]: (facts: RefusalFacts[C], context: PhraseContext) => Phrase };

const PHRASES: Phrases = {
  "path-outside-root": path.phraseOutside,
  "path-missing": path.phraseMissing,
  "path-invalid": path.phraseInvalid,
  "path-protected": path.phraseProtected,
  "path-not-regular": path.phraseNotRegular,
  "path-is-directory": path.phraseIsDirectory,
  "path-not-directory": path.phraseNotDirectory,
  "path-exists": path.phraseExists,
  "path-denied": path.phraseDenied,
  "path-changed": path.phraseExchanged,
  "move-into-itself": path.phraseMoveIntoItself,
  "file-binary": file.phraseBinary,
  "file-too-large": file.phraseTooLarge,
  "file-encoding": file.phraseEncoding,
  "file-unread": file.phraseUnread,
  "file-changed": file.phraseChanged,
  "file-generated": file.phraseGenerated,
  "file-hard-links": file.phraseHardLinks,
  "file-owner": file.phraseOwner,
  "notebook-broken": file.phraseNotebook,
  "image-invalid": file.phraseImage,
  "pdf-unreadable": phrasePdf,
  "range-outside": file.phraseRange,
  "edit-no-match": edit.phraseNoMatch,
  "edit-ambiguous": edit.phraseAmbiguous,
  "edit-count": edit.phraseCount,
  "edit-no-change": edit.phraseNoChange,
  "input-invalid": call.phraseInput,
  "input-truncated": call.phraseTruncated,
  "tool-unknown": call.phraseUnknown,
  "tool-failed": call.phraseOwn,
  "pattern-unsupported": call.phrasePattern,
  "command-failed": shell.phraseFailed,
  "command-timed-out": shell.phraseTimedOut,
  "command-syntax": shell.phraseSyntax,
  "command-not-started": shell.phraseNotStarted,
  "job-unknown": shell.phraseNoJob,
  "worker-lost": shell.phraseWorkerLost,
  "url-invalid": web.phraseInvalid,
  "url-blocked": web.phraseBlocked,
  "redirect-failed": web.phraseRedirect,
  "fetch-failed": web.phraseFetchFailed,
  "fetch-timed-out": web.phraseTimedOut,
  "content-encoding": web.phraseEncoding,
  "http-status": web.phraseStatus,
  "content-type": web.phraseType,
  "browser-missing": browser.phraseMissing,
  "browser-failed": browser.phraseFailed,
  "permission-denied": session.phraseDenied,
  "result-missing": session.phraseNoResult,
  "result-range": session.phraseResultRange,
  "commitment-unknown": commitment.phraseUnknown,
  "commitment-ambiguous": commitment.phraseAmbiguous,
  "commitment-exists": commitment.phraseExists,
  "commitment-invalid": commitment.phraseInvalid,
  "commitment-transition": commitment.phraseTransition,
  "commitment-unproven": commitment.phraseUnproven,
  "commitment-criterion": commitment.phraseCriterion,
  "commitment-question": commitment.phraseQuestion,
  "call-cancelled": call.phraseCancelled,
  closed: call.phraseClosed,
  fault: call.phraseFault,
};

/** Refusals after which something may have been changed: they say so themselves, or say nothing. */
const UNCERTAIN: ReadonlySet<RefusalCode> = new Set([
  "call-cancelled",
  "fault",
  "closed",
  "tool-unknown",
  "tool-failed",
  "command-failed",
  "command-timed-out",
  "worker-lost",
]);
/** The model's text of a refusal. */
export function phraseRefusal(refusal: Refusal, context: PhraseContext): string {
  const phrase = PHRASES[refusal.code] as (facts: unknown, context: PhraseContext) => Phrase;
  const { wrong, advice, below } = phrase(refusal.facts, context);
  const parts = [wrong, tellUnchanged(refusal, context), advice].filter(
    (part) => part !== undefined && part !== "",
  );
  return [keepOnOneLine(parts.join(" ")), below]
    .filter((part) => part !== undefined && part !== "")
    .join("\n")
    .toWellFormed();
}

function tellUnchanged({ code, facts }: Refusal, { tool }: PhraseContext): string | undefined {
  if (tool === undefined || tool.annotations.readOnlyHint || UNCERTAIN.has(code)) return undefined;
  // A change to a whole tree can end part of the way, where the system does not allow the rest.
  if ("done" in facts && facts.done !== undefined) return `Before that, ${facts.done}; that stays so.`;
  return "Nothing was changed.";
}
