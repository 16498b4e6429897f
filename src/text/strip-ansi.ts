/**
 * Owns taking terminal sequences out of text: colours, cursor moves, titles, links.
 * Leaves redrawn lines (`\r`) to the caller. Rule: linear in the length of the text, whatever is in it.
 */

/**
 * CSI with its parameters; OSC, DCS, PM, APC and SOS up to their end (or, cut off, to the end of the line, so that an
 * open one cannot swallow the rest); two-character escapes. Nothing in it can match one text in two ways.
 */
const SEQUENCES =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?|\x1b[ -/]+[0-~]|\x1b[0-Z\\^-~]|\x1b/g;

export function stripAnsi(text: string): string {
  return text.includes("\x1b") || text.includes("\x9b") ? text.replace(SEQUENCES, "") : text;
}
