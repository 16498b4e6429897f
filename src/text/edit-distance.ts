/**
 * Owns how far two names are apart, and the nearest of some names: the "did you mean" of every refusal.
 * Leaves what is done with it to the caller. Rule: a name that is no likely slip is not offered, and of equally
 * near names the first in byte order is, so that the answer does not hang on the order of the candidates.
 */

/** A longer name is no slip of the hand, and comparing costs its square. */
const MAX_LENGTH = 200;

/**
 * Letters put in, left out, exchanged or swapped with a neighbour, to get from one text to the other
 * (Damerau-Levenshtein, optimal string alignment). Counted in characters.
 */
export function editDistance(from: string, to: string): number {
  const [old, now] = [[...from], [...to]];
  let beforeLast: number[] = [];
  let last = Array.from({ length: now.length + 1 }, (_, index) => index);
  for (let row = 1; row <= old.length; row++) {
    const current = [row];
    for (let column = 1; column <= now.length; column++) {
      const same = old[row - 1] === now[column - 1];
      let least = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 && column > 1 && old[row - 1] === now[column - 2] && old[row - 2] === now[column - 1];
      if (swapped) least = Math.min(least, at(beforeLast, column - 2) + 1);
      current.push(least);
    }
    beforeLast = last;
    last = current;
  }
  return at(last, now.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}

/** The candidate that `name` is most likely meant to be; undefined where none is likely. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  return nearestNames(name, candidates, 1)[0];
}

/** The likely candidates, nearest first, at most `count`. */
export function nearestNames(name: string, candidates: Iterable<string>, count: number): string[] {
  if (name.length > MAX_LENGTH) return [];
  const wanted = fold(name);
  const ranked: { readonly candidate: string; readonly distance: number }[] = [];
  for (const candidate of new Set(candidates)) {
    if (Math.abs(candidate.length - name.length) > MAX_LENGTH / 2 || candidate.length > MAX_LENGTH) continue;
    const distance = rankDistance(wanted, fold(candidate));
    if (distance !== undefined) ranked.push({ candidate, distance });
  }
  ranked.sort(
    (a, b) => a.distance - b.distance || Buffer.compare(Buffer.from(a.candidate), Buffer.from(b.candidate)),
  );
  return ranked.slice(0, count).map(({ candidate }) => candidate);
}

/** Case, and the ways to join words, are the commonest slips and count for nothing: `filePath`, `file_path`. */
function fold(name: string): string {
  return name
    .normalize("NFC")
    .toLowerCase()
    .replace(/[\s_-]+/g, "");
}

function rankDistance(wanted: string, candidate: string): number | undefined {
  const longer = Math.max(wanted.length, candidate.length);
  // A third of the letters, and one in the shortest names: "lst" for "list", but not "cat" for "ls".
  const cap = Math.max(1, Math.floor(longer / 3));
  if (Math.abs(wanted.length - candidate.length) <= cap) {
    const distance = editDistance(wanted, candidate);
    if (distance <= cap && distance < longer) return distance;
  }
  // One name inside the other is a likely slip too (`read_file` for `read`), after all that are near.
  const shorter = wanted.length < candidate.length ? wanted : candidate;
  if (shorter.length >= 3 && (wanted.includes(candidate) || candidate.includes(wanted)))
    return 100 + longer - shorter.length;
  return undefined;
}
