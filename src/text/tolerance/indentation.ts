/**
 * Owns one uniform shift of indentation: what turns the sent indentation of every line into the file's.
 * Leaves comparing the rest of a line to places.ts. Rule: the shift must explain every line; where two shifts do
 * and would indent the new text differently, none is taken.
 */

/** Turns a sent indentation into the file's; undefined where it cannot say. */
export type Shift = (indent: string) => string | undefined;

/** Widths of a tab, the usual ones. */
const TAB_WIDTHS = [4, 2, 8, 3];

export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function hasTabs(lines: readonly string[]): boolean {
  return lines.some((line) => indentOf(line).includes("\t"));
}

/** How far one step of indentation goes: the largest number of blanks of which all are multiples; undefined where none is usual. */
function stepOf(lines: readonly string[]): number | undefined {
  let step = 0;
  for (const line of lines) {
    const blanks = indentOf(line).replaceAll("\t", "").length;
    if (line.trim() !== "") step = greatestCommon(step, blanks);
  }
  return TAB_WIDTHS.includes(step) ? step : undefined;
}

function greatestCommon(a: number, b: number): number {
  return b === 0 ? a : greatestCommon(b, a % b);
}

/**
 * The shifts that explain all pairs, each a way to read the place, given all lines of the call and those of the file.
 * `likely` are those in which a tab stands for one step: of the file's where tabs were sent for blanks, of what was
 * sent where blanks were sent for tabs. They decide where the others disagree.
 */
export function findShifts(
  pairs: readonly { sent: string; file: string }[],
  { sent, file }: { readonly sent: readonly string[]; readonly file: readonly string[] },
): { all: Shift[]; likely: Shift[] } {
  const shiftsBy = (widths: { blanks: readonly number[]; tabs: readonly number[] }): Shift[] => {
    // A conversion is a way to read the place only where there is something that it would turn into tabs or blanks.
    const conversions = [
      ...(hasTabs(sent) ? widths.blanks.map(blanksFor) : []),
      ...(hasTabs(file) ? widths.tabs.map(tabsFor) : []),
    ];
    return [
      ...shiftsBehind((indent) => indent, pairs),
      ...conversions.filter((shift) => explains(shift, pairs)),
      ...conversions.flatMap((conversion) => shiftsBehind(conversion, pairs)),
    ];
  };
  const [sentStep, fileStep] = [stepOf(sent), stepOf(file)];
  const steps = {
    blanks: fileStep === undefined ? [] : [fileStep],
    tabs: sentStep === undefined ? [] : [sentStep],
  };
  return { all: shiftsBy({ blanks: TAB_WIDTHS, tabs: TAB_WIDTHS }), likely: shiftsBy(steps) };
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

function blanksFor(width: number): Shift {
  return (indent) => indent.replaceAll("\t", " ".repeat(width));
}

function tabsFor(width: number): Shift {
  return (indent) => {
    const blanks = indent.replaceAll("\t", " ".repeat(width)).length;
    return "\t".repeat(Math.floor(blanks / width)) + " ".repeat(blanks % width);
  };
}

function explains(shift: Shift, pairs: readonly { sent: string; file: string }[]): boolean {
  return pairs.every(({ sent, file }) => shift(sent) === file);
}
