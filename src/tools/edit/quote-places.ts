/**
 * Owns quoting the places of a text that occurs several times, each with what tells it from the others.
 * Rule: bounded, and cut between characters; the line that tells is the nearest one that no other place has there.
 */
import type { EditPlace } from "../../contract/refusal.ts";
import { decode, type Encoding } from "../../text/encodings.ts";
import { scannerFor } from "../../text/newline-scanner.ts";

/** Characters quoted of a line. */
const LINE_CHARACTERS = 200;
/** Lines looked at above and below a place: what tells it is worth naming only where the model would look for it. */
const NEAR_LINES = 30;
/** Bytes looked at above and below it, for files of long lines. */
const NEAR_BYTES = 16_384;

interface Found {
  readonly line: number;
  /** Offset in `bytes` at which the line starts. */
  readonly start: number;
  readonly bytes: Buffer;
}

export function quotePlaces(found: readonly Found[], encoding: Encoding): EditPlace[] {
  const around = found.map(({ bytes, start }) => linesAround(bytes, start, encoding));
  return found.map(({ line, bytes, start }, index) => {
    const near = findTelling(around, index);
    const text = quoteLine(bytes, start, encoding);
    return near === undefined
      ? { line, text }
      : { line, text, near: { line: line + near.distance, text: near.text } };
  });
}

/** Distance in lines (negative: above) to the text of the line there. */
type Around = ReadonlyMap<number, string>;

function linesAround(bytes: Buffer, start: number, encoding: Encoding): Around {
  const scanner = scannerFor(encoding);
  const first = Math.max(start - NEAR_BYTES, 0);
  const lead = bytes.subarray(first, start);
  const around = new Map<number, string>();
  let above = lead.length;
  for (let distance = -1; distance >= -NEAR_LINES && above > 0; distance--) {
    const newline = scanner.previous(lead, above - scanner.unit);
    if (newline === -1 && first > 0) break;
    above = newline === -1 ? 0 : newline + scanner.unit;
    around.set(distance, quoteLine(bytes, first + above, encoding));
  }
  const rest = bytes.subarray(start, start + NEAR_BYTES);
  let below = scanner.next(rest, 0);
  for (let distance = 1; distance <= NEAR_LINES && below !== -1; distance++) {
    const next = below + scanner.unit;
    if (start + next < bytes.length) around.set(distance, quoteLine(bytes, start + next, encoding));
    below = scanner.next(rest, next);
  }
  return around;
}

/** The nearest line that is no other place's at that distance; a line above names its place better than one below. */
function findTelling(
  around: readonly Around[],
  index: number,
): { distance: number; text: string } | undefined {
  for (let step = 1; step <= NEAR_LINES; step++) {
    for (const distance of [-step, step]) {
      const text = around[index]?.get(distance);
      if (text === undefined || text.trim() === "") continue;
      if (around.every((other, at) => at === index || other.get(distance) !== text))
        return { distance, text };
    }
  }
  return undefined;
}

function quoteLine(bytes: Buffer, start: number, encoding: Encoding): string {
  const scanner = scannerFor(encoding);
  // Four bytes are the longest character of any encoding here, so this much holds all that is quoted.
  const part = bytes.subarray(start, start + LINE_CHARACTERS * 4 + 4);
  const newline = scanner.next(part, 0);
  const end = newline === -1 ? part.length : newline - scanner.returnBefore(part, newline, 0);
  const characters = [...decode(part.subarray(0, end), encoding)];
  if (characters.length <= LINE_CHARACTERS) return characters.join("");
  return `${characters.slice(0, LINE_CHARACTERS).join("")}…`;
}
