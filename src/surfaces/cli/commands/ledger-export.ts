/**
 * Owns `haft ledger export`: everything of some or all sessions as JSON Lines on standard output.
 * Leaves the lines to the ledger. Rule: one line at a time is in memory, however slow the reader is; how far it is
 * goes to standard error, where a person looks at it and the lines go somewhere else.
 */
import { once } from "node:events";
import type { Command } from "commander";
import { openProgress } from "../export-progress.ts";
import { addLedgerFlags, type LedgerFlags, showId, withLedger } from "../open-ledger-file.ts";

const EXAMPLES = `
Kinds of line: session, call-started, call-ended, and bytes (an old file, before the first call that names it).

Examples:
  haft ledger export > ledger.jsonl
  haft ledger export 2026-11-30-1f3a5c7d9e0b | jq 'select(.kind == "call-ended") | .output.content'`;

export function addLedgerExport(ledger: Command): void {
  const command = ledger
    .command("export")
    .description("print whole sessions as JSON Lines")
    .argument("[sessions...]", "their ids (default: all)")
    .option("--json", "JSON Lines, which it is anyway")
    .addHelpText("after", EXAMPLES);
  addLedgerFlags(command).action((ids: string[], flags: LedgerFlags) =>
    withLedger(flags, async (opened) => {
      const unknown = ids.find((id) => opened.calls(id) === undefined);
      if (unknown !== undefined)
        throw new Error(
          `there is no session ${showId(unknown)} in ${opened.place}; haft ledger sessions lists them`,
        );
      const isWatched = process.stderr.isTTY === true && process.stdout.isTTY !== true;
      const progress = isWatched ? openProgress(process.stderr) : undefined;
      const lines = opened.exportLines({
        ...(ids.length === 0 ? {} : { sessionIds: ids }),
        ...(progress === undefined ? {} : { onProgress: progress.update }),
      });
      for (const line of lines) if (!process.stdout.write(`${line}\n`)) await once(process.stdout, "drain");
      progress?.close();
    }),
  );
}
