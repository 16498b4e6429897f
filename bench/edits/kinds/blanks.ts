/**
 * Owns calls with other blanks at line ends, blank lines, or final newlines than the file has.
 * Rule: lines that old and new text share must keep the file's blanks, in and out of the cut.
 */
import { drawChange, type FreshLine } from "../change.ts";
import { cutAt, cutLines } from "../cut.ts";
import { drawDocument, dropFinalNewline, isBlank, mapTexts } from "../document.ts";
import { makeLanding } from "../task.ts";
import type { Kind } from "./kind.ts";

const TAILS = [" ", "  ", "\t", "    "];

const trailingMissing: Kind = {
  name: "trailing blanks missing",
  outcome: "land",
  make(random, corpus) {
    // Blanks on a fifth of the lines of the whole file: those that nobody touches must keep theirs.
    const document = mapTexts(drawDocument(random, corpus), (text) =>
      random.chance(0.2) ? text.trimEnd() + random.pick(TAILS) : text.trimEnd(),
    );
    const cut = cutLines(random, document, { min: 1, max: 8 });
    const fresh = cut && drawChange(random, { lines: cut.lines, extension: document.extension });
    if (cut === undefined || fresh === undefined) return undefined;
    // Blanks behind the end of what is sent are behind it in the file too, and could stay at either line.
    if (!cut.withBreak && /[ \t]$/.test(cut.lines.at(-1) ?? "")) return undefined;
    const trimmed = fresh.map((line): FreshLine => {
      const isKept = line.from !== undefined && cut.lines[line.from] === line.text;
      return isKept ? line : { ...line, text: line.text.trimEnd() };
    });
    const send = (text: string): string => text.trimEnd();
    return makeLanding({ kind: this.name, document, cut, fresh, send, alternatives: [trimmed] });
  },
};

const trailingAdded: Kind = {
  name: "trailing blanks added",
  outcome: "land",
  make(random, corpus) {
    const document = mapTexts(drawDocument(random, corpus), (text) => text.trimEnd());
    const cut = cutLines(random, document, { min: 1, max: 8 });
    const fresh = cut && drawChange(random, { lines: cut.lines, extension: document.extension });
    if (cut === undefined || fresh === undefined) return undefined;
    const tails = cut.lines.map((text) => (random.chance(0.5) && !isBlank(text) ? random.pick(TAILS) : ""));
    const send = (text: string, { from }: { from: number | undefined }): string =>
      text + (from === undefined ? "" : (tails[from] ?? ""));
    // On a changed line the blanks may be meant.
    const literal = fresh.map((line): FreshLine => {
      const isKept = line.from !== undefined && cut.lines[line.from] === line.text;
      return isKept ? line : { ...line, text: send(line.text, { from: line.from }) };
    });
    return makeLanding({ kind: this.name, document, cut, fresh, send, alternatives: [literal] });
  },
};

const blankTooMany: Kind = {
  name: "blank line too many",
  outcome: "land",
  make(random, corpus) {
    const document = drawDocument(random, corpus);
    const cut = cutLines(random, document, { min: 2, max: 8 });
    if (cut === undefined) return undefined;
    // Between two lines that stay, so that it is plain that the blank line is no part of the change.
    const at = random.between(1, cut.lines.length - 1);
    const keep = surroundings(cut.lines, at - 1, at);
    const fresh = drawChange(random, { lines: cut.lines, extension: document.extension, keep });
    if (fresh === undefined || !areTogether(fresh, keep)) return undefined;
    const behind = { old: at, new: fresh.findIndex((line) => line.from === at) };
    const send = (text: string, line: { side: "old" | "new"; index: number }): string =>
      line.index === behind[line.side] ? `\n${text}` : text;
    return makeLanding({ kind: this.name, document, cut, fresh, send });
  },
};

const blankMissing: Kind = {
  name: "blank line missing",
  outcome: "land",
  make(random, corpus) {
    const document = drawDocument(random, corpus);
    const cut = cutLines(random, document, { min: 3, max: 9 });
    const blanks = cut?.lines.flatMap((line, index) => (isBlank(line) ? [index] : [])) ?? [];
    if (cut === undefined || blanks.length === 0) return undefined;
    const at = random.pick(blanks);
    const keep = surroundings(cut.lines, at - 1, at + 1);
    const fresh = drawChange(random, { lines: cut.lines, extension: document.extension, keep });
    if (fresh === undefined || !areTogether(fresh, keep)) return undefined;
    const gone = { old: at, new: fresh.findIndex((line) => line.from === at) };
    const LEFT_OUT = "\uE000\n";
    return makeLanding({
      kind: this.name,
      document,
      cut,
      fresh,
      send: (text, line) => (line.index === gone[line.side] ? "\uE000" : text),
      join: (lines, { withBreak }) => (lines.join("\n") + (withBreak ? "\n" : "")).replace(LEFT_OUT, ""),
    });
  },
};

/** The lines from `first` to `last` and around them up to lines that are not blank. */
function surroundings(lines: readonly string[], first: number, last: number): number[] {
  let [low, high] = [first, last];
  while (low > 0 && isBlank(lines[low] ?? "")) low--;
  while (high < lines.length - 1 && isBlank(lines[high] ?? "")) high++;
  return Array.from({ length: high - low + 1 }, (_, step) => low + step);
}

/** Whether these lines still stand one behind the other. */
function areTogether(fresh: readonly FreshLine[], lines: readonly number[]): boolean {
  const place = fresh.findIndex((line) => line.from === lines[0]);
  return place >= 0 && lines.every((line, step) => fresh[place + step]?.from === line);
}

const finalNewline: Kind = {
  name: "final newline",
  outcome: "land",
  make(random, corpus) {
    const document = dropFinalNewline(drawDocument(random, corpus));
    const end = document.lines.length;
    const cut = cutAt(document, { start: end - random.between(1, Math.min(8, end)), end, withBreak: false });
    const fresh = cut && drawChange(random, { lines: cut.lines, extension: document.extension });
    const join = (lines: readonly string[]): string => `${lines.join("\n")}\n`;
    return cut && fresh && makeLanding({ kind: this.name, document, cut, fresh, join });
  },
};

export const blankKinds: readonly Kind[] = [
  trailingMissing,
  trailingAdded,
  blankTooMany,
  blankMissing,
  finalNewline,
];
