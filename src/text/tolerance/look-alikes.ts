/**
 * Owns characters that look alike: kinds of space, quotes, dashes, and Unicode normalisation.
 * Leaves searching to places.ts. Rule: a folded text is only ever compared; the file keeps its own characters,
 * and new text takes them over only where the matched region uses them without exception.
 */
import { LOOK_ALIKE_CHARACTERS } from "../look-alike-characters.ts";

/** A character with the marks that combine with it: the unit in which texts are compared. */
const CHUNK = /[\s\S]\p{M}*/gu;
const NEEDS_FOLDING = /[^\x00-\x7f]/;

export function chunksOfText(text: string): string[] {
  return text.match(CHUNK) ?? [];
}

export function foldLookAlikes(text: string): string {
  return NEEDS_FOLDING.test(text) ? chunksOfText(text).map(foldChunk).join("") : text;
}

export function foldChunk(chunk: string): string {
  return LOOK_ALIKE_CHARACTERS.get(chunk) ?? chunk.normalize("NFD");
}

/** Sent chunks and the file's chunks that stand for each other; `length` counts chunks on either side. */
export interface Atom {
  readonly sent: readonly string[];
  readonly file: readonly string[];
}

/** Aligns two texts whose folded forms are equal. */
export function alignChunks(sent: string, file: string): Atom[] {
  const [sentChunks, fileChunks] = [chunksOfText(sent), chunksOfText(file)];
  const atoms: Atom[] = [];
  let [i, j] = [0, 0];
  while (i < sentChunks.length || j < fileChunks.length) {
    const atom = { sent: [] as string[], file: [] as string[] };
    let [left, right] = [0, 0];
    do {
      const takeSent = left <= right && i < sentChunks.length;
      const chunk = (takeSent ? sentChunks[i++] : fileChunks[j++]) ?? "";
      (takeSent ? atom.sent : atom.file).push(chunk);
      if (takeSent) left += foldChunk(chunk).length;
      else right += foldChunk(chunk).length;
    } while (left !== right && (i < sentChunks.length || j < fileChunks.length));
    atoms.push(atom);
  }
  return atoms;
}

/** Gives one character of a new text as the file would have it; the characters beside it tell how it is used. */
export type AdaptCharacter = (chunks: readonly string[], at: number) => string;

/**
 * How new text takes over the file's characters, learnt from every line that was matched: only where the region uses
 * one in place of the plain one without exception, and only between the same kind of neighbours, blank or not. The
 * dash of `a – b` says nothing of `--`.
 */
export function learnCharacters(lines: readonly (readonly Atom[])[]): AdaptCharacter {
  const uses = new Map<string, Set<string>>();
  for (const atoms of lines) {
    const sent = atoms.flatMap((atom) => atom.sent);
    let at = 0;
    for (const atom of atoms) {
      const [to] = atom.file;
      if (atom.sent.length === 1 && atom.file.length === 1 && to !== undefined) {
        const use = useOf(sent, at);
        uses.set(use, (uses.get(use) ?? new Set()).add(to));
      }
      at += atom.sent.length;
    }
  }
  const form = learnForm(lines.flat());
  return (chunks, at) => {
    const [only, ...others] = uses.get(useOf(chunks, at)) ?? [];
    const chunk = chunks[at] ?? "";
    // Which of a pair of quotes a new one would be cannot be learnt from the other.
    const isLearnt = only !== undefined && others.length === 0 && !/[\p{Pi}\p{Pf}]/u.test(only);
    const taken = isLearnt ? only : chunk;
    return form === undefined ? taken : normalize(taken, form);
  };
}

/** A character and the kind of its neighbours. */
function useOf(chunks: readonly string[], at: number): string {
  const kind = (chunk: string | undefined) => (chunk === undefined || chunk.trim() === "" ? "_" : "x");
  return kind(chunks[at - 1]) + (chunks[at] ?? "") + kind(chunks[at + 1]);
}

function learnForm(atoms: readonly Atom[]): "NFC" | "NFD" | undefined {
  const pairs = atoms.map(({ sent, file }) => [sent.join(""), file.join("")] as const);
  const differing = pairs.filter(
    ([sent, file]) => sent !== file && sent.normalize("NFD") === file.normalize("NFD"),
  );
  if (differing.length === 0) return undefined;
  if (differing.every(([, file]) => file === file.normalize("NFD"))) return "NFD";
  return differing.every(([, file]) => file === file.normalize("NFC")) ? "NFC" : undefined;
}

function normalize(chunk: string, form: "NFC" | "NFD"): string {
  return NEEDS_FOLDING.test(chunk) ? chunk.normalize(form) : chunk;
}
