/**
 * Owns calls whose text has several places: as it is, overlapping itself, or only under tolerance.
 * Rule: every place is as good as the others, so nothing but a refusal that names them all is right.
 */
import { drawChange } from "../change.ts";
import { type Cut, cutLines, joinCut } from "../cut.ts";
import { type Document, drawDocument, indentOf, isBlank, plainText, textOf } from "../document.ts";
import { countPlaces, foldCoarsely, listPlaces } from "../fold.ts";
import type { Random } from "../random.ts";
import type { SentEdit, Task } from "../task.ts";
import type { Kind } from "./kind.ts";

/** Places that a refusal can be expected to list. */
const MOST_PLACES = 15;

function makeAmbiguous(kind: string, document: Document, edit: SentEdit, lines: readonly number[]): Task {
  return {
    kind,
    extension: document.extension,
    encoding: "utf-8",
    before: Buffer.from(textOf(document.lines)),
    edits: [edit],
    expected: { outcome: "refuse", named: { as: "places", lines: [...new Set(lines)] } },
  };
}

function linesOf(text: string, places: readonly number[]): number[] {
  return places.map((place) => text.slice(0, place).split("\n").length);
}

const twice: Kind = {
  name: "ambiguous",
  outcome: "refuse",
  make(random, corpus) {
    const document = drawDocument(random, corpus);
    const cut = cutLines(random, document, { max: 3, withBreak: false });
    const fresh = cut && drawChange(random, { lines: cut.lines, extension: document.extension });
    if (cut === undefined || fresh === undefined) return undefined;
    const [old_text, new_text] = [
      joinCut(cut.lines, cut),
      joinCut(
        fresh.map((line) => line.text),
        cut,
      ),
    ];
    const plain = plainText(document);
    const places = listPlaces(plain, old_text);
    if (places.length < 2 || places.length > MOST_PLACES || old_text === new_text) return undefined;
    // Across line endings other rules would be asked as well, and could know further places.
    if (
      textOf(document.lines) !== plain &&
      countPlaces(foldCoarsely(plain), foldCoarsely(old_text)) !== places.length
    )
      return undefined;
    return makeAmbiguous(this.name, document, { old_text, new_text }, linesOf(plain, places));
  },
};

const overlapping: Kind = {
  name: "ambiguous, overlapping itself",
  outcome: "refuse",
  make(random, corpus) {
    const base = drawDocument(random, corpus);
    const cut = cutLines(random, base, { max: 2, withBreak: true });
    const fresh = cut && drawChange(random, { lines: cut.lines, extension: base.extension });
    if (cut === undefined || fresh === undefined || !cut.withBreak) return undefined;
    // Three times in a row, of which two are sent: they stand at two places that share the middle one.
    const block = base.lines.slice(cut.start, cut.end);
    const lines = [...base.lines.slice(0, cut.end), ...block, ...block, ...base.lines.slice(cut.end)];
    const document = { ...base, lines };
    const once = joinCut(cut.lines, cut);
    const [old_text, new_text] = [
      once + once,
      once +
        joinCut(
          fresh.map((line) => line.text),
          cut,
        ),
    ];
    const plain = plainText(document);
    const places = listPlaces(plain, old_text);
    if (places.length !== 2 || old_text === new_text) return undefined;
    if (countPlaces(foldCoarsely(plain), foldCoarsely(old_text)) !== 2) return undefined;
    return makeAmbiguous(this.name, document, { old_text, new_text }, linesOf(plain, places));
  },
};

/** Ways in which the file may have a block that was sent otherwise. */
const DISGUISES: readonly ((lines: readonly string[], random: Random) => string[])[] = [
  (lines, random) =>
    lines.map((line) => (isBlank(line) ? line : line.trimEnd() + random.pick([" ", "\t", "   "]))),
  (lines) => {
    const more = lines.some((line) => indentOf(line).includes("\t")) ? "\t" : "  ";
    return lines.map((line) => (isBlank(line) ? line : more + line));
  },
  (lines) => lines.map((line) => line.replaceAll('"', "\u201d").replaceAll("'", "\u2019")),
  (lines) => lines.map((line) => line.replace(/(?<=\S) (?=\S)/g, "\u00a0")),
];

const tolerated: Kind = {
  name: "ambiguous under tolerance",
  outcome: "refuse",
  make(random, corpus) {
    const base = drawDocument(random, corpus);
    const cut = cutLines(random, base, { min: 2, max: 6, withBreak: random.chance(0.5) });
    const fresh = cut && drawChange(random, { lines: cut.lines, extension: base.extension });
    if (cut === undefined || fresh === undefined) return undefined;
    const disguised = disguiseTwice(random, base, cut);
    if (disguised === undefined) return undefined;
    const { document, starts } = disguised;
    const [old_text, new_text] = [
      joinCut(cut.lines, cut),
      joinCut(
        fresh.map((line) => line.text),
        cut,
      ),
    ];
    const plain = plainText(document);
    if (countPlaces(plain, old_text) > 0 || old_text === new_text) return undefined;
    if (countPlaces(foldCoarsely(plain), foldCoarsely(old_text)) !== 2) return undefined;
    return makeAmbiguous(
      this.name,
      document,
      { old_text, new_text },
      starts.map((start) => start + 1),
    );
  },
};

/** The block of the cut at its place and at a later one, each unlike what is sent in a way of its own. */
function disguiseTwice(
  random: Random,
  base: Document,
  cut: Cut,
): { document: Document; starts: number[] } | undefined {
  const ending = base.lines[cut.start]?.ending ?? "\n";
  const later = random.between(cut.end, base.lines.length - 1);
  if (cut.lines.some((line) => isBlank(line) && line !== "") || ending === "" || later <= cut.end)
    return undefined;
  const [first, second] = [
    random.pick(DISGUISES)(cut.lines, random),
    random.pick(DISGUISES)(cut.lines, random),
  ];
  const isSame = (lines: readonly string[]): boolean => lines.join("\n") === cut.lines.join("\n");
  if (isSame(first) || isSame(second)) return undefined;
  const lay = (lines: readonly string[]) => lines.map((text) => ({ text, ending }));
  const lines = [
    ...base.lines.slice(0, cut.start),
    ...lay(first),
    ...base.lines.slice(cut.end, later),
    ...lay(second),
    ...base.lines.slice(later),
  ];
  return { document: { ...base, lines }, starts: [cut.start, later] };
}

export const ambiguousKinds: readonly Kind[] = [twice, overlapping, tolerated];
