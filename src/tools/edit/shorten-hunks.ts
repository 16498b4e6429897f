/**
 * Owns bounding the diff that an edit shows. Leaves the full patch to `details`.
 * Rule: cut between lines, said at the cut, with the call that shows the rest.
 */
import type { Place } from "../../contract/access.ts";
import type { MountedNames } from "../../contract/context.ts";

export function shortenHunks(of: {
  hunks: string;
  maxBytes: number;
  place: Place;
  names: MountedNames;
}): string {
  const hunks = of.hunks.endsWith("\n") ? of.hunks.slice(0, -1) : of.hunks;
  if (Buffer.byteLength(hunks) <= of.maxBytes) return hunks;
  const lines = hunks.split("\n");
  const kept: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > of.maxBytes) break;
    kept.push(line);
  }
  const omitted = `[diff shortened: ${lines.length - kept.length} of its ${lines.length} lines left out`;
  const call = of.names.suggest("read", { path: of.place.shown, offset: lineReached(kept) });
  return [
    ...kept,
    call === undefined ? `${omitted}]` : `${omitted}; ${call} shows the file from there]`,
  ].join("\n");
}

/** The last line of the new file that the kept part of the diff shows: one that is sure to exist. */
function lineReached(lines: readonly string[]): number {
  let next = 1;
  let last = 1;
  for (const row of lines) {
    const header = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(row);
    if (header !== null) next = Math.max(Number(header[1]), 1);
    if (header !== null) last = next;
    else if (row.startsWith("+") || row.startsWith(" ")) last = next++;
  }
  return last;
}
