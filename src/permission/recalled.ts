/**
 * Owns what rules about reading say of results of earlier calls that a call would show again.
 * Leaves finding out what those calls read to the session, deciding to judge.ts. Rule: what may not be read today is
 * not shown from what was read earlier. A path that no rule speaks of is left out: there may be hundreds of a walk.
 */
import type { Place } from "../contract/access.ts";
import { isRefusal } from "../contract/refusal.ts";
import type { Root } from "../contract/root.ts";
import { type LedName, nameOtherwise } from "../root/led-names.ts";
import { locate } from "../root/resolve.ts";
import type { PathEffect } from "./effect.ts";
import { hitsEffect, namesEffect, type Rule } from "./rule.ts";

/** What an earlier call read, whose result a call would show. */
export interface Recalled {
  /** The bare names of the tools whose rules about paths hold for it. */
  readonly tools: readonly string[];
  /** Relative to the root: what it was asked for. */
  readonly asked: readonly string[];
  /** The same: what its walk has shown. */
  readonly shown: readonly string[];
}

export async function listRecalled(of: {
  readonly recalled: Recalled | undefined;
  readonly rules: readonly Rule[];
  readonly root: Root;
  readonly led: readonly LedName[];
}): Promise<readonly PathEffect[]> {
  const { recalled, rules, root, led } = of;
  if (recalled === undefined || rules.length === 0) return [];
  const otherwise = nameOtherwise(led);
  const name = (path: string, place?: Place): PathEffect => {
    const names = otherwise(path);
    return {
      kind: "reads",
      path,
      recalls: recalled.tools,
      ...(names.length === 0 ? {} : { names }),
      ...(place === undefined ? {} : { place }),
    };
  };
  const effects: PathEffect[] = [];
  for (const path of recalled.asked) effects.push(name(path, await findPlace(root, path)));
  for (const path of recalled.shown) {
    const effect = name(path);
    if (rules.some((rule) => namesEffect(rule, [], effect) && hitsEffect(rule, effect))) effects.push(effect);
  }
  return effects;
}

/** Where it is now, if it still is: it may have other names. */
async function findPlace(root: Root, path: string): Promise<Place | undefined> {
  try {
    const place = await locate(root, { path, link: "follow", mustExist: false });
    return isRefusal(place) || place.shown !== path ? undefined : place;
  } catch {
    // What cannot be looked at is judged by its name alone.
    return undefined;
  }
}
