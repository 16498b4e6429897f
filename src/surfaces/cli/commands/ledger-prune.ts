/**
 * Owns `haft ledger prune`: removing old sessions.
 * Leaves which of them are open to the ledger. Rule: it removes what was named and nothing else, and says what; with
 * nothing named it is a mistake, never everything.
 */
import { type Command, InvalidArgumentError } from "commander";
import type { Pruned } from "../../../ledger/prune.ts";
import { addLedgerFlags, type LedgerFlags, withLedger } from "../open-ledger-file.ts";
import { printJson, printLine } from "../print.ts";
import { showCount, showNumber } from "../print-table.ts";

const EXAMPLES = `
A session goes as a whole, with what no other one needs; an open one stays.

Examples:
  haft ledger prune --older-than 30d --dry-run
  haft ledger prune --older-than 12h
  haft ledger prune 2026-11-30-1f3a5c7d9e0b`;

interface PruneFlags extends LedgerFlags {
  readonly olderThan?: number;
  readonly dryRun?: boolean;
}

export function addLedgerPrune(ledger: Command): void {
  const command = ledger
    .command("prune")
    .description("remove whole sessions, by id or by age")
    .argument("[sessions...]", "their ids")
    .option("--older-than <age>", "those without a call for so long: 30d, 12h, 45m", readAge)
    .option("--dry-run", "say what would go, and remove nothing")
    .option("--json", "print what went as JSON")
    .addHelpText("after", EXAMPLES);
  addLedgerFlags(command).action((ids: string[], flags: PruneFlags) =>
    withLedger(flags, (opened) => {
      const { olderThan, dryRun = false } = flags;
      if (ids.length === 0 && olderThan === undefined)
        command.error("error: name sessions, or an age with --older-than");
      const pruned = opened.prune({
        ...(ids.length === 0 ? {} : { ids }),
        ...(olderThan === undefined ? {} : { beforeMs: Date.now() - olderThan }),
        dryRun,
      });
      if (flags.json) printJson({ ...pruned, dryRun });
      else report(pruned, dryRun);
      // Named, and still there.
      if (ids.length > 0 && pruned.open.length > 0) process.exitCode = 1;
    }),
  );
}

function report({ ids, calls, bytes, open }: Pruned, dryRun: boolean): void {
  const size = dryRun ? "" : `, ${showNumber(bytes)} bytes of content`;
  const verb = dryRun ? "would remove" : "removed";
  printLine(`${verb} ${showCount(ids.length, "session")} (${showCount(calls, "call")}${size})`);
  for (const id of ids) printLine(`  ${id}`);
  if (open.length > 0) process.stderr.write(`haft: still open, so kept: ${open.join(", ")}\n`);
}

const UNITS_MS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000 };

function readAge(value: string): number {
  const [, number = "", unit = ""] = /^(\d{1,6})([dhm])$/.exec(value) ?? [];
  const unitMs = UNITS_MS[unit];
  if (unitMs === undefined) throw new InvalidArgumentError("it is a number with d, h or m: 30d, 12h, 45m.");
  return Number(number) * unitMs;
}
