/**
 * Owns where the walk of a glob begins: at the literal folders that its pattern starts with.
 * Leaves the rest of the pattern to text/glob-pattern.ts. Rule: a pattern is no way around the root;
 * its literal part is resolved like every path, links and `..` included.
 */
import type { Place } from "../../contract/access.ts";
import { isRefusal, type Refusal, refuse } from "../../contract/refusal.ts";
import type { Root } from "../../contract/root.ts";
import { inspect } from "../../root/inspect.ts";
import { locate } from "../../root/resolve.ts";

export interface GlobBase {
  readonly place: Place;
  /** Relative to the place. */
  readonly pattern: string;
}

const META = /[*?[\]{}\\!+@()]/;

export async function findBase(root: Root, at: GlobBase): Promise<GlobBase | Refusal> {
  const inside = stripRoot(root, at);
  if (isRefusal(inside)) return inside;
  const segments = inside.pattern.split("/");
  const literal = segments.findIndex((segment) => META.test(segment));
  const folders = segments.slice(0, literal < 0 ? segments.length - 1 : literal);
  // A pattern that ends in `/` names its last folder; that one is matched, not entered.
  if (literal < 0 && segments.at(-1) === "") folders.pop();
  const leading = folders.filter((segment) => segment !== "." && segment !== "");
  if (segments.slice(folders.length).includes("..")) {
    return refuse("pattern-unsupported", { pattern: at.pattern, construct: "`..` after a wildcard" });
  }
  if (leading.length === 0) return inside;
  const path = inside.place.shown === "." ? leading.join("/") : `${inside.place.shown}/${leading.join("/")}`;
  const place = await locate(root, { path, link: "follow", mustExist: true });
  if (isRefusal(place)) return place.code === "path-outside-root" ? place : inside;
  const state = await inspect(root, place);
  if (isRefusal(state)) return state;
  if (state.kind !== "directory") return inside;
  return { place, pattern: segments.slice(folders.length).join("/") };
}

/** An absolute pattern inside the root, in either spelling of it, is taken as relative to the root. */
function stripRoot(root: Root, at: GlobBase): GlobBase | Refusal {
  const { place, pattern } = at;
  if (!pattern.startsWith("/")) return at;
  for (const base of [root.spelled, root.path]) {
    const prefix = base.endsWith("/") ? base : `${base}/`;
    if (!pattern.startsWith(prefix)) continue;
    const asked = { ...place, asked: base, real: root.path, shown: "." };
    return { place: asked, pattern: pattern.slice(prefix.length) };
  }
  return refuse("path-outside-root", { path: pattern, why: "absolute" });
}
