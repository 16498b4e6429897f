/**
 * Owns the sentences of refusals about paths. Leaves the record of codes to phrase.ts, which alone uses this.
 * Rule: as phrase.ts says.
 */
import { posix } from "node:path";
import type { RefusalFacts } from "../contract/refusal.ts";
import { adviseList, joinSentences, listItems, type Phrase, type PhraseContext } from "./phrase-words.ts";
import { clipQuoted, clipText } from "./show-value.ts";

/** A host's resolver says why in its own words. */
const LONGEST_REASON = 4_000;

const OUTSIDE = {
  "dot-dot": "its .. lead out of it",
  absolute: "it is an absolute path elsewhere",
  link: "a link in it leads out",
} as const;

export function phraseOutside(facts: RefusalFacts["path-outside-root"], { names }: PhraseContext): Phrase {
  return {
    wrong: `${clipQuoted(facts.path)} is outside the root: ${OUTSIDE[facts.why]}.`,
    advice: joinSentences(
      "Give a path inside the root, relative to it.",
      facts.inside === undefined ? undefined : `There is ${facts.inside}.`,
      adviseList(names, "."),
    ),
  };
}

/** bash has one path, and what is wrong with it must not be taken for something wrong with the command. */
function nameKind({ tool }: PhraseContext): string {
  return tool?.name === "bash" ? "working directory " : "";
}

export function phraseMissing(facts: RefusalFacts["path-missing"], context: PhraseContext): Phrase {
  const { names } = context;
  const { nearest, similar, sameName } = facts;
  const listed = listItems(nearest.entries, nearest.total);
  const named = nearest.isAtLeast ? listed.replace(/ and (?=\d+ more$)/, " and at least ") : listed;
  const holds = nearest.total === 0 ? "is empty" : `has ${named}`;
  return {
    wrong: `${nameKind(context)}${clipQuoted(facts.path)} does not exist.`,
    advice: joinSentences(
      similar.length > 0 ? `Near spellings: ${listItems(similar)}.` : undefined,
      sameName.length > 0 ? `The same name elsewhere: ${listItems(sameName)}.` : undefined,
      `The nearest directory, ${nearest.path}, ${holds}.`,
      adviseList(names, nearest.path),
    ),
  };
}

export function phraseInvalid(facts: RefusalFacts["path-invalid"]): Phrase {
  return {
    wrong: endSentence(`${clipQuoted(facts.path)}: ${clipText(facts.reason, LONGEST_REASON)}`),
  };
}

function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

const PROTECTED = {
  git: "is part of a .git directory, which these tools never change: what is put there runs with the next git command",
  haft: "is part of .haft, which holds the records of this toolset",
  configuration: "is the configuration of these tools in this project",
  root: "is the root itself",
} as const;

export function phraseProtected(facts: RefusalFacts["path-protected"], context: PhraseContext): Phrase {
  const { path, by, inside } = facts;
  if (inside === undefined)
    return {
      wrong: `${clipQuoted(path)} ${PROTECTED[by]}.`,
      advice: by === "root" ? "Name something inside it." : undefined,
    };
  return {
    wrong: `${clipQuoted(path)} is refused as a whole, because ${clipQuoted(inside)} ${PROTECTED[by].replace("is part of", "is")}.`,
    advice: joinSentences("Name the parts beside it one by one.", adviseList(context.names, path)),
  };
}

export function phraseNotRegular(facts: RefusalFacts["path-not-regular"]): Phrase {
  const kind = facts.kind === "other" ? "something" : facts.kind === "fifo" ? "a FIFO" : `a ${facts.kind}`;
  return {
    wrong: `${clipQuoted(facts.path)} is ${kind} and not a regular file; it is not opened.`,
    advice: "Name a regular file.",
  };
}

export function phraseIsDirectory(
  facts: RefusalFacts["path-is-directory"],
  { names, tool }: PhraseContext,
): Phrase {
  return {
    wrong: `${clipQuoted(facts.path)} is a directory.`,
    advice: joinSentences(
      tool?.name === "delete"
        ? "To delete it with all that is in it, add recursive: true."
        : "Name a file in it.",
      adviseList(names, facts.path),
    ),
  };
}

export function phraseNotDirectory(
  facts: RefusalFacts["path-not-directory"],
  context: PhraseContext,
): Phrase {
  const { names } = context;
  return {
    wrong:
      facts.path === facts.ancestor
        ? `${nameKind(context)}${clipQuoted(facts.path)} is not a directory.`
        : `${nameKind(context)}${clipQuoted(facts.path)} cannot be: ${clipQuoted(facts.ancestor)} is not a directory.`,
    advice: adviseList(names, posix.dirname(facts.ancestor)),
  };
}

export function phraseExists(facts: RefusalFacts["path-exists"]): Phrase {
  const way =
    facts.kind === "directory"
      ? "Give another name."
      : "Give another name, or overwrite: true to replace it.";
  return { wrong: `${clipQuoted(facts.path)} exists already (${facts.kind}).`, advice: way };
}

export function phraseDenied(facts: RefusalFacts["path-denied"]): Phrase {
  return {
    wrong: `The system does not allow to ${facts.operation} ${clipQuoted(facts.path)} (${facts.error}).`,
    advice: "Take another path, or ask a person to change its permissions.",
  };
}

export function phraseExchanged(facts: RefusalFacts["path-changed"], { names }: PhraseContext): Phrase {
  return {
    wrong: `${clipQuoted(facts.path)} was exchanged for something else while the call ran.`,
    advice: joinSentences("Look again, then repeat the call.", adviseList(names, ".")),
  };
}

export function phraseMoveIntoItself(facts: RefusalFacts["move-into-itself"]): Phrase {
  return {
    wrong: `${clipQuoted(facts.from)} cannot be moved to ${clipQuoted(facts.to)}, which is ${facts.from === facts.to ? "the same place" : "inside it"}.`,
    advice: "Give a destination outside of it.",
  };
}
