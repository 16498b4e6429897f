/**
 * Owns giving new text the line endings of the place it lands in.
 * Leaves choosing the place to find-text.ts. Rule: the file decides, never the model's habit;
 * a text that lands where the file has no line ending at all is taken as it was sent.
 */
import { decode, type Encoding, encode } from "./encodings.ts";
import { scannerFor } from "./newline-scanner.ts";
import { pairLines, splitSent } from "./sent-lines.ts";

export type LineBreak = "\n" | "\r\n";

/**
 * Makes the bytes of a text for the range `start` to `end` of a file. A line that the range has too keeps its line
 * break; another one takes that of the line before it, or what ends the line there.
 * Undefined where the encoding cannot hold the text.
 */
export type FitLineBreaks = (range: { start: number; end: number }) => Buffer | undefined;

/** One text for ranges of one file; asked in ascending order it looks at every line's ending once. */
export function fitterOf(of: {
  text: string;
  bytes: Buffer;
  encoding: Encoding;
  /** Told of each line break that is put in place of another one that was sent. */
  onExchange?: (sent: LineBreak, used: LineBreak) => void;
}): FitLineBreaks {
  const { text, bytes, encoding, onExchange } = of;
  const plain = encode(text, encoding);
  if (!text.includes("\n") || plain === undefined) return () => plain;
  const breakNear = makeBreakFinder(bytes, encoding);
  return ({ start, end }) => {
    const range = bytes.subarray(start, end);
    const inside = breaksWithin(range, encoding);
    const near = breakNear(start, end);
    // The break right behind the range ends its last line.
    const ends = endsAtBreak(bytes, end, encoding) && near !== undefined ? [...inside, near] : inside;
    const isMixed = ends.some((each) => each !== ends[0]);
    const breaks = isMixed ? breaksByLine(decode(range, encoding), ends, text) : [];
    const fallback = inside.at(-1) ?? near;
    let index = 0;
    return encode(
      text.replace(/\r?\n/g, (sent) => {
        const used = breaks[index++] ?? fallback ?? sent;
        if (used !== sent) onExchange?.(sent as LineBreak, used as LineBreak);
        return used;
      }),
      encoding,
    );
  };
}

function endsAtBreak(bytes: Buffer, end: number, encoding: Encoding): boolean {
  const scanner = scannerFor(encoding);
  const two = bytes.subarray(end, end + 2 * scanner.unit);
  const newline = scanner.next(two, 0);
  return newline !== -1 && newline === scanner.returnBefore(two, newline, 0);
}

/** For each line of the new text the break of the line that it keeps, else that of the line before. */
function breaksByLine(range: string, inside: readonly LineBreak[], text: string): (LineBreak | undefined)[] {
  const breaks: (LineBreak | undefined)[] = [];
  for (const { old } of pairLines(splitSent(range), splitSent(text))) {
    breaks.push((old === undefined ? undefined : inside[old]) ?? breaks.at(-1) ?? inside[0]);
  }
  return breaks;
}

function breaksWithin(range: Buffer, encoding: Encoding): LineBreak[] {
  const scanner = scannerFor(encoding);
  const breaks: LineBreak[] = [];
  for (let at = scanner.next(range, 0); at !== -1; at = scanner.next(range, at + scanner.unit)) {
    breaks.push(scanner.returnBefore(range, at, 0) > 0 ? "\r\n" : "\n");
  }
  return breaks;
}

/** The ending of the line in which a range ends, else of the line before it. Remembers where the last line ended. */
function makeBreakFinder(
  bytes: Buffer,
  encoding: Encoding,
): (start: number, end: number) => LineBreak | undefined {
  const scanner = scannerFor(encoding);
  let known = { from: 0, newline: scanner.next(bytes, 0) };
  return (start, end) => {
    const isKnown = end >= known.from && (known.newline === -1 || end <= known.newline);
    if (!isKnown) known = { from: end, newline: scanner.next(bytes, end) };
    const at = known.newline === -1 ? scanner.previous(bytes, start) : known.newline;
    if (at === -1) return undefined;
    return scanner.returnBefore(bytes, at, 0) > 0 ? "\r\n" : "\n";
  };
}
