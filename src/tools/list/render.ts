/**
 * Owns the text of a listing: its order, one line an entry, and the first line.
 * Leaves finding the entries to list.ts. Rule: directories first, then the rest, each by bytes of the name;
 * every directory is followed by its own entries.
 */
import type { Place } from "../../contract/access.ts";
import type { ToolContext } from "../../contract/context.ts";
import type { Done } from "../../contract/output.ts";
import type { EntryState } from "../../root/inspect.ts";
import { showBinary, showEntryPath } from "../../root/show-path.ts";
import type { WalkCounts, WalkEntry } from "../../root/walk-counts.ts";
import { type EntryFacts, walkDisk } from "../../root/walk-disk.ts";
import { keepOnOneLine } from "../../text/one-line.ts";
import { compareBinary } from "../../text/path-text.ts";
import { clipMiddle, countOf, describeCut, describeLeftOut, fitPage } from "../../text/search-summary.ts";
import type { ListDetails, ListedEntry } from "./list.ts";
import { type ListArguments, suggestNext } from "./suggest-next.ts";

export function renderEntries(at: {
  context: ToolContext;
  place: Place;
  found: readonly WalkEntry[];
  counts: WalkCounts;
  args: ListArguments;
}): Done<ListDetails> {
  const { context, place, found, counts, args } = at;
  const { limits } = context;
  const ordered = orderEntries(found);
  const entries = describeEntries(ordered.slice(0, limits.listMax));
  const page = fitPage({
    lines: entries.map(renderEntry),
    resultMax: limits.resultMax,
    renderHead: (kept) => {
      const next = suggestNext({ context, place, args, last: ordered[kept - 1], next: ordered[kept] });
      return renderHead({ place, found, counts, filtered: args.glob !== undefined, kept, next });
    },
  });
  return {
    content: page.content,
    details: {
      path: place.shown,
      entries: entries.slice(0, page.kept),
      total: found.length,
      ignored: counts.ignored,
      withheld: [...counts.withheld.values()].reduce((sum, count) => sum + count, 0),
    },
  };
}

function renderHead(at: {
  place: Place;
  found: readonly WalkEntry[];
  counts: WalkCounts;
  filtered: boolean;
  kept: number;
  next: string | undefined;
}): string {
  const { place, found, counts, filtered, kept, next } = at;
  const head = [`${clipMiddle(keepOnOneLine(place.shown))}: ${describeTotal(found, filtered)}`];
  if (kept < found.length) {
    const how = filtered ? "a narrower glob or a path below" : "glob, or the path of a directory below";
    head.push(describeCut(kept, { next, narrow: `narrow with ${how}` }));
  }
  head.push(...describeLeftOut(counts, (path) => showEntryPath(place, path)));
  return head.join("; ");
}

/** `list` of what is no directory: that entry alone. */
export function renderSingle(place: Place, state: EntryState): Done<ListDetails> {
  const entry: ListedEntry = {
    path: keepOnOneLine(place.shown),
    kind: state.kind === "missing" ? "other" : state.kind,
    ...(state.kind === "file" && state.stats !== undefined ? { bytes: Number(state.stats.size) } : {}),
    ...(state.target === undefined ? {} : { target: keepOnOneLine(state.target) }),
  };
  const bytes = entry.bytes === undefined ? "" : ` of ${countOf(entry.bytes, "byte")}`;
  return {
    content: `${entry.path}: no directory but a ${entry.kind}${bytes}\n${renderEntry(entry)}`,
    details: { path: place.shown, entries: [entry], total: 1, ignored: 0, withheld: 0 },
  };
}

function describeTotal(found: readonly WalkEntry[], filtered: boolean): string {
  if (found.length === 0) return filtered ? "no entry matches" : "empty directory";
  return filtered
    ? countOf(found.length, "matching entry", "matching entries")
    : countOf(found.length, "entry", "entries");
}

/** The walk comes in the order of paths; here directories stand before files. */
function orderEntries(found: readonly WalkEntry[]): WalkEntry[] {
  const folders = new Map<string, WalkEntry[]>();
  const known = new Set<string>();
  for (const entry of found) {
    if (entry.kind === "directory") known.add(entry.path);
  }
  for (const entry of [...found].sort((a, b) => compareBinary(a.path, b.path))) {
    // Where a filter left a folder out, its entries stand at the nearest one that is shown.
    let parent = parentOf(entry.path);
    while (parent !== "" && !known.has(parent)) parent = parentOf(parent);
    const siblings = folders.get(parent);
    if (siblings === undefined) folders.set(parent, [entry]);
    else siblings.push(entry);
  }
  const ordered: WalkEntry[] = [];
  const place = (folder: string) => {
    const entries = folders.get(folder) ?? [];
    for (const directories of [true, false]) {
      for (const entry of entries) {
        if ((entry.kind === "directory") !== directories) continue;
        ordered.push(entry);
        if (directories) place(entry.path);
      }
    }
  };
  place("");
  return ordered;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** Only what is shown is looked at: a size costs a call. */
function describeEntries(page: readonly WalkEntry[]): ListedEntry[] {
  const folders = new Map<string, WalkEntry[]>();
  for (const entry of page) {
    const entries = folders.get(entry.folder);
    if (entries === undefined) folders.set(entry.folder, [entry]);
    else entries.push(entry);
  }
  const facts = new Map<string, EntryFacts>();
  for (const [folder, entries] of folders) {
    for (const [name, found] of walkDisk.describe(folder, entries)) facts.set(folder + name, found);
  }
  return page.map((entry) => {
    const { bytes, target } = facts.get(entry.folder + entry.name) ?? {};
    return {
      path: showBinary(entry.path),
      kind: entry.kind,
      ...(bytes === undefined ? {} : { bytes }),
      ...(target === undefined ? {} : { target: showBinary(target) }),
      ...(entry.notWalked === true ? { notWalked: true } : {}),
    };
  });
}

function renderEntry({ path, kind, bytes, target, notWalked }: ListedEntry): string {
  const suffix = notWalked === true ? " (not walked)" : "";
  if (kind === "directory") return `${path}/${suffix}`;
  if (kind === "file") return `${path}${bytes === undefined ? "" : `\t${bytes}`}${suffix}`;
  if (kind === "link") return `${path} -> ${target ?? "?"}`;
  return `${path} (${kind})`;
}
