/**
 * Owns finding under which other names the entries of a root are reached by links: where each link leads today.
 * Leaves which links matter to permission/, and the links that a call itself passes through to resolve.ts.
 * Rule: what was found stays found: who takes a link away, or lets it lead elsewhere, has not opened what it led to.
 * Only folders that matter are opened, and a folder that has not changed since it was read is looked at, not
 * read. The attack that is none, and the slip: `.env -> config/local.env`, and a rule about `.env` is asked of
 * `config/local.env`.
 */
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import type { Root } from "../contract/root.ts";
import { isInside, showBelow } from "./containment.ts";
import { traceNow } from "./look.ts";
import { listEntries, lookAt } from "./look-quietly.ts";
import { protectorOfName } from "./protect.ts";
import { splitPath } from "./trace-path.ts";

/** What one rule, or several together, would have looked for. Paths are relative to the root, with `/`. */
export interface LinkLane {
  /** Where to begin: folders, files or links; empty for the root itself. */
  readonly bases: readonly string[];
  readonly mayEnter: (folder: string) => boolean;
  /** What is below a link of this name, or the link itself, matters. */
  readonly matters: (link: string) => boolean;
  /** It speaks of the whole tree: what was found holds for some seconds. */
  readonly isWide: boolean;
}

/** A link that matters. */
export interface LedName {
  /** Where it leads: an existing entry, or one that would be made there. Absolute where it is outside of the root. */
  readonly target: string;
  /** The name of the link. */
  readonly name: string;
}

export interface LinkFinder {
  /** `isExact`: what was found widely a moment ago is looked at anew. */
  look(options?: { readonly isExact: boolean }): Promise<readonly LedName[]>;
  /** What was found so far: the same list where nothing was found since. */
  latest(): readonly LedName[];
}

interface Known {
  readonly folders: readonly string[];
  readonly links: readonly string[];
  readonly entries: number;
  readonly inode: bigint;
  readonly changedNs: bigint;
  /** Changed so shortly before it was read that a later change may bear the same time. */
  readonly isFresh: boolean;
}

interface Spot {
  /** Where it really is. */
  readonly real: string;
  /** As rules know it. */
  readonly path: string;
  /** Links that were followed on the way to it. */
  readonly followed: number;
}

const MAX_ENTRIES = 100_000;
/** A link that leads above itself has no end. */
const MAX_FOLLOWED = 4;
const WIDE_MS = 5_000;
/** Of links that come and go. */
const MAX_KEPT = 20_000;
const IN_ONE_TURN = 400;
/** The steps in which file systems keep time, and more. */
const FRESH_MS = 100;

export function openLinkFinder(root: Pick<Root, "path">, lanes: readonly LinkLane[]): LinkFinder {
  const wide = lanes.filter(({ isWide }) => isWide);
  const near = lanes.filter(({ isWide }) => !isWide);
  const folders = new Map<string, Known>();
  let widely: { readonly found: readonly LedName[]; readonly atMs: number } | undefined;
  const kept = new Map<string, LedName>();
  let latest: readonly LedName[] = [];
  let looking: Promise<readonly LedName[]> | undefined;

  async function lookWidely(isExact: boolean): Promise<readonly LedName[]> {
    if (widely === undefined || isExact || performance.now() - widely.atMs > WIDE_MS) {
      const found: LedName[] = [];
      for (const lane of wide) await follow({ root: root.path, lane, folders, found });
      widely = { found, atMs: performance.now() };
    }
    return widely.found;
  }

  async function look(isExact: boolean): Promise<readonly LedName[]> {
    const found: LedName[] = [];
    for (const lane of near) await follow({ root: root.path, lane, folders, found });
    if (wide.length > 0) found.push(...(await lookWidely(isExact)));
    for (const link of found) {
      const key = JSON.stringify(link);
      if (!kept.has(key) && kept.size < MAX_KEPT) kept.set(key, link);
    }
    if (kept.size !== latest.length) latest = [...kept.values()];
    return latest;
  }

  return {
    look({ isExact } = { isExact: false }) {
      if (lanes.length === 0) return Promise.resolve([]);
      const once = () => look(isExact);
      // Whoever asks meanwhile asks about a later moment.
      looking = (looking ?? Promise.resolve()).then(once, once);
      return looking;
    },
    latest: () => latest,
  };
}

interface Following {
  readonly root: string;
  readonly lane: LinkLane;
  readonly folders: Map<string, Known>;
  readonly found: LedName[];
}

async function follow(search: Following): Promise<void> {
  const { lane, folders } = search;
  const queue: Spot[] = lane.bases.flatMap((base) => startAt(search, base));
  let left = MAX_ENTRIES;
  let looked = 0;
  // Those that are found meanwhile are looked into after those that lie above them.
  for (const spot of queue) {
    if (++looked % IN_ONE_TURN === 0) await turn();
    const known = readFolder(folders, spot.real);
    if (known === undefined) continue;
    left -= known.entries + 1;
    if (left < 0) return;
    for (const name of known.folders) {
      if (lane.isWide && protectorOfName(name) !== undefined) continue;
      const path = joinPath(spot.path, name);
      if (lane.mayEnter(path)) queue.push({ ...spot, real: join(spot.real, name), path });
    }
    for (const name of known.links) {
      const link = { ...spot, real: join(spot.real, name), path: joinPath(spot.path, name) };
      const inside = keepLink(search, link);
      if (inside !== undefined) queue.push(inside);
    }
  }
}

/** A base is gone to by its names, whatever else lies beside them. */
function startAt(search: Following, base: string): readonly Spot[] {
  let spot: Spot = { real: search.root, path: "", followed: 0 };
  for (const name of splitPath(base).filter((step) => step !== "" && step !== ".")) {
    const next = { ...spot, real: join(spot.real, name), path: joinPath(spot.path, name) };
    const stats = lookAt(next.real);
    if (stats === undefined) return [];
    const inside = stats.isSymbolicLink() ? keepLink(search, next) : next;
    if (inside === undefined) return [];
    spot = inside;
  }
  return [spot];
}

/** Keeps a link that matters, and gives where it leads under its own name. */
function keepLink({ root, lane, found }: Following, link: Spot): Spot | undefined {
  if (link.followed >= MAX_FOLLOWED || !lane.matters(link.path)) return undefined;
  const target = findTarget(root, link.real);
  if (target === undefined) return undefined;
  const isHere = isInside(root, target);
  found.push({ target: isHere ? showBelow(root, target) : target, name: link.path });
  // No tool goes there.
  if (!isHere) return undefined;
  return { real: target, path: link.path, followed: link.followed + 1 };
}

/** Where a link leads; within the root whether anything is there or not. */
function findTarget(root: string, link: string): string | undefined {
  const steps = splitPath(showBelow(root, link));
  try {
    const traced = traceNow({ fence: root, start: root, steps, link: "follow", twins: false });
    if (traced.end === "outside") return realpathSync(link);
    return traced.end === "found" ? join(traced.existing, ...traced.missing) : undefined;
  } catch {
    // What cannot be looked at is reached by nobody.
    return undefined;
  }
}

function joinPath(folder: string, name: string): string {
  return folder === "" || folder === "." ? name : `${folder}/${name}`;
}

function readFolder(folders: Map<string, Known>, real: string): Known | undefined {
  const stats = lookAt(real);
  if (stats?.isDirectory() !== true) return undefined;
  const before = folders.get(real);
  if (before?.inode === stats.ino && before.changedNs === stats.ctimeNs && !before.isFresh) return before;
  const known = { folders: [] as string[], links: [] as string[] };
  let entries = 0;
  for (const entry of listEntries(real)) {
    entries += 1;
    if (entry.isDirectory()) known.folders.push(entry.name);
    else if (entry.isSymbolicLink()) known.links.push(entry.name);
  }
  const isFresh = BigInt(Date.now() - FRESH_MS) * 1_000_000n < stats.ctimeNs;
  const kept = { ...known, entries, inode: stats.ino, changedNs: stats.ctimeNs, isFresh };
  folders.set(real, kept);
  return kept;
}

/** Tells the names by which a path is reached beside its own, from links above it and at it. */
export function nameOtherwise(led: readonly LedName[]): (path: string) => readonly string[] {
  if (led.length === 0) return () => [];
  const links = new Map<string, string[]>();
  for (const { target, name } of led) links.set(target, [...(links.get(target) ?? []), name]);
  return (path) => {
    const names = [...(links.get(path) ?? [])];
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      for (const name of links.get(path.slice(0, end)) ?? []) names.push(name + path.slice(end));
    }
    if (path !== ".") for (const name of links.get(".") ?? []) names.push(`${name}/${path}`);
    return names;
  };
}
