/**
 * Owns telling which files no read can make known: what `read` shows of them is not the text that they are made of.
 * Leaves showing them to `read`. Rule: agrees with `read`; a refusal that sends a model to a read that cannot help
 * sends it round in a circle.
 */
import type { Place } from "../../contract/access.ts";
import type { NoRead } from "../../contract/refusal.ts";
import { decode } from "../../text/encodings.ts";
import { kindOf } from "../../text/kinds.ts";
import { scannerOf } from "../../text/newline-scanner.ts";
import { renderNotebook } from "../../text/notebook.ts";

/** Bytes at the start of a file that tell what it is. */
const SAMPLE_BYTES = 65_536;
/** Beyond 64 MiB a notebook is read as the text that it is. */
const NOTEBOOK_MAX_BYTES = 67_108_864;

/** Why no read makes a file known; undefined where reading does. */
export function findNoRead(place: Place, bytes: Buffer): NoRead | undefined {
  const { kind } = kindOf(bytes.subarray(0, SAMPLE_BYTES));
  if (kind !== "text") return kind;
  if (holdsNul(bytes)) return "binary";
  return isNotebook(place, bytes) ? "notebook" : undefined;
}

/** A line with a NUL is shown by no read, wherever it stands. */
function holdsNul(bytes: Buffer): boolean {
  if (scannerOf(bytes).unit === 1) return bytes.includes(0);
  for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, at + 1)) {
    if (at % 2 === 0 && bytes[at + 1] === 0) return true;
  }
  return false;
}

function isNotebook(place: Place, bytes: Buffer): boolean {
  if (!place.real.endsWith(".ipynb") || bytes.length > NOTEBOOK_MAX_BYTES) return false;
  return renderNotebook(decode(bytes, "utf-8")) !== undefined;
}
