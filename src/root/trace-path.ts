/**
 * Owns following a path component by component to where it really leads, links and all.
 * Leaves looking at the disk to a driver (resolve.ts has one that waits and one that does not), and the words to its callers.
 * Rule: `..` goes up from where the links led, as in the kernel, but never above the root; after a component
 * that does not exist it takes that component back as text. Nothing is told about what lies outside the root,
 * not even whether it exists.
 */
import { isUtf8 } from "node:buffer";
import { dirname, isAbsolute, join, parse } from "node:path";
import { isInside } from "./containment.ts";

/** What the trace wants to know: the entry at a path, or the one name in a directory that only looks different. */
export type Look = { ask: "entry"; path: string } | { ask: "twin"; directory: string; name: string };

export type Seen =
  | { kind: "missing" | "directory" | "other" }
  | { kind: "link"; target: Buffer }
  | { kind: "twin"; name: string | undefined }
  | { kind: "refused"; code: "denied" | "cycle" | "too-long" | "not-directory" | "changed"; error: string };

export type Traced =
  | {
      end: "found";
      existing: string;
      missing: readonly string[];
      twin: boolean;
      /** The path as it stood before each link in it was followed, absolute; without links that `..` leaves again. */
      through: readonly string[];
    }
  | { end: "outside"; why: "dot-dot" | "link" }
  | { end: "not-directory"; ancestor: string }
  | { end: "invalid"; reason: string }
  | { end: "changed" }
  | { end: "denied"; at: string; error: string };

export interface TraceRequest {
  /** The directory that must not be left; undefined where a host's resolver answers for that. */
  readonly fence: string | undefined;
  /** A real directory. */
  readonly start: string;
  readonly steps: readonly string[];
  readonly link: "follow" | "itself";
  /** Whether a missing name may be taken for the one that differs only in its kind of space or normalisation. */
  readonly twins: boolean;
}

/** Linux follows at most 40 links in one path. */
const MAX_LINKS = 40;
/** NAME_MAX of every common file system, in bytes. */
const MAX_NAME_BYTES = 255;
/** PATH_MAX of Linux, its final NUL included. */
const MAX_PATH_BYTES = 4096;
const LINK_END = Symbol("the end of a link's target");

interface Trace {
  at: string;
  atDirectory: boolean;
  readonly missing: string[];
  /** What is still to be walked, the next one last. */
  readonly pending: (string | typeof LINK_END)[];
  links: number;
  /** How many links' targets are being walked; 0 while it is the asked path itself. */
  depth: number;
  twin: boolean;
  readonly through: string[];
}

export function* tracePath(request: TraceRequest): Generator<Look, Traced, Seen> {
  const trace: Trace = {
    at: request.start,
    atDirectory: true,
    missing: [],
    pending: request.steps.toReversed(),
    links: 0,
    depth: 0,
    twin: false,
    through: [],
  };
  for (let step = trace.pending.pop(); step !== undefined; step = trace.pending.pop()) {
    let end: Traced | undefined;
    if (step === LINK_END) end = leaveLink(request, trace);
    else if (step === "..") end = goUp(request, trace);
    else if (step !== "" && step !== ".") end = yield* goDown(request, trace, step);
    if (end !== undefined) return hidden(request, trace) ? { end: "outside", why: "link" } : end;
  }
  if (Buffer.byteLength(join(trace.at, ...trace.missing)) >= MAX_PATH_BYTES) {
    return { end: "invalid", reason: "the path is too long" };
  }
  return {
    end: "found",
    existing: trace.at,
    missing: trace.missing,
    twin: trace.twin,
    through: trace.through,
  };
}

/** Whether the trace stands where nothing may be told about. */
function hidden(request: TraceRequest, trace: Trace): boolean {
  return request.fence !== undefined && !isInside(request.fence, trace.at);
}

function leaveLink(request: TraceRequest, trace: Trace): Traced | undefined {
  trace.depth -= 1;
  return trace.depth === 0 && hidden(request, trace) ? { end: "outside", why: "link" } : undefined;
}

function goUp(request: TraceRequest, trace: Trace): Traced | undefined {
  if (trace.missing.pop() !== undefined) return undefined;
  if (!trace.atDirectory) return { end: "not-directory", ancestor: trace.at };
  // A link's own target may pass above the root on its way back into it; the asked path may not.
  if (trace.depth === 0 && trace.at === request.fence) return { end: "outside", why: "dot-dot" };
  trace.at = dirname(trace.at);
  return undefined;
}

function* goDown(
  request: TraceRequest,
  trace: Trace,
  step: string,
): Generator<Look, Traced | undefined, Seen> {
  if (Buffer.byteLength(step) > MAX_NAME_BYTES) return { end: "invalid", reason: "a name in it is too long" };
  if (trace.missing.length > 0) {
    trace.missing.push(step);
    return undefined;
  }
  if (!trace.atDirectory) return { end: "not-directory", ancestor: trace.at };
  const path = join(trace.at, step);
  const seen = yield { ask: "entry", path };
  if (seen.kind === "refused") return endOf(seen, trace, path);
  if (seen.kind === "link") {
    const last = trace.depth === 0 && trace.pending.every((rest) => rest === "" || rest === ".");
    if (!(last && request.link === "itself")) return followLink(trace, path, seen.target);
  }
  if (seen.kind === "missing") {
    if (request.twins && !hidden(request, trace)) {
      const twin = yield { ask: "twin", directory: trace.at, name: step };
      if (twin.kind === "twin" && twin.name !== undefined) {
        trace.twin = true;
        trace.pending.push(twin.name);
        return undefined;
      }
    }
    trace.missing.push(step);
    return undefined;
  }
  trace.at = path;
  trace.atDirectory = seen.kind === "directory";
  return undefined;
}

function followLink(trace: Trace, path: string, target: Buffer): Traced | undefined {
  trace.links += 1;
  const rest = trace.pending.toReversed().filter((step) => typeof step === "string");
  const name = join(path, ...rest);
  // Who climbs out of where the link leads has not come there by its name.
  if (isInside(path, name)) trace.through.push(name);
  if (trace.links > MAX_LINKS) return { end: "invalid", reason: "its links lead in a circle" };
  if (!isUtf8(target)) return { end: "invalid", reason: "a link in it leads to a name that is not UTF-8" };
  const text = target.toString("utf8");
  trace.depth += 1;
  trace.pending.push(LINK_END, ...splitPath(text).toReversed());
  if (isAbsolute(text)) trace.at = parse(text).root;
  return undefined;
}

function endOf(seen: Extract<Seen, { kind: "refused" }>, trace: Trace, path: string): Traced {
  if (seen.code === "denied") return { end: "denied", at: path, error: seen.error };
  if (seen.code === "changed") return { end: "changed" };
  if (seen.code === "not-directory") return { end: "not-directory", ancestor: trace.at };
  if (seen.code === "cycle") return { end: "invalid", reason: "its links lead in a circle" };
  return { end: "invalid", reason: "the path is too long" };
}

/** The components of a path as they are written; on Windows both separators count. */
export function splitPath(path: string): string[] {
  if (process.platform !== "win32") return path.split("/");
  return path.slice(parse(path).root.length).split(/[\\/]/);
}
