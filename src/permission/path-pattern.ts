/**
 * Owns what the pattern of a path in a rule means: `src/**`, `*.env`, `secrets`, `build/`.
 * Leaves globs to text/glob-pattern.ts, which is linear for every pattern, and where a path really is to the gate.
 * Rule: a pattern speaks of the canonical path below the root, so no spelling of a call dodges or widens it. To
 * allow, it takes what it spells out and nothing else. To deny or ask, it is read on the safe side: a name that is
 * spelled out stands for all that is below it, and for the names that look like it (kind of space, normalisation).
 */
import { isAbsolute } from "node:path";
import { isRefusal } from "../contract/refusal.ts";
import type { Root } from "../contract/root.ts";
import { isInside, showBelow } from "../root/containment.ts";
import { foldName, hasTwins } from "../root/twin.ts";
import { compileGlob } from "../text/glob-pattern.ts";
import { splitTop } from "../text/glob-syntax.ts";
import type { TextStepper } from "../text/text-stepper.ts";

/** Paths are as places show them: relative to the root with `/`, `.` for the root, absolute outside of it. */
export interface PathPattern {
  /** Allows this very path. */
  covers(path: string): boolean;
  /** Allows everything below this folder. */
  coversBelow(folder: string): boolean;
  /** Denies this path, or asks for it. */
  hits(path: string): boolean;
  /** Something below this folder may be hit. */
  mayHitBelow(folder: string): boolean;
  /** What lies behind a link of this name may be hit by that name, and would not be by its own. */
  minds(link: string): boolean;
  /**
   * The folders and entries that it spells out before anything that stands for several names: nothing is hit but there.
   * Empty text for the root; none where it speaks of the outside, or hits everything by whatever name.
   */
  readonly bases: readonly string[];
  /** It may hit something below any folder: `**\/.env`. */
  readonly floats: boolean;
}

/** What a pattern should have been. */
export interface PatternFault {
  readonly expected: string;
}

export function isPatternFault(value: object): value is PatternFault {
  return "expected" in value;
}

export function compilePathPattern(text: string, root: Pick<Root, "path" | "spelled" | "resolve">) {
  const branches: PathPattern[] = [];
  for (const part of splitAlternatives(text)) {
    const branch = compileBranch(relateToRoot(part, root), root.resolve !== undefined);
    if (isPatternFault(branch)) return branch;
    branches.push(branch);
  }
  return joinBranches(branches);
}

/** `{a/,b/**}` is two patterns; braces in the middle are left to the glob. */
function splitAlternatives(text: string): readonly string[] {
  if (!text.startsWith("{") || !text.endsWith("}") || text.endsWith("\\}")) return [text];
  const parts = splitTop(text.slice(1, -1), ",");
  return parts.length > 1 && splitTop(text, ",").length === 1 && splitTop(text, "/").length === 1
    ? parts
    : [text];
}

function joinBranches(branches: readonly PathPattern[]): PathPattern {
  const [only] = branches;
  if (only !== undefined && branches.length === 1) return only;
  return {
    covers: (path) => branches.some((branch) => branch.covers(path)),
    coversBelow: (folder) => branches.some((branch) => branch.coversBelow(folder)),
    hits: (path) => branches.some((branch) => branch.hits(path)),
    mayHitBelow: (folder) => branches.some((branch) => branch.mayHitBelow(folder)),
    minds: (link) => branches.some((branch) => branch.minds(link)),
    bases: [...new Set(branches.flatMap(({ bases }) => bases))],
    floats: branches.some(({ floats }) => floats),
  };
}

/** The absolute path of the root, in either spelling, may stand before a pattern. */
function relateToRoot(pattern: string, root: Pick<Root, "path" | "spelled">): string {
  for (const base of [root.spelled, root.path]) {
    if (isInside(base, pattern)) return showBelow(base, pattern);
  }
  return pattern.replace(/^(\.\/+)+(?=.)/, "");
}

function compileBranch(pattern: string, mayLeaveRoot: boolean): PathPattern | PatternFault {
  if (pattern === "") return { expected: "a path or a glob, relative to the root" };
  if (pattern.split("/").includes("..")) return { expected: "a path without .." };
  if ((isAbsolute(pattern) || pattern.startsWith("~/")) && !mayLeaveRoot)
    return { expected: "a path relative to the root, without a leading /" };
  if (pattern === "**" || pattern === "**/" || pattern === "./") return EVERYTHING;
  if (pattern === ".") return THE_ROOT;
  const folder = pattern.replace(/\/+$/, "");
  const below = pattern.endsWith("/**") ? pattern.replace(/(\/+\*\*)+$/, "") : undefined;
  const exact = compileExact(folder);
  const inside = compileExact(`${folder}/**`);
  const base = below === undefined ? exact : compileExact(below);
  for (const one of [exact, inside, base]) if (isPatternFault(one)) return one;
  return makeBranch({
    exact: exact as Exact,
    inside: inside as Exact,
    base: base as Exact,
    bases: isAbsolute(pattern) || pattern.startsWith("~/") ? [] : listBases(pattern),
    kind: below !== undefined ? "contents" : folder !== pattern ? "folder" : "entry",
    named: !/[*?[{]|[+@]\(/.test((folder.split("/").at(-1) ?? "").replace(/\\./g, "")),
  });
}

/** Whatever may stand for another character than itself. */
const UNSURE = /[*?[\]{}\\!+@()]/;

/** Names that look alike count as the same: where one may have such a twin, the folder above it is a base, too. */
function listBases(pattern: string): readonly string[] {
  const bases: string[] = [];
  const names: string[] = [];
  for (const name of pattern.split("/").filter((step) => step !== "" && step !== ".")) {
    if (UNSURE.test(name)) break;
    if (hasTwins(name) && bases.length === 0) bases.push(names.join("/"));
    names.push(name);
  }
  return [names.join("/"), ...bases];
}

interface Branch {
  readonly bases: readonly string[];
  readonly exact: Exact;
  /** All below what `exact` takes. */
  readonly inside: Exact;
  /** The folder whose contents are meant. */
  readonly base: Exact;
  /** `src/**`, `src/`, `src/a.ts`. */
  readonly kind: "contents" | "folder" | "entry";
  /** The last name is spelled out. */
  readonly named: boolean;
}

function makeBranch({ exact, inside, base, bases, kind, named }: Branch): PathPattern {
  const reaches = kind !== "contents" && (kind === "folder" || named);
  const hits = (path: string) => exact.takesLike(path) || (reaches && inside.takesLike(path));
  const mayHitBelow = (folder: string) =>
    exact.mayTakeBelow(folder) || (reaches && (exact.takesLike(folder) || inside.takesLike(folder)));
  const floats = mayHitBelow(ANY_FOLDER);
  return {
    bases,
    floats,
    minds: (link) =>
      hits(link) || (mayHitBelow(link) && !(floats && exact.isAnyFolder(link) && inside.isAnyFolder(link))),
    covers: (path) => exact.takes(path) || (kind === "folder" && inside.takes(path)),
    coversBelow: (folder) => kind !== "entry" && isBelowOrAt(base, folder),
    hits,
    mayHitBelow,
  };
}

/** A folder of a name that nobody gives: what may hit something below it may do so below any. */
const ANY_FOLDER = "\u{10FFFF}";

function isBelowOrAt(base: Exact, folder: string): boolean {
  for (let path = folder; path !== ""; path = path.slice(0, Math.max(0, path.lastIndexOf("/")))) {
    if (base.takes(path)) return true;
  }
  return false;
}

const EVERYTHING: PathPattern = {
  covers: (path) => !isAbsolute(path),
  coversBelow: (folder) => !isAbsolute(folder),
  hits: () => true,
  mayHitBelow: () => true,
  // Whatever it is called, it is hit.
  minds: () => false,
  bases: [],
  floats: true,
};

/** The root itself, which a rule that denies does not part from what is in it. */
const THE_ROOT: PathPattern = { ...EVERYTHING, covers: (path) => path === ".", coversBelow: () => false };

interface Exact {
  takes(path: string): boolean;
  /** The same for a path that looks like one that it takes. */
  takesLike(path: string): boolean;
  mayTakeBelow(folder: string): boolean;
  /** What it takes below this folder it takes below every one, whatever its name and wherever it is. */
  isAnyFolder(folder: string): boolean;
}

function compileExact(pattern: string): Exact | PatternFault {
  const plain = compileGlob(pattern);
  if (isRefusal(plain)) return { expected: `a glob without ${plain.facts.construct}` };
  const folded = foldName(pattern);
  const like = folded === pattern ? plain : compileGlob(folded);
  const { stepper } = plain;
  const other = isRefusal(like) ? stepper : like.stepper;
  const isEverywhere = pattern.startsWith("**/");
  return {
    takes: (path) => takes(stepper, path),
    takesLike: (path) => takes(stepper, path) || takes(other, foldName(path)),
    mayTakeBelow: (folder) => folder === "." || leads(stepper, folder) || leads(other, foldName(folder)),
    isAnyFolder: (folder) =>
      isEverywhere && isSameAfter(stepper, folder) && isSameAfter(other, foldName(folder)),
  };
}

/** `*` is any entry of the root, and the root is none. */
function takes(stepper: TextStepper, path: string): boolean {
  return path !== "." && stepper.matches(path);
}

function leads(stepper: TextStepper, folder: string): boolean {
  return stepper.step(stepper.start, `${folder}/`) !== undefined;
}

function isSameAfter(stepper: TextStepper, folder: string): boolean {
  return stepper.step(stepper.start, `${folder}/`) === stepper.step(stepper.start, `${ANY_FOLDER}/`);
}
