/**
 * Owns plausible true edits: a word or a number changed, a name renamed, a line put in, taken out or split in two.
 * Leaves distorting the call to kinds/. Rule: the lines that change are told apart from all others of the cut, so
 * that the difference between old and new text can be read in one way only.
 */
import { indentOf, isBlank } from "./document.ts";
import type { Random } from "./random.ts";

export interface FreshLine {
  readonly text: string;
  /** The line of the cut that it keeps or takes the place of; absent for a line that is new. */
  readonly from?: number;
}

export type ChangeKind = "word" | "rename" | "insert" | "delete" | "split";

export interface ChangeUse {
  readonly lines: readonly string[];
  readonly extension: string;
  /** Absent: any. */
  readonly kinds?: readonly ChangeKind[];
  /** Lines that must stay as they are. */
  readonly keep?: readonly number[];
}

const WORDS =
  "value result buffer handler source target option record update cache parser limit entry signal header worker queue report session folder".split(
    " ",
  );

export function drawChange(random: Random, use: ChangeUse): FreshLine[] | undefined {
  const kind = random.pick(
    use.kinds ?? (["word", "word", "rename", "insert", "insert", "delete", "split"] as const),
  );
  const at = drawLine(random, use, kind);
  if (at === undefined) return undefined;
  const kept: FreshLine[] = use.lines.map((text, from) => ({ text, from }));
  const line = use.lines[at] ?? "";
  if (kind === "delete") return use.lines.length < 2 ? undefined : kept.filter((_, index) => index !== at);
  if (kind === "insert" || kind === "split") {
    const extra = { text: indentOf(line) + writeLine(random, use.extension) };
    const behind = kind === "split" || random.chance(0.6) ? at + 1 : at;
    const changed = kind === "split" ? changeWord(random, line) : line;
    if (changed === undefined) return undefined;
    kept[at] = { text: changed, from: at };
    return [...kept.slice(0, behind), extra, ...kept.slice(behind)];
  }
  return kind === "word" ? replaceAt(kept, at, changeWord(random, line)) : rename(random, kept, line, use);
}

function drawLine(random: Random, use: ChangeUse, kind: ChangeKind): number | undefined {
  const usable = use.lines.flatMap((line, index) => {
    const isUnique = use.lines.filter((other) => other.trim() === line.trim()).length === 1;
    if (isBlank(line) || !isUnique) return [];
    return kind !== "insert" && use.keep?.includes(index) ? [] : [index];
  });
  return usable.length === 0 ? undefined : random.pick(usable);
}

function replaceAt(lines: FreshLine[], at: number, text: string | undefined): FreshLine[] | undefined {
  return text === undefined
    ? undefined
    : lines.map((line, index) => (index === at ? { ...line, text } : line));
}

const WORD = /(?<![\p{L}\p{N}_&;\\])[A-Za-z][A-Za-z]{2,}(?![\p{L}\p{M}\p{N}_;])|(?<![\w.])\d{1,5}(?![\w.])/gu;

/** One word or number becomes another; undefined where the line has none. */
export function changeWord(random: Random, line: string): string | undefined {
  const words = [...line.matchAll(WORD)];
  if (words.length === 0) return undefined;
  const { 0: word, index } = random.pick(words);
  return line.slice(0, index) + otherWord(random, word) + line.slice(index + word.length);
}

function otherWord(random: Random, word: string): string {
  if (/^\d/.test(word)) return String(Number(word) + random.between(1, 40));
  const other = random.pick(WORDS.filter((each) => each !== word.toLowerCase()));
  return random.chance(0.4) ? word + capitalise(other) : matchCase(other, word);
}

function matchCase(word: string, like: string): string {
  if (like === like.toUpperCase()) return word.toUpperCase();
  return /^[A-Z]/.test(like) ? capitalise(word) : word;
}

function capitalise(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

function rename(
  random: Random,
  lines: readonly FreshLine[],
  line: string,
  use: ChangeUse,
): FreshLine[] | undefined {
  const names = line.match(/(?<![\p{L}\p{N}_&;\\])[A-Za-z_]{4,}(?![\p{L}\p{M}\p{N}_;])/gu);
  if (names === null) return undefined;
  const name = random.pick(names);
  const fresh = name + capitalise(random.pick(WORDS));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_&;\\\\])${name}(?![\\p{L}\\p{M}\\p{N}_;])`, "gu");
  const renamed = lines.map((each) => ({ ...each, text: each.text.replace(pattern, () => fresh) }));
  const changed = renamed.flatMap((each, index) => (each.text === lines[index]?.text ? [] : [index]));
  const texts = use.lines.map((each) => each.trim());
  // Two like lines that both change could be read either way.
  if (changed.some((at) => texts.indexOf(texts[at] ?? "") !== texts.lastIndexOf(texts[at] ?? "")))
    return undefined;
  return changed.some((at) => use.keep?.includes(at)) ? undefined : renamed;
}

/** A new line of the file's kind: no dashes and, but for JSON, no quotes: nothing that a rule could fold. */
export function writeLine(random: Random, extension: string): string {
  const [first, second] = [random.pick(WORDS), capitalise(random.pick(WORDS))];
  const [name, number] = [`${first}${second}${random.between(10, 9_999)}`, random.between(1, 9_999)];
  if (extension === ".md") return `The ${first} of ${name} is ${number}.`;
  if (extension === ".json") return `"${name}": ${number},`;
  if (extension === ".css" || extension === ".scss") return `/* ${first} ${name} */`;
  if (extension === ".py") return random.chance(0.5) ? `${name} = load(${number})` : `# ${first} for ${name}`;
  if (extension === ".yml" || extension === ".yaml" || extension === ".sh")
    return `# ${first} ${name} ${number}`;
  return random.chance(0.5) ? `${first}(${name}, ${number});` : `// ${first} for ${name}`;
}
