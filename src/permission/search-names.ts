/**
 * Owns what is looked through so that a rule that denies or asks holds for other names of what it speaks of: hard
 * links, and where links lead. Leaves looking to root/other-names.ts and root/led-names.ts.
 * Rule: every rule that names a folder is looked through first and to a bound of its own, so that no other rule takes
 * that from it. Where a search ends at its bound, its rules are told as open, and an open question is no yes.
 */
import type { Root } from "../contract/root.ts";
import { type LedName, type LinkFinder, openLinkFinder } from "../root/led-names.ts";
import { type Base, gatherLinkedNames, type LinkedNames } from "../root/other-names.ts";
import type { PathPattern } from "./path-pattern.ts";
import { hitsEffect, type Rule } from "./rule.ts";

export interface SearchedNames {
  /** Files with several names, and those of them that a rule speaks of. */
  readonly names: LinkedNames;
  /** Rules whose search ended at its bound. */
  readonly open: readonly Rule[];
}

export interface NamesRequest {
  readonly root: Root;
  readonly signal: AbortSignal;
  /** That deny or ask, and speak of paths. */
  readonly rules: readonly Rule[];
  readonly led: readonly LedName[];
  /** Entries that are looked at for each rule; the default of root/other-names.ts where it is absent. */
  readonly maxEntries?: number | undefined;
}

/** Where links lead that matter to rules. */
export function openRuleLinks(root: Pick<Root, "path">, rules: readonly Rule[]): LinkFinder {
  const patterns = rules.flatMap(({ pattern }) => pattern?.path ?? []);
  const lanes = patterns.flatMap((pattern) => (pattern.bases.length === 0 ? [] : [laneOf(pattern)]));
  return openLinkFinder(root, lanes);
}

function laneOf(pattern: PathPattern) {
  return {
    bases: pattern.bases,
    mayEnter: (folder: string) => pattern.mayHitBelow(folder),
    matters: (link: string) => pattern.minds(link),
    isWide: pattern.floats,
  };
}

/** The hard links of files that the rules speak of. */
export async function searchNames(request: NamesRequest): Promise<SearchedNames> {
  const names = new Map<string, string[]>();
  const open: Rule[] = [];
  for (const lane of listLanes(request.rules)) {
    const found = await searchLane(request, lane);
    for (const [identity, more] of found.names)
      names.set(identity, [...new Set([...(names.get(identity) ?? []), ...more])]);
    if (!found.isWhole) open.push(...lane);
  }
  return { names, open };
}

/** Rules that name a folder, each for itself; behind them those that float, together. */
function listLanes(rules: readonly Rule[]): readonly (readonly Rule[])[] {
  const named = rules.filter(({ pattern }) => pattern?.path?.floats === false);
  const floating = rules.filter(({ pattern }) => pattern?.path?.floats === true);
  return [...named.map((rule) => [rule]), ...(floating.length === 0 ? [] : [floating])];
}

function searchLane({ root, signal, led, maxEntries }: NamesRequest, rules: readonly Rule[]) {
  const patterns = rules.flatMap(({ pattern }) => pattern?.path ?? []);
  const bases = new Map<string, Base>();
  for (const { bases: own } of patterns)
    for (const base of own) bases.set(base, { at: base === "" ? "." : base, name: base });
  for (const { target, name } of led)
    if (patterns.some((pattern) => pattern.minds(name))) bases.set(name, { at: target, name });
  return gatherLinkedNames({
    root,
    signal,
    ...(maxEntries === undefined ? {} : { maxEntries }),
    bases: [...bases.values()],
    mayEnter: (folder) => patterns.some((pattern) => pattern.mayHitBelow(folder)),
    isMeant: (path) => rules.some((rule) => hitsEffect(rule, { kind: "reads", path })),
  });
}
