/**
 * Owns how the command line writes: JSON on one line, colours only on a terminal.
 * Leaves the words to the commands. Rule: what a program may read goes to standard output, the rest to standard error.
 */
import picocolors from "picocolors";

/** Colours for a stream, none where it is no terminal or the person asked for none (https://no-color.org). */
export function colorsFor(stream: NodeJS.WriteStream): ReturnType<typeof picocolors.createColors> {
  return picocolors.createColors(stream.isTTY === true && !process.env.NO_COLOR);
}

export function printLine(text: string): void {
  process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}

let hasPrinted = false;

/** Whether anything was printed that a program reads: then an error that follows is told to people alone. */
export function hasPrintedJson(): boolean {
  return hasPrinted;
}

export function printJson(value: unknown): void {
  hasPrinted = true;
  process.stdout.write(`${JSON.stringify(value, replaceUnprintable, 2)}\n`);
}

/** The cause of a fault may hold anything; its message is what a person can use. */
function replaceUnprintable(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  return value instanceof Error ? value.message : value;
}
