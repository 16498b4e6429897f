/**
 * Owns the proof that the diff which an edit gives back is the change: `patch` makes the new file of the old one.
 * Rule: UTF-8 files only, as promised; without `patch` on the system nothing is claimed.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Judged } from "./score.ts";

/** One line for each diff that `patch` does not take, or takes for something else. */
export function checkPatches(judged: readonly Judged[]): string[] {
  if (spawnSync("patch", ["--version"]).status !== 0) {
    console.log("     diffs not checked: there is no patch here");
    return [];
  }
  const folder = mkdtempSync(join(tmpdir(), "haft-patches-"));
  try {
    return judged.flatMap((each) => checkPatch(each, folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function checkPatch({ task, answer, after, verdict }: Judged, folder: string): string[] {
  if (verdict !== "right" || answer.patch === undefined || !task.encoding.startsWith("utf-8")) return [];
  const file = join(folder, `source${task.extension}`);
  writeFileSync(file, task.before);
  const ran = spawnSync("patch", ["-p1", "--binary", "--no-backup-if-mismatch"], {
    cwd: folder,
    input: answer.patch,
  });
  const isRight = ran.status === 0 && readFileSync(file).equals(after);
  return isRight ? [] : [`${task.kind}: patch does not make the new file of the old one`];
}
