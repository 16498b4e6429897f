/**
 * Owns `haft ledger`: the commands that look into what sessions left.
 * Leaves each to its file. Rule: reading changes nothing, and only `prune` removes.
 */
import type { Command } from "commander";
import { addLedgerExport } from "./ledger-export.ts";
import { addLedgerPrune } from "./ledger-prune.ts";
import { addLedgerRecall } from "./ledger-recall.ts";
import { addLedgerSearch } from "./ledger-search.ts";
import { addLedgerSessions } from "./ledger-sessions.ts";
import { addLedgerShow } from "./ledger-show.ts";

const EXAMPLES = `
Every call of a session is kept in a ledger: .haft/ledger.db below its root, unless it was told otherwise.

Examples:
  haft ledger sessions
  haft ledger show                                   the calls of the latest session
  haft ledger show 2026-11-30-1f3a5c7d9e0b/call_7    one call, whole
  haft ledger search "permission denied"
  haft ledger recall 2026-11-30-1f3a5c7d9e0b/call_7 --lines 200:300
  haft ledger export > ledger.jsonl
  haft ledger prune --older-than 30d`;

export function addLedgerCommand(program: Command): void {
  const ledger = program
    .command("ledger")
    .description("look into what sessions did: their calls, results and old files")
    .addHelpText("after", EXAMPLES);
  for (const add of [
    addLedgerSessions,
    addLedgerShow,
    addLedgerSearch,
    addLedgerRecall,
    addLedgerExport,
    addLedgerPrune,
  ]) {
    add(ledger);
  }
  for (const command of ledger.commands)
    command.showHelpAfterError(`(haft ledger ${command.name()} --help shows what can be said)`);
}
