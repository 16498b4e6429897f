/**
 * Owns the window: how much of a result one request carries, and the one line that stands for the rest.
 * Leaves keeping the whole to the ledger, and giving back what was left out to `recall`.
 * Rule: up to 30,000 characters pass verbatim; past that there is exactly one gap, and the text around it is
 * untouched, so that the window and what its line recalls are the result again:
 *
 * - The line of the gap has a line of its own. A newline ends it, and one stands before it: the result's own where
 *   the gap begins at a line border, an added one where it begins inside a line (then it names `chars`).
 * - So the result is: what stands before that line (the first `chars.start` characters of it, which leaves the added
 *   newline away), then what was recalled, then what stands after that line. `rebuild` does this.
 */
import { keepOnOneLine } from "./one-line.ts";
import { formatCount } from "./search-summary.ts";
import { countCharacters, countLineEnds, stepBackFromEnd, stepForth, type TextPart } from "./window-parts.ts";

/** Characters that pass whole: about 8,000 tokens, which a request can carry many times over. */
const MOST_CHARACTERS = 30_000;
/** Characters kept of the start: what a command prints first says what it does. */
const HEAD_CHARACTERS = 12_000;
/** Characters kept of the end, the larger part: what a command prints last says how it went. */
const TAIL_CHARACTERS = MOST_CHARACTERS - HEAD_CHARACTERS;

/** What the gap leaves out, in the terms in which `recall` takes it. */
export interface Omitted {
  /** `lines` where both borders are line borders. */
  readonly kind: "lines" | "chars";
  /** Lines are 1-based and inclusive, characters 0-based and half open. */
  readonly start: number;
  /** As `start`. */
  readonly end: number;
  /** Unicode characters that are left out. */
  readonly characters: number;
}

/** A result as a request carries it. */
export interface Windowed {
  /** What the request carries. */
  readonly text: string;
  /** Unicode characters of the whole result. */
  readonly totalChars: number;
  /** Undefined where the text is the whole result. */
  readonly omitted: Omitted | undefined;
  /** UTF-16 units of the result's start and end that stand at the start and the end of `text`. */
  readonly headLength: number;
  /** As `headLength`, of the end. */
  readonly tailLength: number;
}

/** Whose result it is, for the line that says how to get the rest. */
export interface WindowRequest {
  /** The call whose result this is, as `recall` takes it. */
  readonly id: string;
  /** The mounted name of `recall`; undefined where it is not mounted, and then no call is suggested. */
  readonly recall: string | undefined;
}

/** A result as a request carries it: up to 30,000 characters whole; past that 12,000 of its start, one line that names the `recall` for the rest, and 18,000 of its end. Never throws. */
export function window(text: string, { id, recall }: WindowRequest): Windowed {
  return cutWindow(text, ({ kind, start, end }) => {
    if (recall === undefined) return "";
    const args = { id, [kind === "lines" ? "range" : "chars"]: { start, end } };
    // An id comes from a provider and may hold anything; on this line it stays one JSON string.
    return `; ${recall} ${keepOnOneLine(JSON.stringify(args))} returns them`;
  });
}

/** What `window` makes of a result, as text alone, for a caller without a ledger: what is left out is counted, and cannot be recalled. At most about 30,000 characters. */
export function bounded(text: string): string {
  return cutWindow(text, () => "").text;
}

/** The whole result from its window and what the recall on its line returned. */
export function rebuild({ text, headLength, tailLength }: Windowed, recalled: string): string {
  return text.slice(0, headLength) + recalled + text.slice(text.length - tailLength);
}

function cutWindow(given: string, describeRecall: (omitted: Omitted) => string): Windowed {
  // A lone half of a character makes providers refuse every request from then on.
  const text = given.toWellFormed();
  const gap = findGap(text);
  const headLength = gap.from;
  if (gap.from === gap.to)
    return { text, totalChars: countCharacters(text), omitted: undefined, headLength, tailLength: 0 };
  const head = { from: 0, to: gap.from };
  const tail = { from: gap.to, to: text.length };
  const headChars = countCharacters(text, head);
  const characters = countCharacters(text, gap);
  const omitted = describeGap(text, { head, gap, headChars, characters });
  const { kind, start, end } = omitted;
  const what = kind === "lines" ? "lines" : "characters";
  const line = `[result ${what} ${start}–${end} omitted, ${formatCount(characters)} characters${describeRecall(omitted)}]`;
  const border = isLineBorder(text, gap.from) ? "" : "\n";
  return {
    text: `${text.slice(0, gap.from)}${border}${line}\n${text.slice(gap.to)}`,
    totalChars: headChars + characters + countCharacters(text, tail),
    omitted,
    headLength,
    tailLength: tail.to - tail.from,
  };
}

function describeGap(
  text: string,
  of: { head: TextPart; gap: TextPart; headChars: number; characters: number },
): Omitted {
  const { head, gap, headChars, characters } = of;
  if (!isLineBorder(text, gap.from) || !isLineBorder(text, gap.to))
    return { kind: "chars", start: headChars, end: headChars + characters, characters };
  const before = countLineEnds(text, head);
  return { kind: "lines", start: before + 1, end: before + countLineEnds(text, gap), characters };
}

/** What is left out; empty, at the end of the text, where it passes whole. */
function findGap(text: string): TextPart {
  const none = { from: text.length, to: text.length };
  // Twice the units hold at least so many characters: nothing has to be counted to know that a long text is long.
  const isShort = text.length <= 2 * MOST_CHARACTERS && countCharacters(text) <= MOST_CHARACTERS;
  return isShort ? none : { from: findHeadEnd(text), to: findTailStart(text) };
}

function findHeadEnd(text: string): number {
  const budget = stepForth(text, 0, HEAD_CHARACTERS);
  const border = text.lastIndexOf("\n", budget - 1) + 1;
  if (countCharacters(text, { from: 0, to: border }) * 2 >= HEAD_CHARACTERS) return border;
  // One character less where the budget ends between the two of a line ending, which would be torn by the gap's line.
  return text.charCodeAt(budget) === 10 && text.charCodeAt(budget - 1) === 13 ? budget - 1 : budget;
}

/** A budget that begins between the two of a line ending needs no care here: behind it is a line border. */
function findTailStart(text: string): number {
  const budget = stepBackFromEnd(text, TAIL_CHARACTERS);
  const border = text.indexOf("\n", budget - 1) + 1;
  if (border === 0) return budget;
  return countCharacters(text, { from: border, to: text.length }) * 2 >= TAIL_CHARACTERS ? border : budget;
}

function isLineBorder(text: string, at: number): boolean {
  return text.charCodeAt(at - 1) === 10;
}
