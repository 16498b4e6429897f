/**
 * Owns the ids of commitments as people and models write them: shortened, and found again by their beginning.
 * Leaves what they name to the projection. Rule: the shortest prefix that no other id has, at least 8 characters; a
 * whole id always means itself, also where it is the beginning of another.
 */
import type { IdProblem } from "../contract/commitment-view.ts";
import { nearestName } from "../text/edit-distance.ts";
import type { Projection } from "./project.ts";

const SHORTEST = 8;
/** Ids among which a mistyped one is looked for; beyond them a list tells more. */
const MOST_NEAR = 2_000;
const MOST_CANDIDATES = 20;

/** All ids with their short forms. */
export function shortenIds(ids: Iterable<string>): ReadonlyMap<string, string> {
  const sorted = [...ids].sort();
  return new Map(
    sorted.map((id, at) => {
      const before = sharedLength(id, sorted[at - 1]);
      const after = sharedLength(id, sorted[at + 1]);
      return [id, id.slice(0, Math.max(SHORTEST, before + 1, after + 1))];
    }),
  );
}

function sharedLength(one: string, other: string | undefined): number {
  if (other === undefined) return 0;
  let length = 0;
  while (length < one.length && length < other.length && one[length] === other[length]) length += 1;
  return length;
}

export function resolveId(projection: Projection, asked: string): { readonly id: string } | IdProblem {
  if (projection.has(asked)) return { id: asked };
  const ids = [...projection.keys()];
  const found = asked === "" ? [] : ids.filter((id) => id.startsWith(asked));
  const [only] = found;
  if (only !== undefined && found.length === 1) return { id: only };
  const short = shortenIds(ids);
  if (found.length > 1)
    return {
      kind: "ambiguous",
      candidates: found
        .sort()
        .slice(0, MOST_CANDIDATES)
        .map((id) => ({
          id: short.get(id) ?? id,
          objective: projection.get(id)?.commitment.objective ?? "",
        })),
    };
  const near = nearestName(asked, [...short.values()].slice(0, MOST_NEAR));
  return { kind: "unknown", nearest: near === undefined ? [] : [near] };
}
