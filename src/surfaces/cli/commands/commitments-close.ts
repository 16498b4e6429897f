/**
 * Owns `haft commitments close` and `supersede`: how a commitment ends.
 * Leaves whether it is proven to the library. Rule: `fulfilled` is never taken on a person's word alone.
 */
import type { Command } from "commander";
import { VERDICTS, type Verdict } from "../../../contract/commitment.ts";
import {
  addCommitmentFlags,
  type CommitmentFlags,
  printCommitment,
  withCommitments,
} from "../with-commitments.ts";

const CLOSE_EXAMPLES = `
Verdicts: ${VERDICTS.join(", ")}. fulfilled is refused unless every required criterion has passed, what each pass rests
on is as it was, and the weakest is worth what was asked for; every other verdict is taken.

Examples:
  haft commitments close 3f2a9c1e fulfilled
  haft commitments close 3f2a9c1e abandoned --why 'the customer left'`;

interface CloseFlags extends CommitmentFlags {
  readonly why?: string;
}

export function addCommitmentsClose(commitments: Command): void {
  const command = commitments
    .command("close")
    .description("close it with a verdict")
    .argument("<id>", "its id, or the beginning of it")
    .argument("<verdict>", VERDICTS.join(", "))
    .option("--why <text>", "why")
    .addHelpText("after", CLOSE_EXAMPLES);
  addCommitmentFlags(command).action((id: string, verdict: string, flags: CloseFlags) =>
    withCommitments(flags, async (opened) => {
      const why = flags.why === undefined ? {} : { why: flags.why };
      // The library says which are known.
      printCommitment(await opened.close(id, { verdict: verdict as Verdict, ...why }), flags);
    }),
  );
}

const SUPERSEDE_EXAMPLES = `
Examples:
  haft commitments supersede 3f2a9c1e --by 9ab03c11 --why 'split in two'`;

interface SupersedeFlags extends CloseFlags {
  readonly by: string;
}

export function addCommitmentsSupersede(commitments: Command): void {
  const command = commitments
    .command("supersede")
    .description("close it because another one takes its place")
    .argument("<id>", "its id, or the beginning of it")
    .requiredOption("--by <id>", "the one that takes its place")
    .option("--why <text>", "why")
    .addHelpText("after", SUPERSEDE_EXAMPLES);
  addCommitmentFlags(command).action((id: string, flags: SupersedeFlags) =>
    withCommitments(flags, async (opened) => {
      const why = flags.why === undefined ? {} : { why: flags.why };
      printCommitment(await opened.supersede(id, { by: flags.by, ...why }), flags);
    }),
  );
}
