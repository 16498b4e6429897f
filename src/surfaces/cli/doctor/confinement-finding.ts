/**
 * Owns what `haft doctor` says of confinement: whether commands and the browser can be confined here, how far, and why not further.
 * Leaves trying the machine out to process/. Rule: the one thing of the doctor's that is run: whether a system lets a
 * fence be put up is told by putting one up around nothing.
 */
import { type ConfinementProbe, probeConfinement } from "../../../worker/look-for-programs.ts";
import type { Finding } from "./findings.ts";

/** `root` is its real path. */
export function findConfinement(root: string): Finding {
  const probe = probeConfinement({ root, path: process.env.PATH });
  return {
    name: "confinement",
    found: probe.canFence && probe.canCutNetwork,
    detail: describeProbe(probe),
    costs: probe.canFence
      ? "confine: require is refused; prefer fences files and processes and keeps the network"
      : "confine: require is refused, and prefer runs commands and the browser without a fence and says so: they read and write what you can",
    required: false,
  };
}

function describeProbe({ canFence, canCutNetwork, why, version, ...of }: ConfinementProbe): string {
  const where = [
    ...(of.isSuperuser ? ["as the system's root"] : []),
    ...(of.isContainer ? ["in a container"] : []),
  ].join(", ");
  const here = where === "" ? "" : ` (${where})`;
  if (canFence && canCutNetwork)
    return `bubblewrap ${version ?? ""}${here}: files, processes and the network, but for a relay to the screen; of commands and of the browser`;
  if (canFence)
    return `bubblewrap ${version ?? ""}${here}: files and processes; not the network: ${why ?? ""}`;
  return `${why ?? "not here"}${here}`;
}
