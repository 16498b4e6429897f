/**
 * Owns calls that must be refused, and the lines that the refusal must name.
 * Leaves calls with several places to ambiguous.ts. Rule: the named region is by far the nearest one, by a measure
 * that is no tool's own.
 */
import { drawChange } from "../change.ts";
import { type Cut, cutLines, joinCut } from "../cut.ts";
import { type Document, drawDocument, indentOf, isBlank, plainText, textOf } from "../document.ts";
import { countPlaces, foldCoarsely, isNearest, standsOnce } from "../fold.ts";
import type { Named, SentEdit, Task } from "../task.ts";
import { putIn } from "../task.ts";
import { changeOneWord, planEdits } from "./exact.ts";
import type { Kind } from "./kind.ts";

function makeRefusal(of: {
  kind: string;
  document: Document;
  edits: readonly SentEdit[];
  named: Named;
  entry?: number;
}): Task {
  const { kind, document, edits, named, entry } = of;
  const { extension } = document;
  const before = Buffer.from(textOf(document.lines));
  const expected = { outcome: "refuse", named, ...(entry !== undefined && { entry }) } as const;
  return { kind, extension, encoding: "utf-8", before, edits, expected };
}

function regionOf(cut: Cut): Named {
  return { as: "region", start: cut.start + 1, end: cut.end };
}

function isNearestTo(document: Document, asked: readonly string[], cut: Cut): boolean {
  return isNearest(
    document.lines.map((line) => line.text),
    asked,
    cut.start,
  );
}

const wrongWord: Kind = {
  name: "one wrong word",
  outcome: "refuse",
  make(random, corpus) {
    const document = drawDocument(random, corpus);
    const cut = cutLines(random, document, { min: 1, max: 10 });
    const wrong = cut && changeOneWord(random, cut.lines);
    if (cut === undefined || wrong === undefined) return undefined;
    const fresh = drawChange(random, { lines: wrong.lines, extension: document.extension });
    if (fresh === undefined) return undefined;
    const sent = wrong.lines;
    if (countPlaces(foldCoarsely(plainText(document)), foldCoarsely(sent.join("\n"))) > 0) return undefined;
    if (!isNearestTo(document, sent, cut)) return undefined;
    const old_text = joinCut(sent, cut);
    const new_text = joinCut(
      fresh.map((line) => line.text),
      cut,
    );
    return makeRefusal({ kind: this.name, document, edits: [{ old_text, new_text }], named: regionOf(cut) });
  },
};

const flattened: Kind = {
  name: "flattened indentation",
  outcome: "refuse",
  make(random, corpus) {
    const document = drawDocument(random, corpus);
    const cut = cutLines(random, document, { min: 3, max: 10 });
    if (cut === undefined || !standsOnce(plainText(document), cut.lines.join("\n"))) return undefined;
    const depths = new Set(
      cut.lines
        .slice(1)
        .filter((line) => !isBlank(line))
        .map(indentOf),
    );
    if (depths.size < 2) return undefined;
    const fresh = drawChange(random, { lines: cut.lines, extension: document.extension });
    if (fresh === undefined) return undefined;
    const flatten = (lines: readonly string[]): string[] => lines.map((line) => line.trimStart());
    const sent = flatten(cut.lines);
    if (countPlaces(plainText(document), sent.join("\n")) > 0 || !isNearestTo(document, sent, cut))
      return undefined;
    const old_text = joinCut(sent, cut);
    const new_text = joinCut(flatten(fresh.map((line) => line.text)), cut);
    return makeRefusal({ kind: this.name, document, edits: [{ old_text, new_text }], named: regionOf(cut) });
  },
};

const stale: Kind = {
  name: "stale",
  outcome: "refuse",
  make(random, corpus) {
    const document = drawDocument(random, corpus);
    const cut = cutLines(random, document, { max: 8 });
    const fresh = cut && drawChange(random, { lines: cut.lines, extension: document.extension });
    if (cut === undefined || fresh === undefined || fresh.length === 0) return undefined;
    const old_text = joinCut(cut.lines, cut);
    const new_text = joinCut(
      fresh.map((line) => line.text),
      cut,
    );
    const after = putIn(document, cut, fresh);
    const plain = after.replaceAll("\r\n", "\n");
    if (old_text === new_text || !standsOnce(plain, new_text) || countPlaces(plain, new_text) !== 1)
      return undefined;
    if (countPlaces(foldCoarsely(plain), foldCoarsely(old_text)) > 0) return undefined;
    return {
      kind: this.name,
      extension: document.extension,
      encoding: "utf-8",
      before: Buffer.from(after),
      edits: [{ old_text, new_text }],
      expected: { outcome: "refuse", named: { as: "already", line: cut.start + 1 } },
    };
  },
};

const oneMiss: Kind = {
  name: "several edits, one miss",
  outcome: "refuse",
  make(random, corpus) {
    const document = drawDocument(random, corpus);
    const planned = planEdits(random, document, random.between(3, 4));
    if (planned === undefined) return undefined;
    const entry = random.below(planned.edits.length);
    const cut = planned.cuts[entry];
    const edit = planned.edits[entry];
    if (cut === undefined || edit === undefined) return undefined;
    const wrong = changeOneWord(random, cut.lines);
    if (wrong === undefined || !isNearestTo(document, wrong.lines, cut)) return undefined;
    const old_text = wrong.lines.join("\n");
    const texts = [plainText(document), planned.after, ...planned.edits.map((each) => each.new_text)];
    if (texts.some((text) => countPlaces(foldCoarsely(text), foldCoarsely(old_text)) > 0)) return undefined;
    const edits = planned.edits.map((each, index) => (index === entry ? { ...edit, old_text } : each));
    if (
      old_text === edit.new_text ||
      edits.some((each) => old_text !== each.old_text && each.new_text.includes(old_text))
    )
      return undefined;
    // The new text of the edit that fails must not be there by chance: it would be told as already applied.
    if (countPlaces(plainText(document), edit.new_text) > 0) return undefined;
    return makeRefusal({ kind: this.name, document, edits, named: regionOf(cut), entry });
  },
};

export const refusalKinds: readonly Kind[] = [wrongWord, flattened, stale, oneMiss];
