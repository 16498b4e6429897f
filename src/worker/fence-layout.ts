/**
 * Owns which paths a fence covers, shows, holds and closes, for one command on this machine.
 * Leaves finding those of the tree to root/, turning them into arguments to process/confine/. Rule: what is not there
 * is not named, and a link is never a mount's source or place.
 */
import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { Root } from "../contract/root.ts";
import type { FenceRequest, Laid } from "../process/confine/bubblewrap-arguments.ts";
import { listHostSockets } from "../process/confine/host-sockets.ts";
import { isBelow, isInAny, keepTopmost } from "../process/confine/path-order.ts";
import { listVisible, SECRETS } from "../process/confine/visible-home.ts";
import { showBelow } from "../root/containment.ts";
import type { FencedPaths } from "../root/fenced-paths.ts";
import { type GitPart, holdAbsent, holdGit } from "../root/git-parts.ts";
import { isFile, isFolder } from "../root/look-quietly.ts";
import { findTracked } from "../root/tracked-names.ts";
import { layState, type StateRequest } from "./fence-state.ts";

export interface LayoutRequest extends StateRequest {
  readonly root: Pick<Root, "path">;
  readonly found: FencedPaths;
  readonly environment: Readonly<Record<string, string>>;
  readonly programs: readonly string[];
  readonly rootAccess: FenceRequest["rootAccess"];
  /** Stands for `/tmp`; undefined where what is run has its own. */
  readonly temporary: string | undefined;
  readonly network: FenceRequest["network"];
  readonly isSuperuser: boolean;
}

export interface FenceLayout extends FenceRequest {
  readonly parts: readonly GitPart[];
  /** Whether there is any `.git`. */
  readonly hasGit: boolean;
  /** Files that rules withhold. */
  readonly hidden: readonly string[];
  /** Folders that rules withhold as a whole: empty in the fence. */
  readonly withheld: readonly string[];
  /** Mount points below the root that the system has itself, and folders of it that are empty in the fence. */
  readonly mounts: readonly string[];
}

/** Of people, and of sockets. */
const COVERED = ["/home", "/root", "/run", "/var/run"];
const TEMPORARY = ["/tmp", "/var/tmp", "/dev", "/proc"];
/** Of the system. */
const NEEDED = ["/usr", "/etc", "/opt", "/lib", "/bin", "/nix"];
const CONFIGURATION = "haft.config.json";

/** What only the system's root can read, and no command needs to. */
const SYSTEM_SECRETS = [
  "/etc/shadow",
  "/etc/shadow-",
  "/etc/gshadow",
  "/etc/gshadow-",
  "/etc/sudoers",
  "/etc/sudoers.d",
  "/etc/ssl/private",
  "/etc/krb5.keytab",
  "/etc/wireguard",
  "/etc/NetworkManager/system-connections",
  "/var/lib/sss/secrets",
  "/var/lib/docker",
  "/var/spool/cron",
  "/etc/ssh/ssh_host_rsa_key",
  "/etc/ssh/ssh_host_ecdsa_key",
  "/etc/ssh/ssh_host_ed25519_key",
];

export function layOut(request: LayoutRequest): FenceLayout {
  const { root, found, writable, temporary, network, isSuperuser } = request;
  // What the system needs is not covered for lying in somebody's root.
  const isRootAbove = [...NEEDED, ...request.programs].some((path) => isBelow(root.path, path));
  const rootAccess = request.rootAccess === "absent" && isRootAbove ? "read-only" : request.rootAccess;
  const home = findHome(request.environment.HOME);
  const people = listCovered(root.path, home?.real);
  const covered = rootAccess === "absent" ? keepTopmost([...people, root.path]) : people;
  const reach = { root: rootAccess === "absent" ? undefined : root.path, covered };
  const git = holdGit(root, found.gits);
  const configuration = join(root.path, CONFIGURATION);
  const held = git.parts.filter(({ kind }) => kind === "file" || kind === "folder").map(({ path }) => path);
  const closable = listSecrets({ root: root.path, home: home?.real, isSuperuser }).filter((path) =>
    isReachable(path, reach),
  );
  // A link may lead outside, to where a command sees nothing as it is.
  const seen = (paths: readonly string[]) => paths.filter((path) => isReachable(path, reach));
  const withheld = rootAccess === "absent" ? [] : seen(found.emptied.filter(isFolder));
  const hidden = rootAccess === "absent" ? [] : [...seen(found.hidden), ...findTracked(found.gits, withheld)];
  const state = layState(request, seen);
  const emptied = [...closable.filter(isFolder), ...withheld, ...state.folders];
  const sockets = listHostSockets().filter(
    (path) => ![root.path, ...writable].some((folder) => isBelow(folder, path)) && isReachable(path, reach),
  );
  return {
    root: root.path,
    rootAccess,
    network,
    covered,
    visible: listLaid(request, { home, covered }),
    temporary,
    pinned: rootAccess === "writable" ? git.pinned.filter((path) => path !== root.path) : [],
    readOnly: rootAccess === "writable" ? [...held, ...found.locked, ...[configuration].filter(isFile)] : [],
    writable: writable.filter(isFolder),
    closed: [...closable.filter(isFile), ...sockets, ...hidden.filter(isFile), ...state.files],
    emptied,
    shown: state.shown,
    isSuperuser,
    parts: [...git.parts, ...holdAbsent(root, CONFIGURATION), ...holdAbsent(root, ".haft")],
    hasGit: git.pinned.length > 0,
    hidden,
    withheld,
    mounts: [
      ...listMounts(root.path),
      ...[...emptied, ...state.shown, ...state.writable].filter((path) => isBelow(root.path, path)),
    ],
  };
}

/** Of the system and of the person; what lies behind a linked folder is laid over where it really is. */
function listSecrets({
  root,
  home,
  isSuperuser,
}: {
  readonly root: string;
  readonly home: string | undefined;
  readonly isSuperuser: boolean;
}): string[] {
  return [
    ...(isSuperuser ? SYSTEM_SECRETS : []),
    ...(home !== undefined && isBelow(root, home) ? SECRETS.map((name) => join(home, name)) : []),
  ].flatMap((path) => (isFile(path) || isFolder(path) ? [realpathSync(path)] : []));
}

/** As it is shown to a model. */
export function nameRelative(root: Pick<Root, "path">, path: string): string {
  return isBelow(root.path, path) ? showBelow(root.path, path) : path;
}

interface Home {
  /** As the person's variable says it. */
  readonly spelled: string;
  readonly real: string;
}

function findHome(spelled: string | undefined): Home | undefined {
  if (spelled === undefined || !spelled.startsWith("/") || spelled === "/") return undefined;
  try {
    return { spelled, real: realpathSync(spelled) };
  } catch {
    return undefined;
  }
}

/** What lies in the root, or is the root, is the workspace and stays: of it only the secrets are closed. */
function listCovered(root: string, home: string | undefined): string[] {
  const wanted = [...COVERED, ...(home === undefined ? [] : [home])];
  return keepTopmost(wanted.filter(isFolder).filter((path) => !isBelow(root, path)));
}

function listLaid(
  { root, environment, programs }: LayoutRequest,
  { home, covered }: { readonly home: Home | undefined; readonly covered: readonly string[] },
): Laid[] {
  const real = home?.real ?? "/nonexistent";
  const shown = listVisible({ home: real, covered, environment, programs });
  // What the root itself lays there is not laid twice.
  const outside = shown.filter(({ path }) => !isBelow(root.path, path));
  const isLinked = home !== undefined && home.spelled !== home.real && isInAny(covered, home.spelled);
  return isLinked ? [...outside, { path: home.spelled, link: home.real }] : outside;
}

/** Whether a command would find it at all. */
function isReachable(
  path: string,
  { root, covered }: { readonly root: string | undefined; readonly covered: readonly string[] },
): boolean {
  return (root !== undefined && isBelow(root, path)) || !isInAny([...covered, ...TEMPORARY], path);
}

function listMounts(root: string): string[] {
  try {
    const lines = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
    const points = lines.map((line) => decodeMount(line.split(" ", 5)[4] ?? ""));
    return points.filter((point) => point !== root && isBelow(root, point));
  } catch {
    return [];
  }
}

function decodeMount(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
