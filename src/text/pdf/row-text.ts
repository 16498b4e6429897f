/**
 * Owns the text of one row: which runs stand in a word together, and how far cells stand apart.
 * Leaves rows to rows.ts. Rule: runs are told in the order in which they are read, which in Hebrew and Arabic is not
 * that of the page; what lies far apart is kept apart by spaces, about as many as would have fitted there.
 */
import { endOf, isRightToLeft, type Row, type TextRun } from "./text-run.ts";

/** Of the size: narrower gaps lie between letters, wider ones between words. */
const WORD_GAP = 0.17;
/** Of the size: wider gaps lie between cells, also where a line is justified. */
const CELL_GAP = 1.3;
/** Of the size: what a character takes on average. */
const CHARACTER = 0.5;
const LEAST_SPACES = 2;
const MOST_SPACES = 60;

/** `left` is where the part begins in which the row stands. */
export function textOfRow(row: Row, left: number): string {
  const rightToLeft = isRightToLeft(row.runs);
  const visual = row.runs;
  const places = new Map(visual.map((run, at) => [run, at]));
  let text = indent(row, left);
  let before: TextRun | undefined;
  for (const run of inReadingOrder(visual, rightToLeft)) {
    if (before !== undefined) {
      const isBeside = Math.abs((places.get(run) ?? 0) - (places.get(before) ?? 0)) === 1;
      const gap = Math.max(run.x - endOf(before), before.x - endOf(run));
      const column = rightToLeft ? 0 : Math.round((run.x - left) / (row.size * CHARACTER));
      const between = isBeside ? spaces(gap / row.size, column - text.length) : " ";
      // A space may end one run or begin the next.
      text += between === " " && (text.endsWith(" ") || run.text.startsWith(" ")) ? "" : between;
    }
    text += run.text;
    before = run;
  }
  return text.trimEnd();
}

function spaces(gap: number, toColumn: number): string {
  if (gap < WORD_GAP) return "";
  if (gap < CELL_GAP) return " ";
  return " ".repeat(Math.min(Math.max(LEAST_SPACES, toColumn), MOST_SPACES));
}

/** Programs mean something by where their lines begin; other text is not told by it. */
function indent({ runs, size }: Row, left: number): string {
  const [first] = runs;
  if (first?.isMono !== true) return "";
  const columns = Math.round((first.x - left) / (size * 0.6));
  return " ".repeat(Math.min(Math.max(columns, 0), MOST_SPACES));
}

/** Each run reads well in itself. Those of the other direction stand among the row's in an order of their own. */
function inReadingOrder(runs: readonly TextRun[], rightToLeft: boolean): TextRun[] {
  const told: TextRun[] = [];
  let turned: TextRun[] = [];
  const flush = () => {
    told.push(...turned.reverse());
    turned = [];
  };
  for (const run of rightToLeft ? [...runs].reverse() : runs) {
    const isOther = rightToLeft ? isLeftToRight(run) : isRightToLeft([run]) && /\p{L}/u.test(run.text);
    if (!isOther) flush();
    if (isOther) turned.push(run);
    else told.push(run);
  }
  flush();
  return told;
}

function isLeftToRight(run: TextRun): boolean {
  return /[\p{L}\p{N}]/u.test(run.text) && !isRightToLeft([run]);
}
