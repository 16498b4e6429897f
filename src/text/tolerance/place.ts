/**
 * Owns what a search by one rule is given and what it finds. Rule: types and the two simplest values of them.
 */
import type { Encoding } from "../encodings.ts";
import type { SentLine } from "../sent-lines.ts";
import type { FileLine } from "./file-lines.ts";
import type { Alignment, Piece } from "./rebuild.ts";

export type PlaceRule = "final-newline" | "trailing-blanks" | "blank-line" | "indentation" | "look-alikes";

/** One place; `alignments` holds one way to read it, or several equally simple ones. */
export interface Place {
  readonly rule: PlaceRule;
  readonly alignments: readonly Alignment[];
  /** Those that decide where the others would write different bytes. */
  readonly likely?: readonly Alignment[];
}

export interface Search {
  readonly file: { readonly bytes: Buffer; readonly encoding: Encoding; readonly lines: readonly FileLine[] };
  readonly old: readonly SentLine[];
  readonly fresh: readonly SentLine[];
  /** Places after which the search ends. */
  readonly limit: number;
  /** Characters of the file cannot be written back as text. */
  readonly asciiOnly: boolean;
}

export const NO_EXTRAS: ReadonlyMap<number, readonly FileLine[]> = new Map();

export function asSent(fresh: string): Piece[] {
  return [{ text: fresh }];
}
