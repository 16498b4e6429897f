/**
 * Owns how a browser is confined: what of the system it sees, and by which network.
 * Leaves its profile, which it alone may write to, to process/browser/, and the verdicts on what it asks for to the proxy of
 * its visit. Rule: a browser needs nothing of the root, so it is not there; nothing of the person's but the folder in
 * which the browser itself lies.
 */
import { bubblewrapArguments } from "../process/confine/bubblewrap-arguments.ts";
import type { FencedPaths } from "../root/fenced-paths.ts";
import type { Fencing, RootedOptions } from "./fence.ts";
import { layOut } from "./fence-layout.ts";
import { findFault } from "./fence-options.ts";

export interface BrowserSetting {
  /** Real path. */
  readonly program: string;
  /** Of the proxy of this visit, where the network is taken away. */
  readonly socket: string | undefined;
}

export function fenceBrowser(
  options: RootedOptions,
  found: FencedPaths,
  { program: browser, socket }: BrowserSetting,
): Fencing {
  const { root, confine, probe: askProbe, screen } = options;
  const probe = askProbe();
  const fault = findFault(probe, confine);
  if (fault !== undefined)
    return confine === "require" ? { kind: "refused", error: fault } : { kind: "open", why: fault };
  const { program = "", nsenter = "", isSuperuser } = probe;
  const hasRelay = confine === "require" && socket !== undefined && screen !== undefined;
  const { HOME, PATH } = process.env;
  const layout = layOut({
    root,
    found,
    kept: options.kept ?? [],
    environment: { ...(HOME === undefined ? {} : { HOME }), ...(PATH === undefined ? {} : { PATH }) },
    writable: [],
    programs: [browser],
    rootAccess: "absent",
    temporary: undefined,
    network: confine === "prefer" ? "host" : hasRelay ? "relay" : "none",
    isSuperuser,
  });
  const args = bubblewrapArguments(layout);
  const relay = hasRelay ? { relay: { nsenter, isSuperuser, entry: screen.entry, socket } } : {};
  return {
    kind: "fenced",
    fence: { program, args, root: root.path, mounts: layout.mounts, ...relay },
    layout,
    variables: {},
    refusedBefore: 0,
  };
}
