/**
 * Owns the sentences of refusals about what is in a file. Leaves the record of codes to phrase.ts, which alone uses this.
 * Rule: as phrase.ts says.
 */
import type { LineRange, NoRead, RefusalFacts } from "../contract/refusal.ts";
import { countOf, joinSentences, listRanges, type Phrase, type PhraseContext } from "./phrase-words.ts";

/** Lines at the end of a file that a hint asks for. */
const LAST_LINES = 50;

export function phraseBinary(facts: RefusalFacts["file-binary"], { names }: PhraseContext): Phrase {
  const { path, textLines } = facts;
  const call =
    textLines !== undefined && textLines > 0
      ? names.suggest("read", { path, offset: 1, limit: textLines })
      : undefined;
  return {
    wrong: `${path} is binary (${facts.kind}, ${countOf(facts.bytes, "byte")}), not text.`,
    advice:
      call === undefined
        ? undefined
        : `Its first ${countOf(textLines ?? 0, "line")} can be read as text: ${call}`,
  };
}

export function phraseTooLarge(
  facts: RefusalFacts["file-too-large"],
  { names, tool }: PhraseContext,
): Phrase {
  const call =
    tool?.name === "read"
      ? undefined
      : names.suggest("read", { path: facts.path, offset: 1, limit: LAST_LINES });
  return {
    wrong: `${facts.path} has ${facts.bytes} bytes, and at most ${facts.maxBytes} can be taken at once.`,
    advice: call === undefined ? undefined : `Reading part of it works: ${call}`,
  };
}

export function phraseEncoding(facts: RefusalFacts["file-encoding"]): Phrase {
  const where =
    facts.firstBadOffset === undefined
      ? ""
      : ` (first byte that is not UTF-8 at offset ${facts.firstBadOffset})`;
  const entry = facts.entry === undefined ? "the text" : facts.entry;
  const is = facts.encoding === "utf-8" ? "is not valid UTF-8" : `is ${facts.encoding}, not UTF-8`;
  return {
    wrong: `${facts.path} ${is}${where}, and ${entry} needs characters that cannot be written in it safely.`,
    advice: "Change it with ASCII characters alone, or have the file converted to UTF-8 first.",
  };
}

const NO_READ: Readonly<Record<NoRead, string>> = {
  image: "an image, whose bytes no read shows",
  pdf: "a PDF document, whose bytes no read shows",
  notebook: "a notebook, which is shown as its cells and not as the text that it is made of",
  binary: "binary, and no read shows it",
  "too-large": "too large to be compared with what was shown of it",
};

/** The way that is left where reading first does not help. */
const ONLY_OVERWRITE = "Reading does not make it known. Only overwrite: true replaces it.";

export function phraseUnread(facts: RefusalFacts["file-unread"], { names }: PhraseContext): Phrase {
  if (facts.noRead !== undefined)
    return { wrong: `${facts.path} exists and is ${NO_READ[facts.noRead]}.`, advice: ONLY_OVERWRITE };
  return {
    wrong: `${facts.path} exists with ${countOf(facts.lines, "line")}, and ${facts.unseen.length > 0 ? `${listRanges(facts.unseen)} of it ${isOne(facts.unseen) ? "was" : "were"} not shown` : "it was not shown"}.`,
    advice: joinSentences(
      suggestLines(names, facts.path, facts.unseen[0]),
      "Or change only parts of it, or give overwrite: true to replace it unread.",
    ),
  };
}

export function phraseChanged(facts: RefusalFacts["file-changed"], { names }: PhraseContext): Phrase {
  if (facts.noRead !== undefined) {
    const is = NO_READ[facts.noRead];
    return {
      wrong: `${facts.path} changed since it was last written here, and is ${is}.`,
      advice: ONLY_OVERWRITE,
    };
  }
  const where = facts.lines.length > 0 ? ` (${listRanges(facts.lines)})` : "";
  return {
    wrong: `${facts.path} changed since it was last shown or written here${where}.`,
    advice: joinSentences(
      suggestLines(names, facts.path, facts.lines[0]),
      "Then repeat the call on what stands there now, or give overwrite: true where the call takes it.",
    ),
  };
}

function isOne(ranges: readonly LineRange[]): boolean {
  return ranges.length === 1 && ranges[0]?.start === ranges[0]?.end;
}

function suggestLines(
  names: PhraseContext["names"],
  path: string,
  range: LineRange | undefined,
): string | undefined {
  const lines = range === undefined ? {} : { offset: range.start, limit: range.end - range.start + 1 };
  const call = names.suggest("read", { path, ...lines });
  return call === undefined ? undefined : `Read it: ${call}.`;
}

export function phraseGenerated(facts: RefusalFacts["file-generated"]): Phrase {
  const by = facts.generator === undefined ? "" : ` by ${facts.generator}`;
  return {
    wrong: `${facts.path} is generated${by} (${JSON.stringify(facts.marker)} in its header); the next run of the generator would undo the change.`,
    advice: "Change what it is generated from, and run the generator.",
  };
}

export function phraseHardLinks(facts: RefusalFacts["file-hard-links"]): Phrase {
  return {
    wrong: `${facts.path} has ${facts.count} hard links; replacing it would leave the other names with the old text.`,
    advice: "Ask a person which of the names is meant to change.",
  };
}

export function phraseOwner(facts: RefusalFacts["file-owner"]): Phrase {
  return {
    wrong: `${facts.path} belongs to user ${facts.uid} and group ${facts.gid}, and replacing it would change that.`,
    advice: "Ask a person to change it or its owner.",
  };
}

export function phraseNotebook(facts: RefusalFacts["notebook-broken"], { names }: PhraseContext): Phrase {
  const call = names.suggest("grep", { path: facts.path, pattern: '"source"', context: 5 });
  return {
    wrong: `${facts.path} is a notebook, and the edits would leave it as no valid JSON.`,
    advice: joinSentences(
      'Edits change the JSON of the file, where quotes stand as \\" and a line of a cell ends in \\n",.',
      call === undefined ? undefined : `Its JSON can be seen: ${call}`,
    ),
  };
}

export function phraseImage(facts: RefusalFacts["image-invalid"]): Phrase {
  return {
    wrong: `${facts.path} is a damaged ${facts.kind} image (${countOf(facts.bytes, "byte")}): ${facts.reason}.`,
    advice: "It cannot be shown until it is made anew.",
  };
}

export function phraseRange(facts: RefusalFacts["range-outside"], { names }: PhraseContext): Phrase {
  const { path, offset, lines, column } = facts;
  const length = lines === 0 ? "is empty (0 bytes)" : `has ${countOf(lines, "line")}`;
  if (column !== undefined) {
    const call = names.suggest("read", { path, offset });
    return {
      wrong: `Line ${offset} of ${path} has ${countOf(column.characters, "character")}; column ${column.asked} is outside of it.`,
      advice: joinSentences(
        "Columns start at 1.",
        call === undefined ? undefined : `Read the line from its start: ${call}`,
      ),
    };
  }
  const hint =
    lines === 0 ? { path } : { path, offset: offset < 1 ? 1 : Math.max(1, lines - LAST_LINES + 1) };
  const call = names.suggest("read", hint);
  return {
    wrong:
      offset < 1
        ? `offset ${offset} is no line: line numbers start at 1, and ${path} ${length}.`
        : `offset ${offset} is past the end: ${path} ${length}.`,
    advice: call === undefined ? undefined : `Read what is there: ${call}`,
  };
}
