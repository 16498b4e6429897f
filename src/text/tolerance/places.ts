/**
 * Owns finding the places that one rule explains, line by line. Leaves writing the new text to rebuild.ts.
 * Rule: a proof, not a likeness: every line of the old text must be the file's but for what the one rule allows.
 */
import { findByCompactLines } from "./compact-places.ts";
import { sliceLine } from "./file-lines.ts";
import { findFolded } from "./folded-places.ts";
import { asSent, NO_EXTRAS, type Place, type Search } from "./place.ts";

export function findPlaces(search: Search): Place[] {
  if (!search.old.some((line) => line.text.trim() !== "")) return [];
  return [
    ...findAtEnd(search),
    ...findFolded(search, "trailing-blanks"),
    ...(search.asciiOnly ? [] : findFolded(search, "look-alikes")),
    ...findByCompactLines(search),
  ];
}

/** The old text ends with a newline where the file ends without one. */
function findAtEnd({ file, old }: Search): Place[] {
  const last = file.lines.at(-1);
  if (last === undefined || last.breakEnd > last.end || !old.at(-1)?.hasBreak) return [];
  const lines = file.lines.slice(-old.length);
  if (lines.length < old.length) return [];
  const first = lines[0];
  const sent = old[0]?.text ?? "";
  if (first === undefined || !first.text.endsWith(sent)) return [];
  if (!old.every((line, index) => index === 0 || line.text === lines[index]?.text)) return [];
  const from = first.text.length - sent.length;
  const slice = sliceLine(first, { from, to: first.text.length, withBreak: true }, file);
  return [
    {
      rule: "final-newline",
      alignments: [
        { old, lines: [slice, ...lines.slice(1)], extras: NO_EXTRAS, change: asSent, adapt: (text) => text },
      ],
    },
  ];
}
