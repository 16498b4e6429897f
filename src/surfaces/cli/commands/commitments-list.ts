/**
 * Owns `haft commitments list` and `show`: the same text that a model reads.
 * Leaves the words to the tool. Rule: of all agents, unless one is named.
 */
import type { Command } from "commander";
import { RefusalError } from "../../../contract/errors.ts";
import { refuse } from "../../../contract/refusal.ts";
import { renderList } from "../../../tools/commitments/render-list.ts";
import { printJson, printLine } from "../print.ts";
import {
  addCommitmentFlags,
  type CommitmentFlags,
  printCommitment,
  withCommitments,
} from "../with-commitments.ts";

const LIST_EXAMPLES = `
The held ones come first, since they need somebody; then the most urgent. Points say why.

Examples:
  haft commitments list
  haft commitments list --closed --json
  haft commitments list --agent reviewer`;

interface ListFlags extends CommitmentFlags {
  readonly closed?: boolean;
}

export function addCommitmentsList(commitments: Command): void {
  const command = commitments
    .command("list")
    .description("list what is open, held and proposed, the most urgent first")
    .option("--closed", "the closed ones too, and how each closed")
    .option("--agent <id>", "only those of this agent (default: all)")
    .addHelpText("after", LIST_EXAMPLES);
  addCommitmentFlags(command).action((flags: ListFlags) =>
    withCommitments(flags, async (opened) => {
      const request = { withClosed: flags.closed === true };
      const list = await (flags.agent === undefined ? opened.listAll(request) : opened.list(request));
      if (flags.json) return printJson(list);
      const more =
        request.withClosed || list.closedTotal === 0 ? undefined : "haft commitments list --closed";
      printLine(renderList(list, more));
    }),
  );
}

const SHOW_EXAMPLES = `
Examples:
  haft commitments show 3f2a9c1e
  haft commitments show 3f2a9c1e --json`;

export function addCommitmentsShow(commitments: Command): void {
  const command = commitments
    .command("show")
    .description("show one commitment whole")
    .argument("<id>", "its id, or the beginning of it")
    .addHelpText("after", SHOW_EXAMPLES);
  addCommitmentFlags(command).action((id: string, flags: CommitmentFlags) =>
    withCommitments(flags, async (opened) => {
      const found = await opened.find(id);
      if (found.kind === "found") return printCommitment(found.view, flags);
      // Any verb tells what is wrong with an id.
      await opened.history(id);
      throw new RefusalError(
        refuse("commitment-unknown", { id, nearest: [] }),
        `there is no commitment ${id}`,
      );
    }),
  );
}
