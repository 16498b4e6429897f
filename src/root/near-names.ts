/**
 * Owns which names of a directory somebody may have meant who asked for one that is not there.
 * Leaves reading the directory to suggest.ts. Rule: few and likely; the likeliest first, then by bytes.
 */
import { isUtf8 } from "node:buffer";
import { editDistance } from "../text/edit-distance.ts";
import { foldName } from "./twin.ts";

const MAX_NAMES = 3;
/** Comparing spellings costs the product of two lengths; a directory of more names gets the cheap likenesses alone. */
const MAX_COMPARED = 2_000;

/** At most three of `names` that are near `asked`. Names that are not UTF-8 cannot be asked for and are left out. */
export function findNearNames(asked: string, names: readonly Buffer[]): string[] {
  const scored: { name: string; score: number }[] = [];
  const wanted = foldName(asked);
  for (const bytes of names) {
    if (!isUtf8(bytes)) continue;
    const name = bytes.toString("utf8");
    const score =
      scoreOf(wanted, name) ?? (names.length <= MAX_COMPARED ? scoreSlip(asked, name) : undefined);
    if (score !== undefined) scored.push({ name, score });
  }
  scored.sort((a, b) => a.score - b.score || Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
  return scored.slice(0, MAX_NAMES).map((entry) => entry.name);
}

/** 0 looks the same, 1 differs in case, 2 has another extension or none. */
function scoreOf(a: string, name: string): number | undefined {
  const b = foldName(name);
  if (a === b) return 0;
  const [low, other] = [a.toLowerCase(), b.toLowerCase()];
  if (low === other) return 1;
  return stemOf(low) === stemOf(other) ? 2 : undefined;
}

/** A slip of the hand: few letters of many. */
function scoreSlip(asked: string, name: string): number | undefined {
  const [a, b] = [asked.toLowerCase(), name.toLowerCase()];
  const most = Math.max(1, Math.floor(Math.max(a.length, b.length) / 4));
  if (Math.abs(a.length - b.length) > most || a.length > 100) return undefined;
  const distance = editDistance(a, b);
  return distance <= most && distance < a.length ? 2 + distance : undefined;
}

function stemOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}
