/**
 * Owns which of the files that this session has shown a command changed or deleted.
 * Leaves what is known of them to the toolset. Rule: one look at each before and after, and nothing claimed for others.
 * A change that leaves device, inode, size and both times as they were is not seen here; `write` compares contents.
 */
import type { ToolContext } from "../../contract/context.ts";
import { isInside, showBelow } from "../../root/containment.ts";

export interface FileChange {
  /** Real path. */
  readonly file: string;
  /** As it is shown: relative to the root. */
  readonly shown: string;
}

export interface FileWatch {
  compare(): Promise<readonly FileChange[]>;
}

/** Looks side by side; more would only wait for each other. */
const AT_ONCE = 16;

export async function watchFiles({ root, ports }: Pick<ToolContext, "root" | "ports">): Promise<FileWatch> {
  const files = ports.seenFiles();
  const before = await readVersions(root, files);
  return {
    async compare() {
      const after = await readVersions(root, files);
      return files
        .filter((_, index) => before[index] !== after[index])
        .map((file) => ({ file, shown: isInside(root.path, file) ? showBelow(root.path, file) : file }))
        .sort((one, other) => (one.shown < other.shown ? -1 : 1));
    },
  };
}

async function readVersions(root: ToolContext["root"], files: readonly string[]): Promise<string[]> {
  const versions: string[] = [];
  for (let at = 0; at < files.length; at += AT_ONCE)
    versions.push(
      ...(await Promise.all(files.slice(at, at + AT_ONCE).map((file) => readVersion(root, file)))),
    );
  return versions;
}

/** What cannot be looked at is gone for us. */
async function readVersion({ disk }: ToolContext["root"], file: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await disk.lstat(file);
    return [dev, ino, size, mtimeNs, ctimeNs].join();
  } catch {
    return "";
  }
}
