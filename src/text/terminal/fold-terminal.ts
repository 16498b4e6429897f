/**
 * Owns making plain text of what a program printed for a terminal: colours and titles go, lines that were redrawn
 * stand as they were last. Leaves the screen to screen.ts, saying that it was done to the caller.
 * Rule: no escape, no carriage return and no other control but tab and newline is left, whatever is in the text, and
 * nothing printable that stands outside a terminated sequence is lost. Only an escape begins a sequence: the
 * one-character forms (U+0090, U+009B …) are mostly bytes of another encoding. Linear in the length of the text; a
 * plain one is given back as it is.
 */
import {
  eraseBelow,
  eraseLine,
  moveRows,
  moveTo,
  openScreen,
  readScreen,
  type Screen,
  startLine,
  writeText,
} from "./screen.ts";

export interface FoldedText {
  readonly text: string;
  /** Colours, cursor movements, titles and links were taken out. */
  readonly sequences: boolean;
  /** Lines of which only the last state is there. */
  readonly redrawn: number;
  /** Control characters are shown as symbols, such as ␀. */
  readonly symbols: boolean;
}

/** What a terminal does not show as it is; `\r\n` is a line ending like any other. */
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
const CONTROLS = /[\x00-\x08\n\x0b-\x1f\x7f-\x9f]/g;

/** CSI: parameters, intermediates, a final character. */
const CSI = /\x1b\[([0-?]*)([ -/]*)([@-~])/y;
/**
 * OSC, DCS, PM, APC and SOS, whole within one line: with BEL or ST at the end of an OSC, with ST at that of the others.
 * A body is of printable characters; a return, a cancel or another escape in it says that it was none.
 */
const STRING = /\x1b(?:\][^\x07\n\r\x18\x1a\x1b]*(?:\x07|\x1b\\)|[PX^_][^\n\r\x18\x1a\x1b]*\x1b\\)/y;
const OPENERS = "[]PX^_";
/** Any other: a character set, a mode of the keypad. */
const OTHER = /\x1b[ -/]{0,2}[0-~]/y;
/** What begins a sequence that does not end. Of these only the introducer is taken out: what follows may be text. */
const INTRODUCER = /\x1b[[\]PX^_]?/y;

export function foldTerminal(text: string): FoldedText {
  const plain = text.includes("\r") ? text.replace(/(?<!\r)\r+\n/g, "\n") : text;
  if (!CONTROL.test(plain)) return { text: plain, sequences: false, redrawn: 0, symbols: false };
  return redraw(plain);
}

function redraw(text: string): FoldedText {
  const screen = openScreen();
  let sequences = false;
  let symbols = false;
  let at = 0;
  CONTROLS.lastIndex = 0;
  for (let found = CONTROLS.exec(text); found !== null; found = CONTROLS.exec(text)) {
    if (found.index > at) writeText(screen, text.slice(at, found.index));
    const control = found[0];
    at = found.index + 1;
    if (control === "\n") startLine(screen);
    else if (control === "\r") moveTo(screen, 0);
    else if (control === "\b") moveTo(screen, screen.column - 1);
    else if (control === "\x1b") {
      sequences = true;
      at = obey(screen, text, found.index);
    } else if (control !== "\x07") {
      symbols = true;
      writeText(screen, showControl(control));
    }
    CONTROLS.lastIndex = at;
  }
  writeText(screen, text.slice(at));
  return { text: readScreen(screen), redrawn: screen.redrawn.size, sequences, symbols };
}

/** Reads one sequence and does what matters of it; gives the index behind it. */
function obey(screen: Screen, text: string, start: number): number {
  const csi = matchAt(CSI, text, start);
  if (csi !== null) {
    if (csi[2] === "") obeyCsi(screen, csi[3] ?? "", csi[1] ?? "");
    return start + csi[0].length;
  }
  const isOpener = OPENERS.includes(text[start + 1] ?? "");
  const other = matchAt(isOpener ? STRING : OTHER, text, start) ?? matchAt(INTRODUCER, text, start);
  return start + (other?.[0].length ?? 1);
}

function obeyCsi(screen: Screen, final: string, parameters: string): void {
  const first = Number.parseInt(parameters, 10);
  const count = Number.isNaN(first) || first < 1 ? 1 : first;
  if (final === "A") moveRows(screen, -count);
  else if (final === "B") moveRows(screen, count);
  else if (final === "C") moveTo(screen, screen.column + count);
  else if (final === "D") moveTo(screen, screen.column - count);
  else if (final === "E" || final === "F") {
    moveRows(screen, final === "E" ? count : -count);
    moveTo(screen, 0);
  } else if (final === "G") moveTo(screen, count - 1);
  else if (final === "K") eraseLine(screen, first === 1 ? "left" : first === 2 ? "all" : "right");
  else if (final === "J" && !(first > 0)) eraseBelow(screen);
}

function matchAt(pattern: RegExp, text: string, start: number): RegExpExecArray | null {
  pattern.lastIndex = start;
  return pattern.exec(text);
}

/** U+2400 and on are pictures of the controls; those above ASCII have none and are named. */
function showControl(control: string): string {
  const code = control.charCodeAt(0);
  if (code === 0x7f) return "\u2421";
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : `<U+00${code.toString(16).toUpperCase()}>`;
}
