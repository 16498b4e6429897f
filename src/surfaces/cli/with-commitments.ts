/**
 * Owns opening the commitments that a person means, and telling a refusal in the words of the commands.
 * Leaves what is done with them to the commands. Rule: looking never makes a ledger; only `open` and `propose` do.
 */
import { resolve } from "node:path";
import type { Command } from "commander";
import type { Commitments } from "../../commitment/commitments.ts";
import type { CommitmentView } from "../../contract/commitment-view.ts";
import { RefusalError } from "../../contract/errors.ts";
import { openLedger } from "../../ledger/ledger.ts";
import { openRoot } from "../../root/open-root.ts";
import { openStateDirectory } from "../../root/state-directory.ts";
import { isStateError } from "../../root/state-directory-entry.ts";
import { giveCommitments } from "../../session/give-commitments.ts";
import { renderCommitment } from "../../tools/commitments/render-commitment.ts";
import { addLedgerFlags, completeLedgerFlags, type LedgerFlags, withLedger } from "./open-ledger-file.ts";
import { printJson, printLine } from "./print.ts";

export interface CommitmentFlags extends LedgerFlags {
  readonly agent?: string;
}

/** Who acts, as history names it. */
export const ACTOR = "a person at the command line";

export function addCommitmentFlags(command: Command): Command {
  command.option("--json", "print it as JSON");
  return addLedgerFlags(command);
}

/** Opens them for one command, and closes them however that ends. */
export async function withCommitments<T>(
  given: CommitmentFlags,
  act: (commitments: Commitments) => Promise<T>,
): Promise<T> {
  const flags = completeLedgerFlags(given);
  return tellRefusals(() =>
    withLedger(flags, (ledger) =>
      act(
        giveCommitments({
          ledger,
          root: openRoot({ root: rootOf(flags) }),
          isShared: flags.ledger !== undefined,
          agentId: flags.agent ?? "main",
          actor: ACTOR,
        }),
      ),
    ),
  );
}

/** The same, where there may be no ledger yet. */
export async function makeCommitments<T>(
  given: CommitmentFlags,
  act: (commitments: Commitments) => Promise<T>,
): Promise<T> {
  const flags = completeLedgerFlags(given);
  if (flags.ledger !== undefined) openLedger({ path: resolve(process.cwd(), flags.ledger) }).close();
  else {
    const stateDir = flags.stateDir === undefined ? undefined : resolve(process.cwd(), flags.stateDir);
    const state = await openStateDirectory({ root: openRoot({ root: rootOf(flags) }), stateDir });
    const file = isStateError(state) ? state : await state.prepareFile("ledger.db");
    if (typeof file !== "string") throw new Error(file.error);
  }
  return withCommitments(flags, act);
}

export function rootOf({ root }: CommitmentFlags): string {
  return resolve(process.cwd(), root ?? ".");
}

export function printCommitment(view: CommitmentView, { json }: CommitmentFlags): void {
  if (json) printJson(view);
  else printLine(renderCommitment(view));
}

/** The command for each event that a person may bring about. */
const COMMANDS: Readonly<Record<string, string>> = {
  opened: "accept",
  suspended: "suspend",
  resumed: "resume",
  blocked: "block",
  unblocked: "unblock",
  "episode-started": "episode --start",
  "episode-ended": "episode --end",
  "criterion-evaluated": "evaluate",
  "question-answered": "answer",
  superseded: "supersede",
  closed: "close",
};

/** Says with each refusal what a person can type next. */
export async function tellRefusals<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    const way = findWayOut(error);
    throw way === undefined ? error : new Error(`${error.message}\n${way}`);
  }
}

function findWayOut({ refusal }: RefusalError): string | undefined {
  switch (refusal.code) {
    case "commitment-unknown":
      return "haft commitments list --closed shows all of them.";
    case "commitment-ambiguous":
      return "Give one of these ids, or more of the one that is meant.";
    case "commitment-transition": {
      const commands = refusal.facts.possible.flatMap((event) => COMMANDS[event] ?? []);
      return commands.length === 0
        ? `haft commitments history ${refusal.facts.id} shows what happened to it.`
        : `Commands for it now: haft commitments ${commands.join(" | ")}`;
    }
    case "commitment-unproven":
      return `haft commitments evaluate ${refusal.facts.id} checks it anew.`;
    case "commitment-criterion":
    case "commitment-question":
      return `haft commitments show ${refusal.facts.id} shows them.`;
    case "commitment-invalid":
      return "haft commitments --help names the commands, each with its own --help.";
    default:
      return undefined;
  }
}
