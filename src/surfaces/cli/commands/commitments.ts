/**
 * Owns `haft commitments`: the commands by which a person looks after what an agent owes.
 * Leaves each to its file. Rule: every command takes an id or the beginning of one, and `--json`.
 */
import type { Command } from "commander";
import { addCommitmentsAnswer, addCommitmentsEpisode } from "./commitments-answer.ts";
import { addCommitmentsClose, addCommitmentsSupersede } from "./commitments-close.ts";
import { addCommitmentsEvaluate } from "./commitments-evaluate.ts";
import { addCommitmentsHistory } from "./commitments-history.ts";
import { addCommitmentsList, addCommitmentsShow } from "./commitments-list.ts";
import { addCommitmentsAccept, addCommitmentsOpen, addCommitmentsPropose } from "./commitments-open.ts";
import {
  addCommitmentsBlock,
  addCommitmentsResume,
  addCommitmentsSuspend,
  addCommitmentsUnblock,
} from "./commitments-wait.ts";

const EXAMPLES = `
A commitment outlives the session in which it was opened: its events are in the ledger, .haft/ledger.db below the root.
What is done is decided by checks and by people; the model can only look.

Examples:
  haft commitments list --closed
  haft commitments open '{"objective":"The report is out","criteria":[{"statement":"It is there","kind":"file-exists","path":"report.md"}]}'
  haft commitments evaluate 3f2a9c1e --allow 'runs(npm test)'
  haft commitments suspend 3f2a9c1e --question 'Which region?'
  haft commitments answer 3f2a9c1e 'Europe'
  haft commitments close 3f2a9c1e fulfilled`;

export function addCommitmentsCommand(program: Command): void {
  const commitments = program
    .command("commitments")
    .description("look after what an agent has committed itself to, across sessions")
    .addHelpText("after", EXAMPLES);
  for (const add of [
    addCommitmentsList,
    addCommitmentsShow,
    addCommitmentsOpen,
    addCommitmentsPropose,
    addCommitmentsAccept,
    addCommitmentsEvaluate,
    addCommitmentsAnswer,
    addCommitmentsSuspend,
    addCommitmentsResume,
    addCommitmentsBlock,
    addCommitmentsUnblock,
    addCommitmentsEpisode,
    addCommitmentsSupersede,
    addCommitmentsClose,
    addCommitmentsHistory,
  ]) {
    add(commitments);
  }
  for (const command of commitments.commands)
    command.showHelpAfterError(`(haft commitments ${command.name()} --help shows what can be said)`);
}
