/**
 * Owns the fence around the worker in which tools run and pages and documents are converted: what it finds where.
 * Leaves the fences of commands to fence.ts, the driver's arguments to process/confine/, the rules of a session to the
 * host, which tells them for each call. Rule: the second wall, coarse and settled when the worker starts. Nothing is mounted
 * below a folder that a tool may rename or remove: what tools do there is, byte for byte, what they do unconfined.
 */
import { dirname, join } from "node:path";
import type { Place } from "../contract/access.ts";
import type { Root } from "../contract/root.ts";
import { bubblewrapArguments, type FenceRequest } from "../process/confine/bubblewrap-arguments.ts";
import type { WorkerFence } from "../process/confine/fence-worker.ts";
import { isBelow, keepTopmost } from "../process/confine/path-order.ts";
import type { ConfinementProbe } from "../process/confine/probe.ts";
import { listVisible } from "../process/confine/visible-home.ts";
import { openLockFolder } from "../root/commit-lock.ts";
import { isFolder, lookAt } from "../root/look-quietly.ts";
import { layOut } from "./fence-layout.ts";
import { type FenceOptions, findFault } from "./fence-options.ts";

export type ToolsFencing =
  | { readonly kind: "open"; readonly why: string }
  | { readonly kind: "refused"; readonly error: string }
  | { readonly kind: "fenced"; readonly fence: WorkerFence };

export interface ToolsFence {
  /** What the fence depends on: where this is another, the worker has to be, too. Asked before each call. */
  key(): string;
  /** How a worker that starts now is to be started. */
  put(): ToolsFencing;
  /** Why the worker that runs now is not confined, though that was preferred; told once. */
  takeOpen(): string | undefined;
  /** Lets the next worker reach places to which a host's own `resolve` led. */
  admit(places: readonly Place[]): void;
}

export type ToolsFenceRequest = Pick<FenceOptions, "confine" | "probe"> & {
  readonly root: Pick<Root, "path">;
  /** Where this package lies, as built. */
  readonly packageFolder: string;
  /** The worker's main file. */
  readonly entry: string;
};

/** Folders outside of the root that a worker reaches: of those that a host led to, the last ones. */
const MAX_ADMITTED = 16;
const NOTHING_FOUND = { gits: [], hafts: [], hidden: [], emptied: [], locked: [] };
const CONFIGURATION = "haft.config.json";

export function openToolsFence(request: ToolsFenceRequest): ToolsFence {
  const { root, confine, probe: askProbe } = request;
  let admitted: readonly string[] = [];
  let untold = true;
  return {
    key: () => `${identify(root.path)} ${admitted.join("\0")}`,
    put() {
      const probe = askProbe();
      const fault = findFault(probe, confine);
      if (fault !== undefined)
        return confine === "require" ? { kind: "refused", error: fault } : { kind: "open", why: fault };
      const { program = "" } = probe;
      const args = bubblewrapArguments(layOutTools(request, { admitted, probe }));
      return { kind: "fenced", fence: { program, args } };
    },
    takeOpen() {
      const fault = untold ? findFault(askProbe(), confine) : undefined;
      untold = false;
      return fault;
    },
    admit(places) {
      const outside = places.filter(({ contained }) => !contained).map(({ real }) => findFolder(real));
      const missing = outside.filter((folder) => !admitted.some((one) => isBelow(one, folder)));
      if (missing.length > 0) admitted = keepTopmost([...missing, ...admitted].slice(0, MAX_ADMITTED));
    },
  };
}

/** Whoever removes the root and makes it anew leaves a fence around the old one. */
function identify(path: string): string {
  const stat = lookAt(path);
  return stat === undefined ? "gone" : `${stat.dev}:${stat.ino}`;
}

/** In which what is at a path may be made, replaced and removed. */
function findFolder(path: string): string {
  let folder = dirname(path);
  while (!isFolder(folder)) folder = dirname(folder);
  return folder === "/" ? path : folder;
}

function layOutTools(
  { root, entry, packageFolder }: ToolsFenceRequest,
  { admitted, probe }: { readonly admitted: readonly string[]; readonly probe: ConfinementProbe },
): FenceRequest {
  const { HOME } = process.env;
  const isThere = isFolder(root.path);
  const locks = openLockFolder();
  const layout = layOut({
    root,
    found: NOTHING_FOUND,
    kept: [],
    environment: HOME === undefined ? {} : { HOME },
    writable: [...(locks === undefined ? [] : [locks]), ...admitted],
    programs: [process.execPath],
    rootAccess: "writable",
    temporary: undefined,
    // Some containers let a fence be put up, and no network of its own.
    network: probe.canHaveNoNetwork ? "none" : "host",
    isSuperuser: probe.isSuperuser,
  });
  const isOutside = (path: string) => !isBelow(root.path, path);
  const covered = layout.covered.filter((path) => path !== root.path);
  return {
    ...layout,
    rootAccess: isThere ? "writable" : "absent",
    covered,
    visible: listVisible({
      home: "/nonexistent",
      covered: [...covered, "/tmp", "/var/tmp"],
      environment: {},
      programs: [process.execPath, entry],
      folders: listPackage(packageFolder),
    }).filter(({ path }) => isOutside(path)),
    pinned: [],
    readOnly: isThere ? listHeld(root.path) : [],
    closed: layout.closed.filter(isOutside),
    emptied: layout.emptied.filter(isOutside),
  };
}

/** As built, and the packages that it may load, as Node looks for them. */
function listPackage(folder: string): string[] {
  const above: string[] = [];
  for (let at = folder; at !== dirname(at); at = dirname(at)) above.push(join(at, "node_modules"));
  return [join(folder, "dist"), join(folder, "package.json"), ...above];
}

/**
 * In the root itself, which no tool renames: what no tool changes either, as it is there when the worker starts. The
 * state is not among them: a tool moves files into the scratch folder in it, and across a mount they had to be copied.
 */
function listHeld(root: string): string[] {
  return [".git", CONFIGURATION].map((name) => join(root, name)).filter(isFileOrFolder);
}

function isFileOrFolder(path: string): boolean {
  const stat = lookAt(path);
  return stat?.isDirectory() === true || stat?.isFile() === true;
}
