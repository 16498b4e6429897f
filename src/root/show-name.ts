/**
 * Owns how a file name is shown: names are bytes, and not all of them are text.
 * Leaves paths to their callers. Rule: valid UTF-8 as it is, every other byte as `\xE9`.
 */
import { isUtf8 } from "node:buffer";

/** A name for people and models; two names that are not UTF-8 never look alike by accident of a replacement character. */
export function showName(name: Buffer | string): string {
  if (typeof name === "string") return name;
  if (isUtf8(name)) return name.toString("utf8");
  let shown = "";
  for (let at = 0; at < name.length; ) {
    const length = characterLength(name, at);
    if (length === 0) {
      shown += `\\x${(name[at] ?? 0).toString(16).toUpperCase().padStart(2, "0")}`;
      at += 1;
    } else {
      shown += name.toString("utf8", at, at + length);
      at += length;
    }
  }
  return shown;
}

/** Blanks and combining marks that look like others made visible: `<U+202F>`. */
export function showOddCharacters(name: string): string {
  return name.replace(/(?! )[\p{Zs}\p{M}\p{Cf}\p{Cc}]/gu, (character) => {
    const point = character.codePointAt(0) ?? 0;
    return `<U+${point.toString(16).toUpperCase().padStart(4, "0")}>`;
  });
}

/** Bytes of the character at `at`, 0 where none is valid there. */
function characterLength(bytes: Buffer, at: number): number {
  for (let length = 1; length <= 4 && at + length <= bytes.length; length++) {
    if (isUtf8(bytes.subarray(at, at + length))) return length;
  }
  return 0;
}
