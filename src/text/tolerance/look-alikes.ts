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

/** How new text takes over the file's characters, learnt from everything that was matched. */
export function learnCharacters(atoms: readonly Atom[]): (text: string) => string {
  const uses = new Map<string, Set<string>>();
  for (const { sent, file } of atoms) {
    if (sent.length !== 1 || file.length !== 1) continue;
    const [from = "", to = ""] = [sent[0], file[0]];
    uses.set(from, (uses.get(from) ?? new Set()).add(to));
  }
  const only = new Map<string, string>();
  for (const [from, to] of uses) {
    const [first] = to;
    // Which of a pair of quotes a new one would be cannot be learnt from the other.
    const isQuote = first !== undefined && /[\p{Pi}\p{Pf}]/u.test(first);
    if (to.size === 1 && first !== undefined && first !== from && !isQuote) only.set(from, first);
  }
  const form = learnForm(atoms);
  return (text) => {
    const chunks = chunksOfText(text).map((chunk) => only.get(chunk) ?? chunk);
    return form === undefined ? chunks.join("") : chunks.map((chunk) => normalize(chunk, form)).join("");
  };
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
