/**
 * Owns `haft ledger sessions`: which sessions there were.
 * Leaves their calls to ledger-show.ts. Rule: the latest stands last, where a terminal ends.
 */
import type { Command } from "commander";
import type { SessionSummary } from "../../../ledger/read-calls.ts";
import { addLedgerFlags, type LedgerFlags, withLedger } from "../open-ledger-file.ts";
import { printJson, printLine } from "../print.ts";
import { type Column, printTable, showNumber, showTime } from "../print-table.ts";

const COLUMNS: readonly Column[] = [
  { title: "SESSION" },
  { title: "OPENED" },
  { title: "LAST CALL" },
  { title: "CALLS", align: "right" },
  { title: "STATE" },
  { title: "AGENT" },
  { title: "ROOT" },
];

const EXAMPLES = `
Examples:
  haft ledger sessions
  haft ledger sessions --root ~/project --json`;

export function addLedgerSessions(ledger: Command): void {
  const command = ledger
    .command("sessions")
    .description("list the sessions, the latest last")
    .option("--json", "print them as JSON")
    .addHelpText("after", EXAMPLES);
  addLedgerFlags(command).action((flags: LedgerFlags) =>
    withLedger(flags, (opened) => {
      const sessions = opened.sessions();
      if (flags.json) return printJson({ ledger: opened.place, sessions });
      if (sessions.length === 0) return printLine(`no sessions in ${opened.place}`);
      printTable(COLUMNS, sessions.map(describeSession));
    }),
  );
}

function describeSession(session: SessionSummary): string[] {
  const { id, openedAtMs, lastAtMs, calls, interrupted, isOpen, agentId, root } = session;
  const state = isOpen ? "open" : interrupted > 0 ? `${showNumber(interrupted)} interrupted` : "closed";
  return [
    id,
    showTime(openedAtMs),
    calls === 0 ? "-" : showTime(lastAtMs),
    showNumber(calls),
    state,
    agentId,
    root,
  ];
}
