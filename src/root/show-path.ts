/**
 * Owns how the path of a found entry is shown: relative to the root, in one line.
 * Leaves single names to show-name.ts, control characters to text/one-line.ts. Rule: a name can never look like a
 * line of its own, whatever is in it, and every tool and refusal spells it alike.
 */
import type { Place } from "../contract/access.ts";
import { keepOnOneLine } from "../text/one-line.ts";
import { bytesOfBinary } from "../text/path-text.ts";
import { showName } from "./show-name.ts";

/** A binary path for people and models. The attack: a file named `x\n3 matches` that writes into our answer. */
export function showBinary(path: string): string {
  return keepOnOneLine(/[\x80-\xff]/.test(path) ? showName(bytesOfBinary(path)) : path);
}

/** The path of an entry below a place, as every tool takes it. */
export function showEntryPath(place: Place, path: string): string {
  const at = keepOnOneLine(place.shown);
  if (path === "") return at;
  const below = showBinary(path);
  if (at === ".") return below;
  return at.endsWith("/") ? at + below : `${at}/${below}`;
}

/** Whether a call can name a binary path by the text that it is shown as. */
export function isPlainName(path: string): boolean {
  return Buffer.from(showBinary(path), "utf8").toString("latin1") === path;
}
