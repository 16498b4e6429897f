/**
 * Owns calls whose text was pasted with the line numbers of some tool's output.
 * Rule: the numbers are the right ones; the new text has numbers of its own, or none.
 */
import { drawChange } from "../change.ts";
import { cutLines } from "../cut.ts";
import { drawDocument } from "../document.ts";
import { makeLanding } from "../task.ts";
import type { Kind } from "./kind.ts";

type Style = (number: number) => string;

const STYLES: readonly (readonly [name: string, styles: readonly Style[]])[] = [
  ["line numbers, tab", [(number) => `${number}\t`, (number) => `${String(number).padStart(6)}\t`]],
  ["line numbers, arrow", [(number) => `${String(number).padStart(6)}→`, (number) => `${number}→`]],
  [
    "line numbers, bar or colon",
    [
      (number) => `${String(number).padStart(5, "0")}| `,
      (number) => `${number} | `,
      (number) => `${String(number).padStart(4)}: `,
    ],
  ],
];

const LOOKS_NUMBERED = /^\s*\d+\s?(?:\t|→|\||:)/;

export const numberKinds: readonly Kind[] = STYLES.map(([name, styles]) => ({
  name,
  outcome: "land",
  make(random, corpus) {
    const document = drawDocument(random, corpus);
    const cut = cutLines(random, document, { min: 1, max: 10 });
    const fresh = cut && drawChange(random, { lines: cut.lines, extension: document.extension });
    if (cut === undefined || fresh === undefined) return undefined;
    if ([...cut.lines, ...fresh.map((line) => line.text)].some((line) => LOOKS_NUMBERED.test(line)))
      return undefined;
    const style = random.pick(styles);
    const numbersNew = random.chance(0.6);
    const send = (text: string, { side, index }: { side: "old" | "new"; index: number }): string =>
      side === "old" || numbersNew ? style(cut.start + 1 + index) + text : text;
    return makeLanding({ kind: name, document, cut, fresh, send });
  },
}));
