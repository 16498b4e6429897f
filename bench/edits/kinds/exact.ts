/**
 * Owns calls that are right as they are: whole lines, parts of lines, dollar signs, several edits, other line endings.
 * Rule: whoever refuses one of these refuses a model that made no mistake.
 */
import { changeWord, drawChange, type FreshLine } from "../change.ts";
import { type Cut, cutLines, cutParts, joinCut } from "../cut.ts";
import {
  type Document,
  drawDocument,
  layLines,
  mapLines,
  plainText,
  textOf,
  withEndings,
} from "../document.ts";
import { countPlaces } from "../fold.ts";
import type { Random } from "../random.ts";
import { makeLanding, putIn, type SentEdit } from "../task.ts";
import type { Kind } from "./kind.ts";

const wholeLines: Kind = {
  name: "exact, whole lines",
  outcome: "land",
  make(random, corpus) {
    const document = drawDocument(random, corpus);
    const cut = cutLines(random, document);
    const fresh = cut && drawChange(random, { lines: cut.lines, extension: document.extension });
    return cut && fresh && makeLanding({ kind: this.name, document, cut, fresh, exact: true });
  },
};

const partsOfLines: Kind = {
  name: "exact, part of a line",
  outcome: "land",
  make(random, corpus) {
    const document = drawDocument(random, corpus);
    const cut = cutParts(random, document, { max: random.chance(0.6) ? 1 : 4 });
    const fresh =
      cut &&
      drawChange(random, { lines: cut.lines, extension: document.extension, kinds: ["word", "rename"] });
    return cut && fresh && makeLanding({ kind: this.name, document, cut, fresh, exact: true });
  },
};

const DOLLARS = ["$&", "$1", "$$", "$`", "$'", "$<name>", "\\1", "\\$&", "%s", "\\u0041"];

const dollars: Kind = {
  name: "$& in new text",
  outcome: "land",
  make(random, corpus) {
    const document = drawDocument(random, corpus);
    const cut = cutLines(random, document, { max: 4 });
    if (cut === undefined) return undefined;
    const at = random.below(cut.lines.length);
    const fresh = cut.lines.map((text, from): FreshLine => {
      return from === at
        ? { from, text: `${text} ${random.pick(DOLLARS)} ${random.pick(DOLLARS)}` }
        : { from, text };
    });
    return makeLanding({ kind: this.name, document, cut, fresh, exact: true });
  },
};

const lineEndings: Kind = {
  name: "line endings",
  outcome: "land",
  make(random, corpus) {
    const style = random.pick(["plain for CRLF", "CRLF for plain", "mixed file", "mixed cut"] as const);
    let document = withEndings(drawDocument(random, corpus), style === "CRLF for plain" ? "\n" : "\r\n");
    const cut = cutLines(random, document, { min: 2, max: 8 });
    if (cut === undefined) return undefined;
    if (style.startsWith("mixed"))
      document = mixEndings(random, document, style === "mixed cut" ? undefined : cut);
    const kinds = style === "mixed cut" ? (["word"] as const) : undefined;
    const fresh = drawChange(random, {
      lines: cut.lines,
      extension: document.extension,
      ...(kinds && { kinds }),
    });
    const sendsReturns = style === "CRLF for plain" || (style === "mixed file" && random.chance(0.3));
    const join = (lines: readonly string[]): string => {
      const text = joinCut(lines, cut);
      return sendsReturns ? text.replaceAll("\n", "\r\n") : text;
    };
    return fresh && makeLanding({ kind: this.name, document, cut, fresh, join, exact: true });
  },
};

/** Lines with either ending; those of the cut, where there is one, agree. */
function mixEndings(random: Random, document: Document, cut: Cut | undefined): Document {
  const own = random.pick(["\n", "\r\n"] as const);
  return mapLines(document, (line, index) => {
    const isCut = cut !== undefined && index >= cut.start - 1 && index <= cut.end;
    return { ...line, ending: line.ending === "" ? "" : isCut ? own : random.pick(["\n", "\r\n"] as const) };
  });
}

const several: Kind = {
  name: "several edits",
  outcome: "land",
  make(random, corpus) {
    const document = drawDocument(random, corpus);
    const planned = planEdits(random, document, random.between(2, 4));
    if (planned === undefined) return undefined;
    const bytes = [Buffer.from(planned.after)];
    const { extension } = document;
    const before = Buffer.from(textOf(document.lines));
    return {
      kind: this.name,
      extension,
      encoding: "utf-8",
      before,
      edits: planned.edits,
      expected: { outcome: "land", bytes },
    };
  },
};

/** Edits in different places, in any order, each the only one that fits at its time. */
export function planEdits(
  random: Random,
  document: Document,
  count: number,
): { edits: SentEdit[]; cuts: Cut[]; after: string } | undefined {
  const cuts: Cut[] = [];
  const edits: SentEdit[] = [];
  let current = document;
  for (let index = 0; index < count; index++) {
    const cut = cutLines(random, document, { max: 3, withBreak: false });
    if (cut === undefined || cuts.some((other) => cut.start <= other.end && other.start <= cut.end))
      return undefined;
    const fresh = drawChange(random, { lines: cut.lines, extension: document.extension });
    if (fresh === undefined) return undefined;
    const [old, text] = [cut.lines.join("\n"), fresh.map((line) => line.text).join("\n")];
    if (countPlaces(plainText(document), old) !== 1 || countPlaces(plainText(current), old) !== 1)
      return undefined;
    const shift = cuts.reduce(
      (sum, other, at) => sum + (other.start < cut.start ? growthOf(edits[at], other) : 0),
      0,
    );
    const moved = { ...cut, start: cut.start + shift, end: cut.end + shift };
    current = parse(putIn(current, moved, fresh), document);
    cuts.push(cut);
    edits.push({ old_text: old, new_text: text });
  }
  return { edits, cuts, after: textOf(current.lines) };
}

function growthOf(edit: SentEdit | undefined, cut: Cut): number {
  return (edit?.new_text.split("\n").length ?? 0) - cut.lines.length;
}

function parse(text: string, like: Document): Document {
  const ending = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(ending);
  const isTerminated = lines.at(-1) === "";
  const document = layLines(isTerminated ? lines.slice(0, -1) : lines, ending, like.extension);
  return isTerminated
    ? document
    : mapLines(document, (line, index) => (index === lines.length - 1 ? { ...line, ending: "" } : line));
}

export const exactKinds: readonly Kind[] = [wholeLines, partsOfLines, dollars, lineEndings, several];

/** For tasks that need a second version of a text: a word changed in one of its lines. */
export function changeOneWord(
  random: Random,
  lines: readonly string[],
): { at: number; lines: string[] } | undefined {
  const at = random.below(lines.length);
  const changed = changeWord(random, lines[at] ?? "");
  return changed === undefined
    ? undefined
    : { at, lines: lines.map((line, index) => (index === at ? changed : line)) };
}
