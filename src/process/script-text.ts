/**
 * Owns how a command's text reaches bash.
 * Leaves starting bash to start-command.ts. Rule: as one argument; where the system takes none of that length, by way of
 * a file that only we can read, removed with the command's end.
 */
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  addReport,
  canReport,
  quote,
  readReport,
  removeQuietly,
  type ShellReport,
  type Watch,
} from "./watch-shell.ts";

/** Linux takes 128 KiB as one argument. */
export const MAX_ARGUMENT = 120_000;

export interface ScriptText {
  /** What `bash -c` is given. */
  readonly text: string;
  /** Once, after the shell has ended. */
  finish(): ShellReport;
}

export interface ScriptRequest {
  readonly command: string;
  readonly cwd: string;
  readonly watch: Watch;
  /** A folder for temporary files that the command can write to. */
  readonly folder: string;
}

export function prepareScript({ command, cwd, watch, folder }: ScriptRequest): ScriptText {
  const name = join(folder, `haft-${randomUUID()}`);
  const isLong = Buffer.byteLength(command) > MAX_ARGUMENT;
  if (isLong) writeFileSync(`${name}.sh`, command, { mode: 0o600, flag: "wx" });
  const body = isLong ? `eval "$(<${quote(`${name}.sh`)})"` : command;
  const isWatched = (watch.stages || watch.directory) && canReport(command);
  return {
    text: isWatched ? addReport(body, name) : body,
    finish() {
      if (isLong) removeQuietly(`${name}.sh`);
      return isWatched ? readReport(name, { watch, cwd }) : {};
    },
  };
}
