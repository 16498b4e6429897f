/**
 * Owns what no tool may change: git's own files, haft's state, the project's configuration, generated files.
 * Leaves containment to resolve.ts. Rule: judged on the real path and on the asked one, so that neither another
 * name for `.git` nor a `.git` that is itself a link gets by. A git directory kept elsewhere inside the root
 * (`git init --separate-git-dir`) is protected under the name `.git` only: nothing in its path tells what it is.
 */
import { isAbsolute, normalize } from "node:path";
import type { Place } from "../contract/access.ts";
import { type Refusal, type RefusalFacts, refuse } from "../contract/refusal.ts";
import type { Root } from "../contract/root.ts";
import { isInside, showBelow } from "./containment.ts";
import { findGeneratedMark } from "./generated.ts";
import { splitPath } from "./trace-path.ts";

type Protector = RefusalFacts["path-protected"]["by"];

const CONFIGURATION = "haft.config.json";

/** Why a place may not be changed, whatever the change. */
export function guardPlace(root: Root, place: Place): Refusal | undefined {
  const by =
    findProtector(root, namesBelow(root, place.real)) ?? findProtector(root, askedNames(root, place.asked));
  return by === undefined ? undefined : refuse("path-protected", { path: place.shown, by });
}

/** Why a whole tree may not be moved or removed before anybody looked into it: it is the root, or the root is in it. */
export function guardRoot(root: Root, place: Place): Refusal | undefined {
  if (!isInside(place.real, root.path)) return undefined;
  return refuse("path-protected", { path: place.shown, by: "root" });
}

/** The protector of a name that is met inside a tree. */
export function protectorOfName(name: string | Buffer): "git" | "haft" | undefined {
  const folded = foldProtected(typeof name === "string" ? name : name.toString("utf8"));
  if (folded === ".git") return "git";
  return folded === ".haft" ? "haft" : undefined;
}

/** Why a file that says it is generated may not be edited or overwritten. `head` is how it begins. */
export function guardGenerated(root: Root, place: Place, head: Uint8Array): Refusal | undefined {
  if (root.allowGenerated) return undefined;
  const mark = findGeneratedMark(head);
  return mark === undefined ? undefined : refuse("file-generated", { path: place.shown, ...mark });
}

function namesBelow(root: Root, real: string): string[] {
  if (isInside(root.path, real)) return showBelow(root.path, real).split("/");
  return splitPath(real);
}

/** The names of a path as it was asked for, `..` taken as text; `./a/../.git/config` has `.git` in it. */
function askedNames(root: Root, asked: string): string[] {
  const path = normalize(asked);
  for (const base of [root.spelled, root.path]) {
    if (isAbsolute(path) && isInside(base, path)) return splitPath(path.slice(base.length));
  }
  // An absolute path elsewhere is a host resolver's matter; its real path was judged.
  return isAbsolute(path) ? [] : splitPath(path);
}

function findProtector(root: Root, parts: readonly string[]): Protector | undefined {
  const names = parts.filter((name) => name !== "" && name !== ".");
  const own = [".haft", "scratch", root.agentId];
  // Only what lies below the caller's own scratch is its own; the directory itself is not.
  const inScratch = names.length > own.length && own.every((name, index) => names[index] === name);
  for (const [index, name] of names.entries()) {
    const by = protectorOfName(name);
    if (by === "git" || (by === "haft" && !(index === 0 && inScratch))) return by;
  }
  return names.length === 1 && foldProtected(names[0] ?? "") === CONFIGURATION ? "configuration" : undefined;
}

/**
 * How the laxest file system compares a name. Case, for macOS and Windows; the characters that HFS+ leaves out
 * of comparisons (CVE-2014-9390); and on Windows final dots and blanks, a stream's name and git's short name.
 */
function foldProtected(name: string): string {
  const plain = name.replace(/[\u200C-\u200F\u202A-\u202E\u206A-\u206F\uFEFF]/gu, "").toLowerCase();
  if (process.platform !== "win32") return plain;
  const stem = plain.replace(/:.*$/u, "").replace(/[. ]+$/u, "");
  return stem === "git~1" ? ".git" : stem;
}
