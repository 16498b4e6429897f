/**
 * Owns the order in which what a fence keeps apart is laid over the root, and what must not be moved on its account.
 * Leaves which paths are kept apart to their finders, the words to bubblewrap-arguments.ts. Rule: parents come before
 * what lies in them, for a mount of a parent would cover a child's; in something empty there are only names. The
 * attack: only a mount point is busy, so a folder above one can be renamed, and the next fence is put up by the new names.
 * Hence each folder between the root and anything kept apart is a mount point too, of itself.
 */
import { dirname } from "node:path";
import { isBelow } from "./path-order.ts";

/** Earlier ones win where a path is named twice. */
const KINDS = ["emptied", "closed", "shown", "readOnly", "writable", "pinned"] as const;
export type LayKind = (typeof KINDS)[number];

export interface Laying {
  readonly kind: LayKind;
  readonly path: string;
}

export type LayRequest = Readonly<Record<LayKind, readonly string[]>> & {
  readonly root: string;
  readonly rootAccess: "writable" | "read-only" | "absent";
};

export function orderLayings(request: LayRequest): Laying[] {
  const { root, rootAccess } = request;
  const kinds = new Map<string, LayKind>();
  for (const kind of KINDS) for (const path of request[kind]) if (!kinds.has(path)) kinds.set(path, kind);
  const isWritable = rootAccess === "writable";
  if (isWritable) for (const path of [...kinds.keys()]) pinAbove(root, path, kinds);
  const sorted = [...kinds].map(([path, kind]) => ({ path, kind, key: path.replaceAll("/", "\0") }));
  sorted.sort((one, other) => (one.key < other.key ? -1 : 1));
  const above: Laying[] = [];
  const laid: Laying[] = [];
  for (const { path, kind } of sorted) {
    while (above.length > 0 && !isBelow(above.at(-1)?.path ?? "", path)) above.pop();
    if (isIdle({ path, kind }, above.at(-1))) continue;
    laid.push({ path, kind });
    if (!LEAVES.has(kind)) above.push({ path, kind });
  }
  return laid;
}

/** Nothing that is laid lies in these. */
const LEAVES: ReadonlySet<LayKind> = new Set<LayKind>(["closed", "shown", "pinned"]);
/** What there is in a folder that is empty else. */
const IN_EMPTY: ReadonlySet<LayKind> = new Set<LayKind>(["writable", "closed", "shown"]);

/** Once a folder is known to be pinned, those above it are. */
function pinAbove(root: string, path: string, kinds: Map<string, LayKind>): void {
  if (kinds.get(path) === "writable") return;
  for (let folder = dirname(path); folder !== root && isBelow(root, folder); folder = dirname(folder)) {
    if (kinds.has(folder)) continue;
    kinds.set(folder, "pinned");
  }
}

/** Whether what lies around it does the same already. */
function isIdle({ kind }: Laying, around: Laying | undefined): boolean {
  if (around?.kind === "emptied") return !IN_EMPTY.has(kind);
  return around?.kind === "readOnly" && (kind === "readOnly" || kind === "pinned");
}
