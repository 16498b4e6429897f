/**
 * Owns looking at the place that a search begins at: what it is, told without waiting where it is a folder.
 * Leaves everything else to inspect.ts. Rule: held and compared as every folder of a walk, so what is said is as sure
 * as there; a search asks this of each call, and four pooled calls would take as long as looking through fifty files.
 */
import type { Place } from "../contract/access.ts";
import type { Refusal } from "../contract/refusal.ts";
import type { Root } from "../contract/root.ts";
import { binaryOfText } from "../text/path-text.ts";
import { type EntryState, inspect } from "./inspect.ts";
import { walkDisk } from "./walk-disk.ts";

export async function inspectSearched(root: Root, place: Place): Promise<Pick<EntryState, "kind"> | Refusal> {
  const real = binaryOfText(place.real);
  const held = walkDisk.holdFolder(real.endsWith("/") ? real : `${real}/`);
  if ("error" in held) return inspect(root, place);
  walkDisk.release(held);
  return { kind: "directory" };
}
