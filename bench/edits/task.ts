/**
 * Owns what a task is, and making one whose right answer is known: the intended text first, then the call as it was
 * distorted on its way. Leaves the distortions to kinds/. Rule: a task with more than one defensible answer is none.
 */
import type { FreshLine } from "./change.ts";
import { type Cut, joinCut } from "./cut.ts";
import { type Document, plainText, textOf } from "./document.ts";
import { countPlaces, standsOnce } from "./fold.ts";

export interface SentEdit {
  readonly old_text: string;
  readonly new_text: string;
}

/** What a refusal must name. */
export type Named =
  | { readonly as: "region"; readonly start: number; readonly end: number }
  | { readonly as: "places"; readonly lines: readonly number[] }
  | { readonly as: "already"; readonly line: number };

export type Expected =
  /** The first is what was meant. Others differ from it only in blanks at the end of a changed line. */
  | { readonly outcome: "land"; readonly bytes: readonly Buffer[] }
  /** `entry` is the failing one of several edits. */
  | { readonly outcome: "refuse"; readonly named: Named; readonly entry?: number };

export interface Task {
  readonly kind: string;
  readonly extension: string;
  readonly encoding: string;
  readonly before: Buffer;
  readonly edits: readonly SentEdit[];
  readonly expected: Expected;
}

export interface Encoder {
  readonly name: string;
  /** Undefined where it cannot hold the text. */
  encode(text: string): Buffer | undefined;
}

export const UTF_8: Encoder = { name: "utf-8", encode: (text) => Buffer.from(text, "utf8") };

interface SentAt {
  readonly side: "old" | "new";
  /** Of the line in the cut; absent for a new one. */
  readonly from: number | undefined;
  /** In the text that is sent. */
  readonly index: number;
}

export interface Landing {
  readonly kind: string;
  readonly document: Document;
  readonly cut: Cut;
  readonly fresh: readonly FreshLine[];
  /** A line as the model sends it. */
  readonly send?: (text: string, at: SentAt) => string;
  /** The lines joined as the model does it. */
  readonly join?: (lines: readonly string[], cut: Cut) => string;
  /** Other right answers, as for `fresh`. */
  readonly alternatives?: readonly (readonly FreshLine[])[];
  /** Whether the sent text may be in the file as it is. */
  readonly exact?: boolean;
  readonly encoder?: Encoder;
}

/** The task, or undefined where it has no answer that everybody must agree on. */
export function makeLanding(of: Landing): Task | undefined {
  const { document, cut, fresh, encoder = UTF_8 } = of;
  const sent = distort(of);
  if (sent.old_text === sent.new_text || sent.old_text === "") return undefined;
  if (!hasOnePlace(of, sent.old_text)) return undefined;
  const before = encoder.encode(textOf(document.lines));
  const answers = [fresh, ...(of.alternatives ?? [])].map((lines) =>
    encoder.encode(putIn(document, cut, lines)),
  );
  if (before === undefined || answers.some((answer) => answer === undefined || answer.equals(before))) {
    return undefined;
  }
  const bytes = answers.filter((answer) => answer !== undefined);
  const { kind } = of;
  const { extension } = document;
  return {
    kind,
    extension,
    encoding: encoder.name,
    before,
    edits: [sent],
    expected: { outcome: "land", bytes },
  };
}

function distort({ cut, fresh, send = (text) => text, join = joinCut }: Landing): SentEdit {
  const old = cut.lines.map((text, index) => send(text, { side: "old", from: index, index }));
  const changed = fresh.map(({ text, from }, index) => send(text, { side: "new", from, index }));
  return { old_text: join(old, cut), new_text: join(changed, cut) };
}

function hasOnePlace({ document, cut, exact = false }: Landing, sent: string): boolean {
  const plain = plainText(document);
  const count = countPlaces(plain, sent.replaceAll("\r\n", "\n"));
  if (!exact) return count === 0 && standsOnce(plain, joinCut(cut.lines, cut));
  // Across line endings an exact text is a matter of tolerance, where all rules are counted together.
  const isPlain = countPlaces(textOf(document.lines), sent) === 1;
  return count === 1 && (isPlain || standsOnce(plain, joinCut(cut.lines, cut)));
}

/** The file with the fresh lines in place of the cut ones, each with the ending that is right there. */
export function putIn(document: Document, cut: Cut, fresh: readonly FreshLine[]): string {
  const old = document.lines.slice(cut.start, cut.end);
  const usual = (old[0]?.ending || document.lines[0]?.ending) ?? "\n";
  const lines = fresh.map(({ text, from }, index) => {
    const isLast = index === fresh.length - 1;
    const own = from === undefined ? usual : old[from]?.ending || usual;
    const ending = isLast ? (old.at(-1)?.ending ?? "") : own;
    return (index === 0 ? cut.prefix : "") + text + (isLast ? cut.suffix : "") + ending;
  });
  return textOf(document.lines.slice(0, cut.start)) + lines.join("") + textOf(document.lines.slice(cut.end));
}
