/**
 * Owns turning a failed edit into the facts that let a model correct it: which entry, which lines, what differs.
 * Leaves the prose to toolset/phrase. Rule: the file on disk is what is shown, bounded, with its line numbers.
 */
import { type Refusal, refuse } from "../../contract/refusal.ts";
import type { Encoding } from "../../text/encodings.ts";
import { findAcrossEndings, findText } from "../../text/find-text.ts";
import { findNearestInFile, renumber } from "../../text/nearest-in-file.ts";
import { scannerFor } from "../../text/newline-scanner.ts";
import type { Edit, EditFailure } from "../../text/replace.ts";
import { nameBreak } from "./note-endings.ts";
import { quotePlaces } from "./quote-places.ts";

interface Attempt {
  readonly path: string;
  readonly edits: readonly Edit[];
  readonly encoding: Encoding;
  readonly firstBadOffset: number;
}

export function refuseEdit(failure: EditFailure, attempt: Attempt): Refusal {
  const { path } = attempt;
  const entry = failure.index === undefined ? undefined : `edits[${failure.index}]`;
  if (failure.kind === "no-change") {
    const endings = failure.keptBreak && { endings: nameBreak(failure.keptBreak) };
    return refuse("edit-no-change", { path, ...(entry && { entry }), ...endings });
  }
  if (failure.kind === "encoding") {
    const firstBad = attempt.firstBadOffset === -1 ? {} : { firstBadOffset: attempt.firstBadOffset };
    return refuse("file-encoding", {
      path,
      encoding: attempt.encoding,
      ...firstBad,
      ...(entry && { entry }),
    });
  }
  if (failure.kind === "no-match") return refuseNoMatch(failure, attempt);
  const places = quotePlaces(failure.places, attempt.encoding);
  const facts = {
    path,
    entry: entry ?? "",
    places,
    total: failure.total,
    ...(failure.isAtLeast && { isAtLeast: true as const }),
    ...(failure.isTolerated && { isTolerated: true as const }),
  };
  if (failure.kind === "ambiguous") return refuse("edit-ambiguous", facts);
  return refuse("edit-count", { ...facts, expected: attempt.edits[failure.index]?.expectedCount ?? 0 });
}

function refuseNoMatch(failure: Extract<EditFailure, { kind: "no-match" }>, attempt: Attempt): Refusal {
  const edit = attempt.edits[failure.index];
  const { encoding } = attempt;
  const region = findNearestInFile({ bytes: failure.bytes, encoding, asked: edit?.oldText ?? "" });
  const alreadyAt = edit === undefined ? undefined : lineOfText(failure.bytes, edit.newText, encoding);
  return refuse("edit-no-match", {
    path: attempt.path,
    entry: `edits[${failure.index}]`,
    entries: attempt.edits.length,
    ...(region && { region: renumber(region, failure.onDisk) }),
    ...(alreadyAt !== undefined && { alreadyAt: failure.onDisk(alreadyAt) }),
  });
}

/** Places looked at for a new text that stands already: a short one may stand inside many words. */
const PLACES_TRIED = 100;

/** The line at which the new text stands already, if it does: whole words of it, not a part of others. */
function lineOfText(bytes: Buffer, text: string, encoding: Encoding): number | undefined {
  if (text.trim() === "") return undefined;
  const haystack = { bytes, encoding };
  const exact = findText(haystack, text, { overlapping: true, limit: PLACES_TRIED }) ?? [];
  const places = exact.length > 0 || !text.includes("\n") ? exact : findAcrossEndings(haystack, text, 1);
  const first = places.find(
    ({ start, end }) =>
      !(isWord(text.at(0)) && isWord(characterAt(bytes, start - 1))) &&
      !(isWord(text.at(-1)) && isWord(characterAt(bytes, end))),
  );
  return first === undefined ? undefined : scannerFor(encoding).count(bytes.subarray(0, first.start)) + 1;
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /\w/.test(character);
}

/** The ASCII character at an offset; in UTF-16 the byte beside a text may be the empty half of one, which is no word. */
function characterAt(bytes: Buffer, at: number): string | undefined {
  const byte = bytes[at];
  return byte === undefined ? undefined : String.fromCharCode(byte);
}
