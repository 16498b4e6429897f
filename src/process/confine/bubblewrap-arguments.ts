/**
 * Owns the arguments with which bubblewrap puts up the fence: what a confined command finds where.
 * Leaves which paths those are to its callers, process 1 to supervise.ts. Rule: the whole system read-only, everything
 * of the person covered, and then only what is named laid over it. Nothing that a command could exchange is ever the
 * source of something writable: the root, the scratch folder and the folder for `/tmp` alone.
 */
import { type LayKind, orderLayings } from "./lay-order.ts";

export interface FenceRequest {
  /** Real path. */
  readonly root: string;
  /** `absent`: there is an empty folder. */
  readonly rootAccess: "writable" | "read-only" | "absent";
  /** `relay`: none but that of a relay (relay.ts), which is entered before the fence is put up. */
  readonly network: "host" | "none" | "relay";
  /** Folders of the person, of sockets, of other people: empty and read-only but for `visible`. */
  readonly covered: readonly string[];
  /** Read-only, in what is covered. */
  readonly visible: readonly Laid[];
  /** Stands for `/tmp` and `/var/tmp`; undefined where each command has its own. */
  readonly temporary: string | undefined;
  /** In the root: writable folders that cannot be moved away. Never a link. */
  readonly pinned: readonly string[];
  /** In the root: what stays read-only. Never a link. */
  readonly readOnly: readonly string[];
  /** Beside the root, or in what is read-only: scratch. */
  readonly writable: readonly string[];
  /** Files and sockets that cannot be opened. */
  readonly closed: readonly string[];
  /** Folders that are empty. */
  readonly emptied: readonly string[];
  /** Files in these that are there all the same, read-only. */
  readonly shown: readonly string[];
  /** Whether the command runs as the system's root. */
  readonly isSuperuser: boolean;
}

/** A path, and the link that leads there where the person writes another. */
export interface Laid {
  readonly path: string;
  /** What the path is a link to; absent where it is a file or a folder. */
  readonly link?: string;
}

/** What root keeps: changing files as root does, within what is writable. Nothing that reaches the system. */
const ROOT_KEEPS = ["CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_FSETID"];

/** Each process of the fence, and what it may ask of the system. */
export function namespaceArguments(of: Pick<FenceRequest, "network" | "isSuperuser">): string[] {
  return [
    ...["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    ...(of.network === "none" ? ["--unshare-net"] : []),
    ...["--as-pid-1", "--new-session", "--die-with-parent"],
    ...["--cap-drop", "ALL"],
    ...(of.isSuperuser ? ROOT_KEEPS.flatMap((capability) => ["--cap-add", capability]) : []),
  ];
}

export function bubblewrapArguments(request: FenceRequest): string[] {
  const { root, rootAccess, covered, visible, temporary } = request;
  const layings = orderLayings(request);
  const emptied = layings.filter(({ kind }) => kind === "emptied").map(({ path }) => path);
  // Parameters of the kernel are files there, and root owns them: `core_pattern` names a program that the host runs.
  const kernel = request.isSuperuser ? ["/proc"] : [];
  const readable = [...covered, ...emptied, ...kernel];
  const isTemporaryOwn = temporary === undefined;
  return [
    // What finds no root there changes no file but its own.
    ...namespaceArguments({ ...request, isSuperuser: request.isSuperuser && rootAccess !== "absent" }),
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...["/tmp", "/var/tmp"].flatMap((path) =>
      isTemporaryOwn ? ["--tmpfs", path] : ["--bind", temporary, path],
    ),
    ...covered.flatMap((path) => ["--tmpfs", path]),
    ...visible.flatMap(({ path, link }) =>
      link === undefined ? ["--ro-bind-try", path, path] : ["--symlink", link, path],
    ),
    ...(rootAccess === "absent" ? [] : [rootAccess === "writable" ? "--bind" : "--ro-bind", root, root]),
    ...layings.flatMap(({ kind, path }) => LAY[kind](path)),
    ...readable.flatMap((path) => ["--remount-ro", path]),
  ];
}

const LAY: Readonly<Record<LayKind, (path: string) => readonly string[]>> = {
  pinned: (path) => ["--bind", path, path],
  readOnly: (path) => ["--ro-bind", path, path],
  shown: (path) => ["--ro-bind", path, path],
  writable: (path) => ["--bind", path, path],
  emptied: (path) => ["--tmpfs", path],
  closed: (path) => ["--ro-bind", "/dev/null", path],
};
