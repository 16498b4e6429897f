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

/** One character of a new text as the file would have it, or undefined where nothing was learnt of it. */
export type AdaptCharacter = (chunks: readonly string[], at: number) => string | undefined;

/** Kinds of quote: which of a pair a new one would be cannot be learnt from the other. */
const QUOTE = /[\p{Pi}\p{Pf}\u201a\u201e\u2032\u2033\u00b4\u02bc\uff02\uff07]/u;

/**
 * How new text takes over the file's characters: only where the lines that were matched use one in place of the plain
 * one without exception, at least `lines` of them, and only between the same kind of neighbours. The dash of `a – b`
 * says nothing of `--` or of a bullet, and one line of prose nothing of the code beside it.
 */
export function learnCharacters(matched: readonly (readonly Atom[])[], lines: number): AdaptCharacter {
  const uses = new Map<string, { to: Set<string>; lines: Set<number> }>();
  for (const [line, atoms] of matched.entries()) {
    const sent = atoms.flatMap((atom) => atom.sent);
    let at = 0;
    for (const atom of atoms) {
      const [to] = atom.file;
      if (atom.sent.length === 1 && atom.file.length === 1 && to !== undefined) {
        const key = useOf(sent, at);
        const use = uses.get(key) ?? { to: new Set(), lines: new Set() };
        uses.set(key, { to: use.to.add(to), lines: use.lines.add(line) });
      }
      at += atom.sent.length;
    }
  }
  const form = learnForm(matched.flat());
  return (chunks, at) => {
    const use = uses.get(useOf(chunks, at));
    const [only, ...others] = use?.to ?? [];
    const isLearnt =
      only !== undefined && others.length === 0 && (use?.lines.size ?? 0) >= lines && !QUOTE.test(only);
    if (isLearnt) return only;
    return form === undefined ? undefined : normalize(chunks[at] ?? "", form);
  };
}

/** A character and the kind of its neighbours. */
function useOf(chunks: readonly string[], at: number): string {
  const kind = (chunk: string | undefined) => (chunk === undefined ? "|" : chunk.trim() === "" ? "_" : "x");
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

/** Puts a letter with marks into a form; what is itself in neither (U+212B, U+037E) is another character, and stays. */
function normalize(chunk: string, form: "NFC" | "NFD"): string | undefined {
  const [composed, decomposed] = [chunk.normalize("NFC"), chunk.normalize("NFD")];
  if (composed === decomposed || (chunk !== composed && chunk !== decomposed)) return undefined;
  return form === "NFC" ? composed : decomposed;
}
