/**
 * Owns `haft commitments open`, `propose` and `accept`: how a commitment begins.
 * Leaves what may be said of one to its terms. Rule: what is wrong is told all at once, and nothing is opened then.
 */
import type { Command } from "commander";
import type { CommitmentInput } from "../../../commitment/terms.ts";
import { readJsonArgument } from "../read-json-argument.ts";
import {
  addCommitmentFlags,
  type CommitmentFlags,
  makeCommitments,
  printCommitment,
  withCommitments,
} from "../with-commitments.ts";

const TERMS = `
JSON is one object; - reads it from standard input. Required are objective and criteria, each with a statement and a kind:
  statement                     somebody states it (asserted)
  tool-call [tool]              a call in the ledger that came out well (cited)
  file-exists path              (observed)
  file-contains path, text or pattern
  shell command [cwd, timeoutMs]  exit code 0 (observed)
  receipt [from]                something outside says so (attested)
  attestation [by]              a person says so (attested)
Of each also id, required (default true) and paths, on which its evidence rests. Of the whole also evidence (asserted,
cited, observed or attested; default observed), deadline, stakes (low, normal, high, critical), budget {episodes, usd},
stallLimit (default 3), pinned, id.

Examples:
  haft commitments NAME '{"objective":"The report is out","criteria":[{"statement":"It is there","kind":"file-exists","path":"report.md"}]}'
  haft commitments NAME - --agent reviewer < terms.json`;

type Begin = "open" | "propose";

function addBeginning(commitments: Command, name: Begin, description: string): void {
  const command = commitments
    .command(name)
    .description(description)
    .argument("<json>", "the commitment as JSON, or - for standard input")
    .option("--agent <id>", "the agent that owes it (default: main)")
    .addHelpText("after", TERMS.replaceAll("NAME", name));
  addCommitmentFlags(command).action(async (json: string, flags: CommitmentFlags) => {
    const terms = readTermsOf(command, String(await readJsonArgument(json)));
    await makeCommitments(flags, async (opened) => printCommitment(await opened[name](terms), flags));
  });
}

/** Whether it is JSON is all that is looked at here. */
function readTermsOf(command: Command, json: string): CommitmentInput {
  try {
    return JSON.parse(json) as CommitmentInput;
  } catch (error) {
    return command.error(`error: this is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export function addCommitmentsOpen(commitments: Command): void {
  addBeginning(commitments, "open", "open a commitment");
}

export function addCommitmentsPropose(commitments: Command): void {
  addBeginning(commitments, "propose", "propose one, which counts for nothing until it is accepted");
}

const ACCEPT_EXAMPLES = `
Examples:
  haft commitments accept 3f2a9c1e`;

export function addCommitmentsAccept(commitments: Command): void {
  const command = commitments
    .command("accept")
    .description("open a commitment that was proposed")
    .argument("<id>", "its id, or the beginning of it")
    .addHelpText("after", ACCEPT_EXAMPLES);
  addCommitmentFlags(command).action((id: string, flags: CommitmentFlags) =>
    withCommitments(flags, async (opened) => printCommitment(await opened.accept(id), flags)),
  );
}
