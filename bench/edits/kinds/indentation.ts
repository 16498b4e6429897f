/**
 * Owns calls that are indented otherwise than the file, as a whole: shifted either way, tabs for spaces and back.
 * Leaves lost relative indentation to refusals.ts. Rule: the new lines use no depth that the old ones leave open.
 */
import { drawChange, type FreshLine } from "../change.ts";
import { type Cut, cutLines } from "../cut.ts";
import { drawDocument, indentOf, indentWithTabs, isBlank, mapTexts, unitOf } from "../document.ts";
import { makeLanding } from "../task.ts";
import type { Kind } from "./kind.ts";

const removed: Kind = {
  name: "indentation taken away",
  outcome: "land",
  make(random, corpus) {
    const document = drawDocument(random, corpus);
    const cut = cutLines(random, document, { min: 2, max: 10 });
    const fresh = cut && drawChange(random, { lines: cut.lines, extension: document.extension });
    if (cut === undefined || fresh === undefined) return undefined;
    const shared = sharedIndent([...cut.lines, ...fresh.map((line) => line.text)]);
    if (shared === "") return undefined;
    // All of it, as in a snippet, or a part of it.
    const gone = random.chance(0.6) ? shared : shared.slice(0, random.between(1, shared.length));
    const send = (text: string): string => (isBlank(text) ? "" : text.slice(gone.length));
    return hasPlainBlanks(cut) ? makeLanding({ kind: this.name, document, cut, fresh, send }) : undefined;
  },
};

const added: Kind = {
  name: "indentation added",
  outcome: "land",
  make(random, corpus) {
    const document = drawDocument(random, corpus);
    const cut = cutLines(random, document, { min: 1, max: 10 });
    const fresh = cut && drawChange(random, { lines: cut.lines, extension: document.extension });
    if (cut === undefined || fresh === undefined) return undefined;
    const usesTabs = cut.lines.some((line) => line.startsWith("\t"));
    const usesSpaces = cut.lines.some((line) => line.startsWith(" "));
    if (usesTabs && usesSpaces) return undefined;
    const more = usesTabs ? "\t".repeat(random.between(1, 2)) : " ".repeat(random.pick([2, 4, 1, 8]));
    const send = (text: string): string => (isBlank(text) ? "" : more + text);
    return hasPlainBlanks(cut) ? makeLanding({ kind: this.name, document, cut, fresh, send }) : undefined;
  },
};

const tabsSent: Kind = {
  name: "tabs sent for spaces",
  outcome: "land",
  make(random, corpus) {
    const document = drawDocument(random, corpus);
    const texts = document.lines.map((line) => line.text);
    if (texts.some((text) => text.startsWith("\t"))) return undefined;
    const cut = cutLines(random, document, { min: 1, max: 10 });
    const fresh = cut && drawChange(random, { lines: cut.lines, extension: document.extension });
    if (cut === undefined || fresh === undefined || !hasOnlyKnownDepths(cut, fresh)) return undefined;
    const unit = unitOf(texts);
    const send = (text: string): string => indentWithTabs(text, unit);
    return hasPlainBlanks(cut) ? makeLanding({ kind: this.name, document, cut, fresh, send }) : undefined;
  },
};

const spacesSent: Kind = {
  name: "spaces sent for tabs",
  outcome: "land",
  make(random, corpus) {
    let document = drawDocument(random, corpus);
    const unit = unitOf(document.lines.map((line) => line.text));
    document = mapTexts(document, (text) => indentWithTabs(text, unit));
    const cut = cutLines(random, document, { min: 1, max: 10 });
    const fresh = cut && drawChange(random, { lines: cut.lines, extension: document.extension });
    if (cut === undefined || fresh === undefined || !hasOnlyKnownDepths(cut, fresh)) return undefined;
    const width = random.pick([4, 4, 2, 8]);
    // A rest of spaces as wide as a tab would be one.
    const rests = [...cut.lines, ...fresh.map((line) => line.text)].map((text) =>
      indentOf(text).replace(/^\t*/, ""),
    );
    if (rests.some((rest) => rest.includes("\t") || rest.length >= width)) return undefined;
    const send = (text: string): string =>
      indentOf(text).replaceAll("\t", " ".repeat(width)) + text.trimStart();
    return hasPlainBlanks(cut) ? makeLanding({ kind: this.name, document, cut, fresh, send }) : undefined;
  },
};

/** Blanks on a blank line would be a second thing that differs. */
function hasPlainBlanks(cut: Cut): boolean {
  return cut.lines.every((line) => line === "" || !isBlank(line));
}

function sharedIndent(lines: readonly string[]): string {
  const indents = lines.filter((line) => !isBlank(line)).map(indentOf);
  let shared = indents[0] ?? "";
  for (const indent of indents) while (!indent.startsWith(shared)) shared = shared.slice(0, -1);
  return shared;
}

/** Where a new line is indented as no old one is, the old ones must have two depths, or the width stays open. */
function hasOnlyKnownDepths(cut: Cut, fresh: readonly FreshLine[]): boolean {
  const known = new Set(cut.lines.filter((line) => !isBlank(line)).map(indentOf));
  const isKnown = fresh.every((line) => isBlank(line.text) || known.has(indentOf(line.text)));
  return isKnown || [...known].filter((indent) => indent !== "").length > 1;
}

export const indentationKinds: readonly Kind[] = [removed, added, tabsSent, spacesSent];
