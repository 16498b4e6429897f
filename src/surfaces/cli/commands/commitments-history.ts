/**
 * Owns `haft commitments history`: everything that happened to one commitment, in order.
 * Leaves what followed from it to `show`. Rule: one line an event; times are those of the clocks that wrote them, the
 * order is that of the ledger.
 */
import type { Command } from "commander";
import type { CommitmentEvent, Wait } from "../../../contract/commitment.ts";
import { printJson } from "../print.ts";
import { type Column, printTable, showTime } from "../print-table.ts";
import { addCommitmentFlags, type CommitmentFlags, withCommitments } from "../with-commitments.ts";

const COLUMNS: readonly Column[] = [
  { title: "SEQ", align: "right" },
  { title: "WHEN" },
  { title: "EVENT" },
  { title: "BY" },
  { title: "WHAT" },
];

const EXAMPLES = `
Examples:
  haft commitments history 3f2a9c1e
  haft commitments history 3f2a9c1e --json`;

export function addCommitmentsHistory(commitments: Command): void {
  const command = commitments
    .command("history")
    .description("show everything that happened to it, in order")
    .argument("<id>", "its id, or the beginning of it")
    .addHelpText("after", EXAMPLES);
  addCommitmentFlags(command).action((id: string, flags: CommitmentFlags) =>
    withCommitments(flags, async (opened) => {
      const events = await opened.history(id);
      if (flags.json) return printJson(events);
      printTable(
        COLUMNS,
        events.map((event) => [
          String(event.seq),
          showTime(event.atMs),
          event.kind,
          event.actor,
          describeEvent(event),
        ]),
      );
    }),
  );
}

function describeEvent(event: CommitmentEvent): string {
  switch (event.kind) {
    case "proposed":
      return event.terms.objective;
    case "opened":
      return event.terms?.objective ?? "as proposed";
    case "episode-started":
      return event.sessionId === undefined ? "" : `session ${event.sessionId}`;
    case "episode-ended":
      return withWhy(event.outcome, event.summary);
    case "suspended":
      return describeWait(event.on);
    case "blocked":
      return event.reason;
    case "criterion-evaluated":
      return withWhy(`${event.criterion} ${event.result}`, event.why);
    case "question-answered":
      return `${event.question}: ${event.answer}`;
    case "superseded":
      return withWhy(`by ${event.by}`, event.why);
    case "closed":
      return withWhy(event.verdict, event.why);
    default:
      return event.why ?? "";
  }
}

function withWhy(what: string, why: string | undefined): string {
  return why === undefined ? what : `${what}: ${why}`;
}

function describeWait(on: Wait): string {
  switch (on.kind) {
    case "question":
      return `question ${on.question}: ${on.text}`;
    case "schedule":
      return `until ${on.until}`;
    case "commitment":
      return `commitment ${on.id}`;
    default:
      return `${on.kind}: ${on.text}`;
  }
}
