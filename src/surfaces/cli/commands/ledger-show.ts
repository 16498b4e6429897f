/**
 * Owns `haft ledger show`: the calls of a session, or one call whole.
 * Leaves parts of a result to ledger-recall.ts. Rule: what was sent, what was decided and what came back, in the order
 * in which it happened.
 */
import type { Command } from "commander";
import type { Ledger } from "../../../ledger/ledger.ts";
import type { CallRecord, CallSummary } from "../../../ledger/read-calls.ts";
import { keepOnOneLine } from "../../../text/one-line.ts";
import { addLedgerFlags, completeCallId, type LedgerFlags, showId, withLedger } from "../open-ledger-file.ts";
import { colorsFor, printJson, printLine } from "../print.ts";
import { makeSafe, printContent } from "../print-safely.ts";
import { type Column, printTable, showCount, showNumber, showTime } from "../print-table.ts";

const COLUMNS: readonly Column[] = [
  { title: "CALL" },
  { title: "STARTED" },
  { title: "TOOL" },
  { title: "STATE" },
  { title: "MS", align: "right" },
  { title: "CHARACTERS", align: "right" },
  { title: "FIRST LINE" },
];

const EXAMPLES = `
Examples:
  haft ledger show                                   the calls of the latest session
  haft ledger show 2026-11-30-1f3a5c7d9e0b           the calls of that session
  haft ledger show 2026-11-30-1f3a5c7d9e0b/call_7    one call of it, whole
  haft ledger show call_7 --json                     one call of the latest session, as JSON`;

export function addLedgerShow(ledger: Command): void {
  const command = ledger
    .command("show")
    .description("show the calls of a session, or one call whole")
    .argument(
      "[id]",
      "a session, SESSION/CALL, or a call of the latest session (default: the latest session)",
    )
    .option("--json", "print it as JSON")
    .addHelpText("after", EXAMPLES);
  addLedgerFlags(command).action((id: string | undefined, flags: LedgerFlags) =>
    withLedger(flags, (opened) => {
      const session = id ?? opened.sessions().at(-1)?.id;
      if (session === undefined) throw new Error(`there are no sessions in ${opened.place} yet`);
      const calls = opened.calls(session);
      const call = calls === undefined ? getCall(opened, session) : undefined;
      if (flags.json) printJson(call ?? { session, calls });
      else if (call !== undefined) showCall(call);
      else showCalls(session, calls ?? []);
    }),
  );
}

function getCall(ledger: Ledger, id: string): CallRecord {
  const call = ledger.find(completeCallId(ledger, id));
  if (call === undefined) throw new Error(`there is no call ${showId(id)}`);
  return call;
}

function showCalls(session: string, calls: readonly CallSummary[]): void {
  if (calls.length === 0) printLine(`no calls in session ${showId(session)}`);
  else printCalls(calls);
}

function printCalls(calls: readonly CallSummary[]): void {
  printTable(
    COLUMNS,
    calls.map((call) => [
      call.callId,
      showTime(call.startedAtMs),
      call.tool,
      call.code ?? call.state,
      call.durationMs === undefined ? "" : showNumber(Math.round(call.durationMs)),
      call.durationMs === undefined ? "" : showNumber(call.characters),
      call.head,
    ]),
  );
}

function showCall(call: CallRecord): void {
  const { bold } = colorsFor(process.stdout);
  const section = (title: string, value: unknown): void => {
    if (value !== undefined) printLine(`${bold(title)}\n${makeSafe(JSON.stringify(value, undefined, 2))}\n`);
  };
  printLine(
    `${bold(keepOnOneLine(call.id))}: ${keepOnOneLine(call.name)}, ${call.state}, started ${showTime(call.atMs)}\n`,
  );
  section("arguments", call.args ?? call.sent);
  section("decision", call.decision);
  const { ended } = call;
  if (ended === undefined) return;
  const { output, oldBytes } = ended;
  section("refusal", output.isError ? output.refusal : undefined);
  section("details", output.details);
  section("old files", oldBytes.length === 0 ? undefined : oldBytes);
  const images = output.images.length === 0 ? "" : `, ${showCount(output.images.length, "image")}`;
  printLine(bold(`result, after ${showNumber(Math.round(ended.durationMs))} ms${images}`));
  printContent(output.content);
}
