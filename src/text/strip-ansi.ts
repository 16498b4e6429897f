/**
 * Owns taking terminal sequences out of text: colours, cursor moves, titles, links.
 * Leaves redrawn lines (`\r`) to the caller. Rule: linear in the length of the text, whatever is in it.
 */

/**
 * CSI with its parameters; OSC, DCS, PM, APC and SOS that end within their line; escapes of two characters. Of a
 * sequence that does not end only the escape is taken out, for what follows may be text; the one-character forms
 * (U+0090, U+009B …) begin none. Nothing in it can match one text in two ways.
 */
const SEQUENCES =
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\n\r\x1b]*(?:\x07|\x1b\\)|\x1b[PX^_][^\n\r\x1b]*\x1b\\|\x1b[ -/]{1,2}[0-~]|\x1b[0-OQ-WYZ\\`-~]|\x1b[\]PX^_]?/g;

export function stripAnsi(text: string): string {
  return text.includes("\x1b") ? text.replace(SEQUENCES, "") : text;
}
