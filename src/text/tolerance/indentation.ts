/**
 * Owns one uniform shift of indentation: what turns the sent indentation of every line into the file's.
 * Leaves comparing the rest of a line to places.ts. Rule: the shift must explain every line; where two shifts do
 * and would indent the new text differently, none is taken.
 */

/** Turns a sent indentation into the file's; undefined where it cannot say. */
export type Shift = (indent: string) => string | undefined;

/** Widths of a tab that are tried, the usual ones. */
const TAB_WIDTHS = [4, 2, 8, 3];

export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** The shifts that explain all pairs, in groups: those of one group are equally simple, an earlier group is simpler. */
export function findShifts(pairs: readonly { sent: string; file: string }[]): Shift[][] {
  const plain = shiftsBehind((indent) => indent, pairs);
  const conversions = conversionsOf().filter((shift) => explains(shift, pairs));
  const converted = conversionsOf().flatMap((conversion) => shiftsBehind(conversion, pairs));
  return [plain, conversions, converted];
}

/** Adding or taking away one prefix after a conversion. */
function shiftsBehind(conversion: Shift, pairs: readonly { sent: string; file: string }[]): Shift[] {
  const first = pairs[0];
  const sent = first && conversion(first.sent);
  if (first === undefined || sent === undefined) return [];
  const shifts: Shift[] = [];
  if (first.file.length > sent.length && first.file.endsWith(sent)) {
    const prefix = first.file.slice(0, first.file.length - sent.length);
    shifts.push((indent) => prepend(prefix, conversion(indent)));
  }
  if (sent.length > first.file.length && sent.endsWith(first.file)) {
    const prefix = sent.slice(0, sent.length - first.file.length);
    shifts.push((indent) => strip(prefix, conversion(indent)));
  }
  return shifts.filter((shift) => explains(shift, pairs));
}

function prepend(prefix: string, indent: string | undefined): string | undefined {
  return indent === undefined ? undefined : prefix + indent;
}

function strip(prefix: string, indent: string | undefined): string | undefined {
  return indent?.startsWith(prefix) ? indent.slice(prefix.length) : undefined;
}

function conversionsOf(): Shift[] {
  return TAB_WIDTHS.flatMap((width): Shift[] => [
    (indent) => indent.replaceAll("\t", " ".repeat(width)),
    (indent) => {
      const spaces = indent.replaceAll("\t", " ".repeat(width)).length;
      return "\t".repeat(Math.floor(spaces / width)) + " ".repeat(spaces % width);
    },
  ]);
}

function explains(shift: Shift, pairs: readonly { sent: string; file: string }[]): boolean {
  return pairs.every(({ sent, file }) => shift(sent) === file);
}
