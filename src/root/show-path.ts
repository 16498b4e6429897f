/**
 * Owns how the path of a found entry is shown: relative to the root, in one line.
 * Leaves single names to show-name.ts. Rule: a name can never look like a line of its own, whatever is in it.
 */
import type { Place } from "../contract/access.ts";
import { bytesOfBinary } from "../text/path-text.ts";
import { showName } from "./show-name.ts";

/** A binary path for people and models. The attack: a file named `x\n3 matches` that writes into our answer. */
export function showBinary(path: string): string {
  const shown = /[\x80-\xff]/.test(path) ? showName(bytesOfBinary(path)) : path;
  return shown.replace(CONTROLS, (character) => {
    const code = character.codePointAt(0) as number;
    return `\\x${code.toString(16).toUpperCase().padStart(2, "0")}`;
  });
}

const CONTROLS = /[\x00-\x1f\x7f-\x9f\u2028\u2029]/g;

/** The path of an entry below a place, as every tool takes it. */
export function showEntryPath(place: Place, path: string): string {
  if (path === "") return place.shown;
  const below = showBinary(path);
  if (place.shown === ".") return below;
  return place.shown.endsWith("/") ? place.shown + below : `${place.shown}/${below}`;
}
