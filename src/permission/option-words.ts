/**
 * Owns the options among the words of a command, as rules that deny or ask compare them.
 * Leaves the comparing of patterns to shell-pattern.ts. Rule: read on the safe side. `-rf` is `-f -r`, `--force` is
 * `-f`, `--for` is `--force`, and a word behind an option may be the option's value: `git -C . push` is a push.
 */

export interface PartedWords {
  /** Letters and long names, each by one spelling. */
  readonly options: ReadonlySet<string>;
  readonly others: readonly OtherWord[];
}

export interface OtherWord {
  readonly text: string;
  /** Whether it may belong to the option before it. */
  readonly mayBeValue: boolean;
}

export function isOption(word: string): boolean {
  return /^-./.test(word) && word !== "--";
}

/** `-rf` is `r` and `f`; `--force=yes` is `--force`. */
export function partOptions(words: readonly string[]): PartedWords {
  const options = new Set<string>();
  const others: OtherWord[] = [];
  let isOver = false;
  let mayBeValue = false;
  for (const word of words) {
    if (word === "--" && !isOver) {
      isOver = true;
      mayBeValue = false;
    } else if (isOver || !isOption(word)) {
      others.push({ text: word, mayBeValue });
      mayBeValue = false;
    } else {
      for (const option of spellOptions(word)) options.add(option);
      mayBeValue = !word.includes("=");
    }
  }
  return { options, others };
}

/** Whether all of these options are among the asked ones, by whatever name. */
export function hasOptions(asked: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean {
  return [...wanted].every(
    (option) => asked.has(option) || [...asked].some((one) => isShortened(one, option)),
  );
}

function spellOptions(word: string): readonly string[] {
  if (!word.startsWith("--")) return [...word.slice(1)].map((letter) => LONG_NAMES[letter] ?? letter);
  return [word.replace(/=[\s\S]*$/, "")];
}

function isShortened(asked: string, wanted: string): boolean {
  return asked.length > 2 && asked.startsWith("--") && wanted.startsWith(asked);
}

/** Letters that stand for the same long option wherever there are both. `-R` and `-r` are told apart by hardly any. */
const LONG_NAMES: Readonly<Record<string, string>> = {
  r: "--recursive",
  R: "--recursive",
  f: "--force",
  g: "--global",
  y: "--yes",
};
