/**
 * Owns calls with plain characters where the file has others that look alike, and the other way round.
 * Rule: what changes are plain words, so that every odd character of the file has to stay.
 */

import { drawChange } from "../change.ts";
import type { Source } from "../corpus.ts";
import { type Cut, cutLines, cutParts } from "../cut.ts";
import { type Document, drawDocument, mapTexts } from "../document.ts";
import type { Random } from "../random.ts";
import { makeLanding, type Task } from "../task.ts";
import type { Kind } from "./kind.ts";

interface Folding {
  readonly name: string;
  /** What the file has, made of a plain line. */
  set(text: string, random: Random): string;
  /** What the model sends of it. */
  send(text: string, from: number | undefined): string;
}

function makeFolded(random: Random, corpus: readonly Source[], folding: Folding): Task | undefined {
  const document: Document = mapTexts(drawDocument(random, corpus), (text) =>
    random.chance(0.4) ? folding.set(text, random) : text,
  );
  // JSON with other quotes is none, and new lines of it have quotes.
  if (document.extension === ".json") return undefined;
  const isPart = random.chance(0.3);
  const cut: Cut | undefined = isPart ? cutParts(random, document) : cutLines(random, document, { max: 8 });
  if (cut === undefined) return undefined;
  const fresh = drawChange(random, {
    lines: cut.lines,
    extension: document.extension,
    ...(isPart && { kinds: ["word"] as const }),
  });
  const send = (text: string, at: { from: number | undefined }): string => folding.send(text, at.from);
  return fresh && makeLanding({ kind: folding.name, document, cut, fresh, send });
}

const quotes: Folding = {
  name: "quotes and dashes",
  set: (text, random) =>
    text
      .replace(/"([^"]*)"/g, random.chance(0.9) ? "“$1”" : "„$1“")
      .replace(/(\p{L})'(\p{L})/gu, "$1’$2")
      .replace(/'([^']*)'/g, "‘$1’")
      .replace(/ - /g, () => ` ${random.pick(["–", "—"])} `)
      .replace(/(\p{L})-(\p{L})/gu, random.chance(0.3) ? "$1\u2011$2" : "$1-$2"),
  send: (text) =>
    text
      .replace(/[“”„]/g, '"')
      .replace(/[‘’]/g, "'")
      .replace(/[–—\u2011]/g, "-"),
};

/** The second space between words; so the first stays a plain one, and the kind of a new line's spaces is not open. */
const spaceInFile: Folding = {
  name: "kinds of space, odd in the file",
  set: (text, random) =>
    replaceSpace(text, { number: 1, by: random.pick(["\u00a0", "\u00a0", "\u202f", "\u2009", "\u3000"]) }),
  send: (text) => text.replace(/[\u00a0\u202f\u2009\u3000]/g, " "),
};

const spaceSent: Folding = {
  name: "kinds of space, odd in the call",
  set: (text) => text,
  send: (text, from) => (from === undefined ? text : replaceSpace(text, { number: 0, by: "\u00a0" })),
};

function replaceSpace(text: string, use: { number: number; by: string }): string {
  const spaces = [...text.matchAll(/(?<=\S) (?=\S)/g)].map((match) => match.index);
  const at = spaces[use.number];
  return at === undefined ? text : text.slice(0, at) + use.by + text.slice(at + 1);
}

const ACCENTS: Readonly<Record<string, string>> = { a: "à", e: "é", o: "ö", u: "ü", n: "ñ", c: "ç", i: "î" };

/** One letter in each of some words. */
function accent(text: string, random: Random): string {
  return text.replace(/(?<![\p{L}\p{N}_])[a-z]{4,}(?![\p{L}\p{N}_])/gu, (word) => {
    return random.chance(0.5)
      ? word.replace(/[aeouci](?=[a-z])/, (letter) => ACCENTS[letter] ?? letter)
      : word;
  });
}

const composedSent: Folding = {
  name: "NFC sent for NFD",
  set: (text, random) => accent(text, random).normalize("NFD"),
  send: (text) => text.normalize("NFC"),
};

const decomposedSent: Folding = {
  name: "NFD sent for NFC",
  set: (text, random) => accent(text, random).normalize("NFC"),
  send: (text) => text.normalize("NFD"),
};

export const characterKinds: readonly Kind[] = [
  quotes,
  spaceInFile,
  spaceSent,
  composedSent,
  decomposedSent,
].map((folding) => ({
  name: folding.name,
  outcome: "land",
  make: (random, corpus) => makeFolded(random, corpus, folding),
}));
