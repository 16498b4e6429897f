/**
 * Owns how what a command printed stands in a result: labelled sections, what was cut, what was made readable.
 * Leaves the first line to the tools, capturing to process/.
 * Rule: the sections are whole as they were kept; each change to what was printed is said in a note.
 */
import type { Note } from "../../contract/output.ts";
import type { Captured } from "../../contract/shell.ts";
import { decode, detectForm, firstInvalidUtf8, type TextForm } from "../encodings.ts";
import { type FoldedText, foldTerminal } from "./fold-terminal.ts";

export interface ShownStreams {
  /** For the first line: `stdout 700.0 MB, 1 MiB kept`. */
  readonly cut: readonly string[];
  /** The sections; empty where nothing was printed. */
  readonly body: string;
  /** The text of standard error alone. */
  readonly errors: string;
  readonly notes: readonly Note[];
}

export interface Streams {
  readonly stdout: Captured;
  readonly stderr: Captured;
  /** What was kept of each at most. */
  readonly maxBytes: number;
}

/** Bytes by which an encoding is told. */
const SAMPLE_BYTES = 65_536;

interface ShownStream {
  readonly name: string;
  readonly text: string;
  readonly folded: readonly FoldedText[];
  readonly encoding?: string;
}

export async function showStreams({ stdout, stderr, maxBytes }: Streams): Promise<ShownStreams> {
  const shown = [await showStream("stdout", stdout), await showStream("stderr", stderr)];
  return {
    cut: [describeCut("stdout", stdout, maxBytes), describeCut("stderr", stderr, maxBytes)].filter(isPresent),
    body: shown
      .filter(({ text }) => text !== "")
      .map(({ name, text }) => `[${name}]\n${text}`)
      .join("\n"),
    errors: shown[1]?.text ?? "",
    notes: [...noteEncodings(shown), ...noteFolding(shown.flatMap(({ folded }) => folded))],
  };
}

async function showStream(name: string, captured: Captured): Promise<ShownStream> {
  const { head, tail, seen } = captured;
  if (seen === 0) return { name, text: "", folded: [] };
  const form = await detectForm(head.subarray(0, SAMPLE_BYTES));
  const first = foldTerminal(decode(head.subarray(form.bomBytes), form.encoding));
  if (captured.omittedBytes === 0)
    return {
      name,
      text: dropNewline(first.text),
      folded: [first],
      ...describeEncoding(name, captured, form),
    };
  const last = foldTerminal(decode(tail.subarray(skipHalf(captured, form)), form.encoding));
  const text = [dropNewline(first.text), describeGap(captured), dropNewline(last.text)].join("\n");
  return { name, text, folded: [first, last], ...describeEncoding(name, captured, form) };
}

/** In UTF-16 the kept end may begin in the middle of a unit. */
function skipHalf({ seen, tail }: Captured, { encoding }: TextForm): number {
  return encoding.startsWith("utf-16") ? (seen - tail.length) & 1 : 0;
}

/** The line break at the end belongs to the last line. */
function dropNewline(text: string): string {
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}

function describeGap({ head, omittedBytes, omittedLines }: Captured): string {
  const bytes = `${omittedBytes.toLocaleString("en-US")} ${omittedBytes === 1 ? "byte" : "bytes"}`;
  if (omittedLines === 0) return `[… ${bytes} of this line left out …]`;
  const lines = `${omittedLines.toLocaleString("en-US")} ${omittedLines === 1 ? "line" : "lines"}`;
  const inside = head[head.length - 1] === 0x0a ? "" : ", from inside a line,";
  return `[… ${lines} (${bytes})${inside} left out …]`;
}

function describeCut(name: string, captured: Captured, maxBytes: number): string | undefined {
  if (captured.omittedBytes === 0) return undefined;
  return `${name} ${showSize(captured.seen)}, ${showBound(maxBytes)} kept`;
}

/** `700.0 MB`. */
export function showSize(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  if (bytes >= 1e6) return `${(bytes / 1e6).toFixed(1)} MB`;
  return bytes >= 10_000 ? `${(bytes / 1e3).toFixed(1)} kB` : `${bytes} bytes`;
}

/** `1 MiB`. */
export function showBound(bytes: number): string {
  if (bytes % 1_048_576 === 0) return `${bytes / 1_048_576} MiB`;
  return bytes % 1_024 === 0 ? `${bytes / 1_024} KiB` : `${bytes} bytes`;
}

function describeEncoding(name: string, captured: Captured, { encoding }: TextForm): { encoding?: string } {
  if (encoding !== "utf-8") return { encoding: `${name} shown as ${encoding}` };
  const bad = findBad(captured);
  if (bad < 0) return {};
  return {
    encoding: `${name} is not valid UTF-8 (first bad byte at offset ${bad}); such bytes are shown as Windows-1252`,
  };
}

function findBad({ head, tail, seen }: Captured): number {
  const inHead = firstInvalidUtf8(head);
  if (inHead >= 0) return inHead;
  const inTail = firstInvalidUtf8(tail);
  return inTail < 0 ? -1 : seen - tail.length + inTail;
}

function noteEncodings(shown: readonly ShownStream[]): Note[] {
  return shown
    .map(({ encoding }) => encoding)
    .filter(isPresent)
    .map((text) => ({ code: "encoding", text, audience: "model" }));
}

function noteFolding(folded: readonly FoldedText[]): Note[] {
  const redrawn = folded.reduce((sum, one) => sum + one.redrawn, 0);
  const told = [
    folded.some((one) => one.sequences) ? "colours and other terminal sequences are left out" : undefined,
    redrawn === 0
      ? undefined
      : `${redrawn} redrawn ${redrawn === 1 ? "line is shown as it" : "lines are shown as they"} last stood`,
    folded.some((one) => one.symbols) ? "control characters are shown as symbols" : undefined,
  ].filter(isPresent);
  if (told.length === 0) return [];
  return [{ code: "output-folded", text: `output folded: ${told.join("; ")}`, audience: "model" }];
}

function isPresent<T>(value: T | undefined): value is T {
  return value !== undefined;
}
