/**
 * Owns judging what a tool made of a task, and counting by kind.
 * Rule: a landing is right when every byte of the file is; a refusal when no byte has changed.
 */
import type { Named, Task } from "./task.ts";

/** What a tool answered; the file on disk says the rest. */
export interface Answer {
  readonly refused: boolean;
  readonly text: string;
  /** Whether it says that the text was not what stood there; absent where a tool has no way to say so. */
  readonly reported?: boolean;
  /** The unified diff of what was done, where the tool gives one. */
  readonly patch?: string;
}

export type Verdict = "right" | "refused" | "wrong";

export interface Judged {
  readonly task: Task;
  readonly answer: Answer;
  readonly after: Buffer;
  readonly verdict: Verdict;
  /** For a refusal that was right: whether it names the lines (and the entry, and what is already there). */
  readonly named: boolean;
}

export function judge(task: Task, answer: Answer, after: Buffer): Judged {
  const isUntouched = after.equals(task.before);
  const { expected } = task;
  if (expected.outcome === "land") {
    const isRight = !answer.refused && expected.bytes.some((bytes) => bytes.equals(after));
    const verdict = isRight ? "right" : answer.refused && isUntouched ? "refused" : "wrong";
    return { task, answer, after, verdict, named: false };
  }
  const verdict = answer.refused && isUntouched ? "refused" : "wrong";
  const named = verdict === "refused" && namesLines(task, answer.text, expected.named);
  const namesEntry = expected.entry === undefined || answer.text.includes(`edits[${expected.entry}]`);
  return { task, answer, after, verdict, named: named && namesEntry };
}

/** Numbers in what the tool wrote itself: what it repeats of the call says nothing. */
function namesLines(task: Task, text: string, named: Named): boolean {
  const own = task.edits.reduce(
    (left, edit) => left.replaceAll(edit.old_text, "").replaceAll(edit.new_text, ""),
    text,
  );
  return named.as === "already"
    ? /already/i.test(own) && listNumbers(own).includes(named.line)
    : namesPlaces(listNumbers(own.replace(/already[^.]*\./i, "")), named);
}

function listNumbers(own: string): number[] {
  const rows = [...own.matchAll(/^\s*(\d+)\t/gm)].map((match) => match[1]);
  const lists = [...own.matchAll(/\blines?:? (\d+(?:(?:,? and |, |\s*[–-]\s*|\sto )\d+)*)/gi)];
  const stated = lists.flatMap((match) => match[1]?.match(/\d+/g) ?? []);
  return [...rows, ...stated].map(Number);
}

function namesPlaces(numbers: readonly number[], named: Exclude<Named, { as: "already" }>): boolean {
  if (named.as === "places") return named.lines.every((line) => numbers.includes(line));
  if (numbers.length === 0) return false;
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  // All of the lines that were meant, and hardly any others.
  return low <= named.start && high >= named.end && high - low <= named.end - named.start + 4;
}

export interface Tally {
  readonly kind: string;
  readonly outcome: "land" | "refuse";
  readonly tasks: number;
  readonly right: number;
  readonly refused: number;
  readonly wrong: number;
  readonly named: number;
}

export function tally(judged: readonly Judged[]): Tally[] {
  const kinds = [...new Set(judged.map(({ task }) => task.kind))];
  return kinds.map((kind) => {
    const of = judged.filter(({ task }) => task.kind === kind);
    const count = (verdict: Verdict): number => of.filter((each) => each.verdict === verdict).length;
    return {
      kind,
      outcome: of[0]?.task.expected.outcome ?? "land",
      tasks: of.length,
      right: count("right"),
      refused: count("refused"),
      wrong: count("wrong"),
      named: of.filter((each) => each.named).length,
    };
  });
}

/** What does not hold of the bounds, one line each. */
export function listBroken(tallies: readonly Tally[]): string[] {
  const refusals = tallies.filter(({ outcome }) => outcome === "refuse");
  const [wanted, named] = [sumOf(refusals, "tasks"), sumOf(refusals, "named")];
  // Of all refusals together: a kind has some thirty tasks, of which one is more than the two in a hundred.
  const unnamed = named / wanted < 0.98 ? [`only ${named} of ${wanted} refusals named the lines`] : [];
  return [...unnamed, ...tallies.flatMap(listBrokenOfKind)];
}

function sumOf(tallies: readonly Tally[], what: "tasks" | "named"): number {
  return tallies.reduce((sum, tally) => sum + tally[what], 0);
}

function listBrokenOfKind({ kind, outcome, tasks, right, refused, wrong }: Tally): string[] {
  const broken: string[] = [];
  if (wrong > 0) broken.push(`${kind}: ${wrong} wrong`);
  if (outcome === "land" && right / tasks < 0.99) broken.push(`${kind}: only ${right} of ${tasks} landed`);
  if (outcome === "refuse" && refused < tasks) broken.push(`${kind}: only ${refused} of ${tasks} refused`);
  return broken;
}

/** Kinds in which the text that is sent stands in the file as it is. */
const PLAIN = /^(exact|\$&|several|line endings|Latin-1|Shift_JIS|GBK|UTF-16|byte order)/;

/** Tolerance that was used and not told, one line a kind. */
export function listUnreported(judged: readonly Judged[]): string[] {
  const silent = judged.filter(
    ({ task, answer, verdict }) => verdict === "right" && answer.reported === false && !PLAIN.test(task.kind),
  );
  return [...new Set(silent.map(({ task }) => task.kind))].map(
    (kind) => `${kind}: landed without saying how`,
  );
}
