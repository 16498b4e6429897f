/**
 * Owns what a fence is asked for, and whether the machine can give it.
 * Leaves the fence to fence.ts, trying the machine out to process/confine/. Rule: what is required and cannot be had
 * is an error with the reason; what is preferred and cannot be had is said aloud.
 */
import type { ConfinementProbe } from "../process/confine/probe.ts";
import type { PathRules } from "../root/fenced-paths.ts";
import type { CommandScreenOptions } from "./command-screen.ts";

export interface FenceOptions {
  readonly confine: "prefer" | "require";
  /** Asked when the first command runs. */
  readonly probe: () => ConfinementProbe;
  readonly rules?: PathRules | undefined;
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
