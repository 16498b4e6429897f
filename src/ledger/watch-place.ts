/**
 * Owns noticing that the file of an open ledger is not at its place any more.
 * Leaves telling of it to the session. Rule: nothing is repaired here. SQLite goes on writing into a file that has no
 * name, and all of that is gone when it closes: a command that clears the tree (`git clean -fdx`) must not make a
 * session forget without a word.
 */
import { statSync } from "node:fs";

/** Of a ledger in memory it is always true. */
export function watchPlace(path: string | undefined): () => boolean {
  if (path === undefined) return () => true;
  const opened = identify(path);
  return () => identify(path) === opened;
}

function identify(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`;
}
