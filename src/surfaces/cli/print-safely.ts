/**
 * Owns printing what a tool once gave, as it is.
 * Leaves tables to print-table.ts. Rule: a pipe gets every byte; a terminal never gets a control character that was
 * in it. The attack: a file or a page that a tool showed retitles the window, or writes over what stands above it.
 */

/** All but tab and newline, and the carriage return before a newline. */
const CONTROLS = /\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

export function makeSafe(text: string): string {
  return text.replace(CONTROLS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

export function printContent(text: string): void {
  process.stdout.write(process.stdout.isTTY ? makeSafe(text) : text);
  if (process.stdout.isTTY && text !== "" && !text.endsWith("\n")) process.stdout.write("\n");
}

/** For a stream that may be a terminal. */
export function safeFor(stream: { readonly isTTY?: boolean }, text: string): string {
  return stream.isTTY === true ? makeSafe(text) : text;
}
