/**
 * Owns what a fence is asked for, and whether the machine can give it.
 * Leaves the fence to fence.ts, trying the machine out to process/confine/. Rule: what is required and cannot be had
 * is an error with the reason; what is preferred and cannot be had is said aloud.
 */
import type { ConfinementProbe } from "../process/confine/probe.ts";
import type { FencedPaths, PathRules } from "../root/fenced-paths.ts";
import type { CommandScreenOptions } from "./command-screen.ts";

export interface FenceOptions {
  readonly confine: "prefer" | "require";
  /** Asked when the first command runs. */
  readonly probe: () => ConfinementProbe;
  readonly rules?: PathRules | undefined;
  /** Where state is kept, beside every `.haft`: ledgers and folders, as they are spelled. No command sees what is in them. */
  readonly kept?: readonly string[] | undefined;
  /** What commands may reach where the network is taken away; nothing where absent. */
  readonly screen?: CommandScreenOptions | undefined;
}

/** Why what was asked for cannot be had. */
export function findFault(probe: ConfinementProbe, confine: "prefer" | "require"): string | undefined {
  const { why = "it cannot be had here" } = probe;
  if (!probe.canFence) return why;
  return confine === "require" && !probe.canCutNetwork
    ? `the network cannot be taken away: ${why}`
    : undefined;
}

const MAX_RULES = 3;

/** Why more is to be kept apart than can be, and what would work. */
export function explainMany({ hidden, locked, gits }: FencedPaths, rules: PathRules | undefined): string {
  const counts = new Map<string, number>();
  const withheld = new Set(hidden);
  const speaking = [
    ...hidden.map((path) => rules?.hides(path)),
    ...locked.filter((path) => !withheld.has(path)).map((path) => rules?.locks(path)),
  ];
  for (const rule of speaking) if (rule !== undefined) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  const most = [...counts].sort(([, one], [, other]) => other - one).slice(0, MAX_RULES);
  const named = most.map(([rule, files]) => `${rule} speaks of ${files} files`).join(", ");
  const way = " A rule that names a folder (data/**) keeps it apart as one path";
  const said = `more paths are to be kept apart than can be: ${hidden.length} withheld, ${locked.length} locked, ${gits.length} git directories`;
  return named === "" ? said : `${said}. ${named}.${way}`;
}
