/**
 * Owns the sentences of refused edits. Leaves the record of codes to phrase.ts, which alone uses this,
 * and finding the closest region to text/. Rule: as phrase.ts says; line numbers are those that `read` prints.
 */
import type { ClosestRegion, EditPlace, RefusalFacts } from "../contract/refusal.ts";
import { countOf, listItems, listRanges, type Phrase, type PhraseContext } from "./phrase-words.ts";
import { clipText } from "./show-value.ts";

/** Characters of one line in a listing of places. */
const LONGEST_LINE = 200;

export function phraseNoMatch(facts: RefusalFacts["edit-no-match"], { names }: PhraseContext): Phrase {
  const { path, entry, entries, region, alreadyAt } = facts;
  const others = entries > 1 ? ` None of the ${entries} edits was applied.` : "";
  const wrong = `${entry}: its old_text does not occur in ${path}.${others}`;
  if (alreadyAt !== undefined && region === undefined)
    return { wrong, advice: `Its new_text already stands at line ${alreadyAt}: it may be done.` };
  const lines = region?.lines;
  const call = names.suggest(
    "read",
    lines === undefined ? { path } : { path, offset: lines.start, limit: lines.end - lines.start + 1 },
  );
  if (region === undefined)
    return { wrong, advice: `Nothing in it comes close.${call === undefined ? "" : ` Read it: ${call}`}` };
  const done =
    alreadyAt === undefined ? "" : `Its new_text already stands at line ${alreadyAt}: it may be done. `;
  const differ = region.differences.length > 0 ? ` They differ in: ${listItems(region.differences)}.` : "";
  return {
    wrong,
    advice: `${done}Closest: ${listRanges([region.lines])}.${differ} Copy the lines as the file has them${call === undefined ? "." : `: ${call}`}`,
    below: renderRegion(region),
  };
}

/** `12<TAB>text` for a line of the file, and below it what was asked where it differs. */
function renderRegion({ rows }: ClosestRegion): string {
  return rows
    .map(({ line, actual, asked }) => {
      const file = `${line}\t${clipText(actual, LONGEST_LINE)}`;
      return asked === undefined ? file : `${file}\n  asked:\t${clipText(asked, LONGEST_LINE)}`;
    })
    .join("\n");
}

export function phraseAmbiguous(facts: RefusalFacts["edit-ambiguous"]): Phrase {
  const times = `${facts.isAtLeast ? "at least " : ""}${countOf(facts.total, "time")}`;
  const { entry, path } = facts;
  const below = renderPlaces(facts);
  if (facts.isTolerated)
    return {
      wrong: `${entry}: its old_text does not occur in ${path} as it was sent, and ${facts.isAtLeast ? "at least " : ""}${facts.total} places come equally close.`,
      advice: "Send the text of the one that is meant exactly as the file has it, with the lines around it.",
      below,
    };
  return {
    wrong: `${entry}: its old_text occurs ${times} in ${path}.`,
    advice: "Add the lines around the one that is meant, or give replace_all: true for all of them.",
    below,
  };
}

export function phraseCount(facts: RefusalFacts["edit-count"]): Phrase {
  return {
    wrong: `${facts.entry}: its old_text occurs ${countOf(facts.total, "time")} in ${facts.path}, not ${countOf(facts.expected, "time")}.`,
    advice: "Give replace_all: true for all of them, or add the lines around the ones that are meant.",
    below: renderPlaces(facts),
  };
}

/** `12<TAB>text`, and the line near it that no other place has near it. */
function renderPlaces({ places, total }: { places: readonly EditPlace[]; total: number }): string {
  const rows = places.map(({ line, text, near }) => {
    const place = `${line}\t${clipText(text, LONGEST_LINE)}`;
    return near === undefined
      ? place
      : `${place}\n  near:\t${near.line}\t${clipText(near.text, LONGEST_LINE)}`;
  });
  const more = total - places.length;
  return [...rows, ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}

export function phraseNoChange(facts: RefusalFacts["edit-no-change"], { names }: PhraseContext): Phrase {
  const what =
    facts.entry === undefined
      ? "The edits together change nothing"
      : `${facts.entry}: old_text and new_text are the same`;
  if (facts.endings !== undefined) {
    const write = names.name("write");
    return {
      wrong: `${what} in ${facts.path}: no change. The file's line endings are kept (${facts.endings}), whatever those of new_text are.`,
      advice: write && `To change them, ${write} the whole file.`,
    };
  }
  return {
    wrong: `${what} in ${facts.path}: no change.`,
    advice: "Leave it out, or give the text that is wanted.",
  };
}
