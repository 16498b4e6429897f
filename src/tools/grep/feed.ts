/**
 * Owns giving the files of a walk to whoever searches them on this thread, one after another.
 * Leaves walking to root/walk.ts. Rule: it waits only where the event loop is to turn or where files are read ahead.
 */
import { type CountMark, makeMarker } from "../../root/count-mark.ts";
import { type FilePlace, splitPlace } from "../../root/folder-opener.ts";
import type { Slices } from "../../root/search-pump.ts";
import { walkTree } from "../../root/walk.ts";
import type { Steering, WalkCounts, WalkEntry } from "../../root/walk-counts.ts";
import { binaryOfText } from "../../text/path-text.ts";
import type { ReadAhead } from "./ahead.ts";
import type { SearchJob } from "./engine.ts";
import { type BegunFile, beginFile, type FileOutcome, type FileSearch } from "./search-file.ts";
import { steerSearch } from "./steer.ts";
import type { WalkedFile } from "./workers/hand-over.ts";

export interface Feed {
  /** The next file; undefined at the end of the walk. */
  next(): WalkedFile | undefined | Promise<WalkedFile | undefined>;
  /** What the walk has counted so far. */
  mark(): CountMark;
  /** Whether the file that was given last had been read ahead. */
  wasAhead(): boolean;
  /** Leaves the walk where it is. */
  end(): void;
}

export function makeFeed(at: { job: SearchJob; walked: WalkCounts; slices: Slices; ahead: ReadAhead }): Feed {
  const { job, walked, slices, ahead } = at;
  const entries = listEntries(job, walked);
  const mark = makeMarker(walked);
  /** Files that were read ahead, and how many of them were given. */
  let waiting: readonly WalkedFile[] = [];
  let given = 0;
  /** Those that are being read while the ones before are searched. */
  let coming: Promise<readonly WalkedFile[]> | undefined;
  let ended = false;
  /** The next file of the walk, or undefined for a pause or the end. */
  const step = (): WalkedFile | undefined => {
    const { done, value } = entries.next();
    ended = done === true;
    if (!value || value.notWalked === true) return undefined;
    const { path, folder, name } = value;
    return { path, folder, name, mark: mark() };
  };
  const readAhead = async (count: number) => {
    const files: WalkedFile[] = [];
    while (!ended && files.length < count) {
      const file = step();
      if (file !== undefined) files.push(file);
      if (slices.areDue()) await slices.turn();
    }
    await ahead.fetch(files);
    return files;
  };
  const beginAhead = () => {
    const count = ended ? 0 : ahead.wanted();
    coming = count === 0 ? undefined : readAhead(count);
    // A cancelled search may never come to it.
    coming?.catch(() => {});
  };
  const takeComing = async (files: Promise<readonly WalkedFile[]>): Promise<WalkedFile | undefined> => {
    waiting = await files;
    given = 0;
    await slices.turn();
    beginAhead();
    return next();
  };
  const next = (): WalkedFile | undefined | Promise<WalkedFile | undefined> => {
    for (;;) {
      if (given < waiting.length) return waiting[given++];
      given = 0;
      waiting = [];
      if (coming === undefined) beginAhead();
      if (coming !== undefined) return takeComing(coming);
      if (ended) return undefined;
      if (slices.areDue()) return slices.turn().then(next);
      const file = step();
      if (file !== undefined) return file;
    }
  };
  return { next, mark, wasAhead: () => given > 0, end: () => entries.return() };
}

/** Begins with a file that the feed has given, and minds how long that takes. */
export function beginFed(
  { here, feed, ahead }: { here: FileSearch; feed: Feed; ahead: ReadAhead },
  file: FilePlace,
): FileOutcome | BegunFile {
  const started = performance.now();
  const begun = beginFile(here, file);
  const bytes = "hold" in begun ? begun.hold.length : begun.kind === "searched" ? begun.bytes : 0;
  if (!feed.wasAhead()) ahead.note({ tookMs: performance.now() - started, bytes });
  return begun;
}

function* listEntries(job: SearchJob, counts: WalkCounts): Generator<WalkEntry | undefined, void> {
  const { root, place, withholds } = job;
  if (job.single) {
    yield { path: "", ...splitPlace(binaryOfText(place.real)), kind: "file" };
    return;
  }
  const steering = steerSearch(job) as Steering<unknown>;
  yield* walkTree({ root, place, withholds, steering }, counts);
}
