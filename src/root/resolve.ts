/**
 * Owns what a path means: from the words of a caller to a real place inside the root.
 * Leaves following links to trace-path.ts, and holding the place at the moment of use to directory.ts.
 * Rule: a path must be inside the root as text and where its links lead. Text that leaves the root and comes
 * back (`../box/f`) is taken as what it comes to (`f`), so that it tells nothing about what it passes.
 * On case-insensitive disks of macOS and Windows the real spelling counts; on Linux such a disk keeps the asked one.
 */
import { isUtf8 } from "node:buffer";
import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, parse, resolve as resolvePath } from "node:path";
import type { Place } from "../contract/access.ts";
import type { Disk } from "../contract/disk.ts";
import { OutsideRootError } from "../contract/errors.ts";
import { isRefusal, type Refusal, refuse } from "../contract/refusal.ts";
import type { Root } from "../contract/root.ts";
import { aimInside, findPathFault, printable } from "./aim.ts";
import { isInside, showBelow } from "./containment.ts";
import { traceLater, traceNow } from "./look.ts";
import { findMeantPath } from "./meant-path.ts";
import { findNewNameFault } from "./new-name.ts";
import { readOtherSpelling } from "./other-spelling.ts";
import { showOddCharacters } from "./show-name.ts";
import { errorCode } from "./system-error.ts";
import { splitPath, type TraceRequest } from "./trace-path.ts";

export interface PathQuestion {
  readonly path: string;
  readonly link: "follow" | "itself";
  readonly mustExist: boolean;
}

/** Where a path really leads, or why it may not be used. */
export async function locate(root: Root, use: PathQuestion): Promise<Place | Refusal> {
  const fault = findPathFault(use.path);
  if (fault !== undefined) return refuse("path-invalid", { path: printable(use.path), reason: fault });
  if (root.resolve !== undefined) return locateByHook(root, use);
  const text = await readAsked(root, use.path);
  if ("reason" in text) return refuse("path-invalid", { path: use.path, reason: text.reason });
  const aim = aimInside(root, text.absolute ?? use.path);
  if ("why" in aim) return refuseOutside(root, use.path, aim.why);
  // The root leads where it did when it was opened, or whoever uses the place finds that it does not.
  if (use.link === "follow" && aim.steps.every((step) => step === "" || step === "."))
    return placeAt(root, use, { real: root.path, twin: false, through: [] });
  return traceToPlace(root, use, { fence: root.path, start: root.path, steps: aim.steps });
}

/** `~/x` and `file:` addresses as absolute paths, unless the root holds something of that very name. */
async function readAsked(root: Root, path: string): Promise<{ absolute?: string } | { reason: string }> {
  const other = readOtherSpelling(path);
  if (other === undefined) return {};
  try {
    await root.disk.lstat(join(root.path, firstName(path)));
    return {};
  } catch (error) {
    if (errorCode(error) === "") throw error;
    return other;
  }
}

/** The same for `under`. */
function readAskedNow(real: string, path: string): { absolute?: string } | { reason: string } {
  const other = readOtherSpelling(path);
  return other === undefined ||
    lstatSync(join(real, firstName(path)), { throwIfNoEntry: false }) !== undefined
    ? {}
    : other;
}

function firstName(path: string): string {
  return splitPath(path)[0] ?? path;
}

/** A path of another machine, or one that takes the root for the top of the disk, often has its end in the root. */
async function refuseOutside(root: Root, path: string, why: "dot-dot" | "absolute"): Promise<Refusal> {
  const inside = why === "absolute" ? await findMeantPath(root, path) : undefined;
  return refuse("path-outside-root", { path, why, ...(inside === undefined ? {} : { inside }) });
}

/**
 * The real path of `path` inside `root`, whether it exists or not. Throws `OutsideRootError` where it leads out.
 * What was true when it was called: a caller that then opens the path races with whoever may change the tree.
 */
export function under(root: string, path: string): string {
  const fault = findPathFault(path);
  if (fault !== undefined) throw outsideError(printable(path), fault);
  const spelled = resolvePath(root);
  const real = realpathSync.native(spelled);
  const text = readAskedNow(real, path);
  if ("reason" in text) throw outsideError(path, text.reason);
  const aim = aimInside({ spelled, path: real }, text.absolute ?? path);
  if ("why" in aim) throw new OutsideRootError(path, aim.why);
  const request: TraceRequest = { fence: real, start: real, steps: aim.steps, link: "follow", twins: false };
  const traced = traceNow(request);
  if (traced.end === "found") return join(canonicalNow(traced.existing), ...traced.missing);
  if (traced.end === "outside") throw new OutsideRootError(path, traced.why);
  if (traced.end === "invalid") throw outsideError(path, traced.reason);
  if (traced.end === "changed") throw outsideError(path, "it was exchanged while it was looked at");
  if (traced.end === "denied") {
    throw outsideError(path, `${showBelow(real, traced.at)} cannot be looked at (${traced.error})`);
  }
  throw outsideError(path, `${showBelow(real, traced.ancestor)} is not a directory`);
}

/** What cannot be placed inside the root is not given out as if it were. */
function outsideError(path: string, reason: string): OutsideRootError {
  return new OutsideRootError(path, "link", `${path} cannot be placed inside the root: ${reason}`);
}

async function locateByHook(root: Root, use: PathQuestion): Promise<Place | Refusal> {
  let answer: unknown;
  try {
    answer = await root.resolve?.(use.path, { root: root.path });
  } catch (error) {
    // A resolver that falls back on `under` refuses as the root itself would.
    if (error instanceof OutsideRootError)
      return refuse("path-outside-root", { path: use.path, why: error.why });
    return refuse("path-invalid", {
      path: use.path,
      reason: error instanceof Error ? error.message : String(error),
    });
  }
  if (typeof answer !== "string" || !isAbsolute(answer) || findPathFault(answer) !== undefined) {
    return refuse("path-invalid", {
      path: use.path,
      reason: "the host's resolver gave no absolute path for it",
    });
  }
  const start = parse(answer).root;
  const steps = splitPath(answer.slice(start.length));
  const place = await traceToPlace(root, use, { fence: undefined, start, steps });
  return isRefusal(place)
    ? place
    : { ...place, ...tellThrough(root, place.real, await traceAsked(root, use)) };
}

/** The names that the words of a call pass through, whatever the host makes of them: rules speak of those as well. */
async function traceAsked(root: Root, use: PathQuestion): Promise<readonly string[]> {
  const aim = aimInside(root, use.path);
  if ("why" in aim) return [];
  const { steps } = aim;
  const traced = await traceLater(root.disk, {
    fence: root.path,
    start: root.path,
    steps,
    link: use.link,
    twins: false,
  });
  return [join(root.path, ...steps), ...(traced.end === "found" ? traced.through : [])];
}

async function traceToPlace(
  root: Root,
  use: PathQuestion,
  from: Pick<TraceRequest, "fence" | "start" | "steps">,
): Promise<Place | Refusal> {
  const quick = await resolveExisting(root, use, from);
  const given = withoutFinalSeparator(join(from.start, ...from.steps));
  if (quick === given) return placeAt(root, use, { real: quick, twin: false, through: [] });
  const traced = await traceLater(root.disk, { ...from, link: use.link, twins: use.mustExist });
  // Links that leave the root and come back are no way that may be traced; where they end is inside all the same.
  if (quick !== undefined && traced.end !== "found")
    return placeAt(root, use, { real: quick, twin: false, through: [given] });
  if (traced.end === "found") {
    const fault = use.mustExist ? undefined : findNewNameFault(use.path, traced.missing);
    if (traced.missing.length > 0 && fault !== undefined)
      return refuse("path-invalid", { path: use.path, reason: fault });
    const existing = await canonical(root.disk, traced.existing, use.link);
    return placeAt(root, use, {
      real: join(existing, ...traced.missing),
      twin: traced.twin,
      through: traced.through,
    });
  }
  if (traced.end === "outside") return refuse("path-outside-root", { path: use.path, why: traced.why });
  if (traced.end === "changed") return refuse("path-changed", { path: use.path });
  if (traced.end === "not-directory") {
    return refuse("path-not-directory", { path: use.path, ancestor: show(root, traced.ancestor) });
  }
  if (traced.end === "invalid") return refuse("path-invalid", { path: use.path, reason: traced.reason });
  return refuse("path-denied", { path: use.path, operation: "look up", error: traced.error });
}

/** One system call: it exists, no `..` in it, and it leads inside. Whatever is not what was given is traced. */
async function resolveExisting(
  root: Root,
  use: PathQuestion,
  from: Pick<TraceRequest, "fence" | "start" | "steps">,
): Promise<string | undefined> {
  if (use.link === "itself" || from.steps.includes("..")) return undefined;
  try {
    const real = await root.disk.realpath(join(from.start, ...from.steps));
    const text = real.toString("utf8");
    return isUtf8(real) && (from.fence === undefined || isInside(from.fence, text)) ? text : undefined;
  } catch (error) {
    if (errorCode(error) === "") throw error;
    return undefined;
  }
}

/** `join` keeps one. */
function withoutFinalSeparator(path: string): string {
  return path.replace(/(?<=.)[\\/]$/, "");
}

function placeAt(
  root: Root,
  use: PathQuestion,
  found: { real: string; twin: boolean; through: readonly string[] },
): Place {
  const shown = show(root, found.real);
  return {
    asked: use.path,
    real: found.real,
    shown,
    link: use.link,
    contained: isInside(root.path, found.real),
    ...tellThrough(root, found.real, found.through),
    ...(found.twin ? { spelling: showOddCharacters(shown) } : {}),
  };
}

/** What lies outside of the root is no name that a rule could speak of. */
function tellThrough(root: Root, real: string, through: readonly string[]): Pick<Place, "through"> {
  const names = through.filter((path) => path !== real && isInside(root.path, path));
  return names.length === 0 ? {} : { through: [...new Set(names.map((path) => show(root, path)))] };
}

function show(root: Root, real: string): string {
  return isInside(root.path, real) ? showBelow(root.path, real) : real;
}

const FOLDS_CASE = process.platform === "darwin" || process.platform === "win32";

/** The on-disk spelling of an existing path; the last name of a link that is meant itself stays as asked. */
async function canonical(disk: Disk, path: string, link: "follow" | "itself"): Promise<string> {
  if (!FOLDS_CASE) return path;
  if (link === "follow") return (await disk.realpath(path)).toString("utf8");
  return join((await disk.realpath(dirname(path))).toString("utf8"), basename(path));
}

function canonicalNow(path: string): string {
  return FOLDS_CASE ? realpathSync.native(path) : path;
}
