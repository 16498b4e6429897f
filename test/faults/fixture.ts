/**
 * Owns what tests of root/ share: a fresh directory with a root in it, places by their words, and a picture of a tree.
 * Rule: real files in a directory of the system's temporary folder, removed afterwards.
 */
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Place } from "../../src/contract/access.ts";
import type { Disk } from "../../src/contract/disk.ts";
import { isRefusal, type Refusal } from "../../src/contract/refusal.ts";
import type { Root } from "../../src/contract/root.ts";
import { openRoot } from "../../src/root/open-root.ts";
import { locate } from "../../src/root/resolve.ts";

export interface Fixture {
  /** The directory around the root. */
  readonly base: string;
  /** The root's path: `<base>/box`. */
  readonly box: string;
  readonly root: Root;
  withDisk(disk: Disk): Root;
  remove(): void;
}

export function makeFixture(parent = tmpdir()): Fixture {
  const base = realpathSync(mkdtempSync(join(parent, "haft-root-")));
  const box = join(base, "box");
  mkdirSync(box);
  return {
    base,
    box,
    root: openRoot({ root: box }),
    withDisk: (disk) => openRoot({ root: box, disk }),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

export async function placeAt(
  root: Root,
  path: string,
  link: "follow" | "itself" = "follow",
): Promise<Place> {
  return accept(await locate(root, { path, link, mustExist: false }));
}

/** The value, where it is no refusal. */
export function accept<T>(value: T | Refusal): T {
  if (isRefusal(value)) throw new Error(`refused: ${value.code} ${JSON.stringify(value.facts, bigints)}`);
  return value;
}

function bigints(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

export const never: AbortSignal = new AbortController().signal;

/** Every entry below a directory with what tells two states apart: kind, mode, bytes or target. Names are bytes, shown as Latin-1. */
export function pictureOf(directory: string | Buffer, prefix = ""): Record<string, string> {
  const picture: Record<string, string> = {};
  for (const name of readdirSync(directory, { encoding: "buffer" }).sort(Buffer.compare)) {
    const path = Buffer.concat([Buffer.from(directory), Buffer.from("/"), name]);
    const shown = prefix + name.toString("latin1");
    const stats = lstatSync(path);
    const mode = (stats.mode & 0o7777).toString(8);
    if (stats.isSymbolicLink()) picture[shown] = `-> ${readlinkSync(path)}`;
    else if (stats.isDirectory()) {
      picture[`${shown}/`] = mode;
      Object.assign(picture, pictureOf(path, `${shown}/`));
    } else picture[shown] = stats.isFile() ? `${mode} ${readFileSync(path, "latin1")}` : "special";
  }
  return picture;
}

/** Open descriptors of this process that lead into a directory. */
export function descriptorsInto(directory: string): string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      return target.startsWith(directory) ? [target] : [];
    } catch {
      return [];
    }
  });
}
