/**
 * Owns what a page's text is made of here: runs of characters, each with its place, and the words about one.
 * Leaves finding them to the program that reads the document. Rule: x grows along the line, y from line to line,
 * whatever the page's own axes and however it is turned.
 */

export interface TextRun {
  readonly text: string;
  /** Where it starts, and how far it goes. */
  readonly x: number;
  readonly width: number;
  /** Its baseline. */
  readonly y: number;
  /** Of its font. */
  readonly size: number;
  readonly isMono: boolean;
  /** Its place in the order in which the page was drawn. */
  readonly order: number;
}

/** A stretch of runs on one baseline. */
export interface Row {
  readonly y: number;
  readonly size: number;
  /** From left to right. */
  readonly runs: readonly TextRun[];
}

const RTL = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/gu;
const STRONG = /\p{L}/gu;

export function isRightToLeft(runs: readonly TextRun[]): boolean {
  let rightToLeft = 0;
  let letters = 0;
  for (const { text } of runs) {
    rightToLeft += text.match(RTL)?.length ?? 0;
    letters += text.match(STRONG)?.length ?? 0;
  }
  return rightToLeft * 2 > letters;
}

export function endOf({ x, width }: TextRun): number {
  return x + width;
}

export function median(numbers: readonly number[]): number | undefined {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
