/**
 * Owns what `haft doctor` says of confinement: whether commands, the browser and the worker of the tools can be confined
 * here, how far, and why not further.
 * Leaves trying the machine out to process/ and worker/. Rule: whether a system lets a fence be put up is told by putting
 * one up, around nothing and around a worker that is ended at once.
 */
import { PACKAGE_FOLDER, WORKER_ENTRY } from "../../../toolset/give-worker.ts";
import { type ConfinementProbe, probeConfinement } from "../../../worker/look-for-programs.ts";
import { tryWorker } from "../../../worker/try-worker.ts";
import type { Finding } from "./findings.ts";

/** `root` is its real path. */
export async function findConfinement(root: string): Promise<Finding> {
  const probe = probeConfinement({ root, path: process.env.PATH });
  const lost = probe.canFence ? await tryFencedWorker(root, probe) : undefined;
  const tools = lost === undefined ? "" : `; the worker of the tools ${lost}: under confine, tools refuse`;
  return {
    name: "confinement",
    found: probe.canFence && probe.canCutNetwork && lost === undefined,
    detail: `${describeProbe(probe)}${tools}`,
    costs: probe.canFence
      ? "confine: require is refused; prefer fences files and processes and keeps the network"
      : "confine: require is refused, and prefer runs commands, the browser and the worker without a fence and says so: they read and write what you can",
    required: false,
  };
}

/** Why the worker in which tools run does not start in its fence; undefined where it does. */
async function tryFencedWorker(root: string, probe: ConfinementProbe): Promise<string | undefined> {
  const { openToolsFence } = await import("../../../worker/tools-fence.ts");
  const request = { confine: "prefer", probe: () => probe, packageFolder: PACKAGE_FOLDER } as const;
  return tryWorker(WORKER_ENTRY, openToolsFence({ ...request, root: { path: root }, entry: WORKER_ENTRY }));
}

function describeProbe({ canFence, canCutNetwork, why, version, ...of }: ConfinementProbe): string {
  const where = [
    ...(of.isSuperuser ? ["as the system's root"] : []),
    ...(of.isContainer ? ["in a container"] : []),
  ].join(", ");
  const here = where === "" ? "" : ` (${where})`;
  if (canFence && canCutNetwork)
    return `bubblewrap ${version ?? ""}${here}: files, processes and the network, but for a relay to the screen; of commands, of the browser, and of the worker in which tools run`;
  if (canFence)
    return `bubblewrap ${version ?? ""}${here}: files and processes; not the network: ${why ?? ""}`;
  return `${why ?? "not here"}${here}`;
}
