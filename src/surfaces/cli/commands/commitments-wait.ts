/**
 * Owns `haft commitments suspend`, `resume`, `block` and `unblock`: when a commitment does not go on.
 * Leaves whether it may to the table of transitions. Rule: it is suspended on exactly one thing.
 */
import type { Command } from "commander";
import type { WaitInput } from "../../../commitment/commitments.ts";
import {
  addCommitmentFlags,
  type CommitmentFlags,
  printCommitment,
  withCommitments,
} from "../with-commitments.ts";

const SUSPEND_EXAMPLES = `
Examples:
  haft commitments suspend 3f2a9c1e --question 'Which region?'
  haft commitments suspend 3f2a9c1e --until 2026-10-31
  haft commitments suspend 3f2a9c1e --commitment 9ab03c11`;

interface SuspendFlags extends CommitmentFlags {
  readonly question?: string;
  readonly until?: string;
  readonly condition?: string;
  readonly commitment?: string;
  readonly operation?: string;
}

export function addCommitmentsSuspend(commitments: Command): void {
  const command = commitments
    .command("suspend")
    .description("let it wait for one thing")
    .argument("<id>", "its id, or the beginning of it")
    .option("--question <text>", "for a person to answer this")
    .option("--until <time>", "until a day (2026-10-31) or a time with its zone (2026-10-31T17:00:00Z)")
    .option("--condition <text>", "until this holds")
    .option("--commitment <id>", "for another commitment")
    .option("--operation <text>", "for something that runs outside")
    .addHelpText("after", SUSPEND_EXAMPLES);
  addCommitmentFlags(command).action((id: string, flags: SuspendFlags) => {
    const [on, ...others] = listWaits(flags);
    if (on === undefined || others.length > 0)
      return command.error(
        "error: name one of --question, --until, --condition, --commitment and --operation",
      );
    return withCommitments(flags, async (opened) => printCommitment(await opened.suspend(id, on), flags));
  });
}

function listWaits({ question, until, condition, commitment, operation }: SuspendFlags): WaitInput[] {
  return [
    ...(question === undefined ? [] : [{ kind: "question" as const, text: question }]),
    ...(until === undefined ? [] : [{ kind: "schedule" as const, until }]),
    ...(condition === undefined ? [] : [{ kind: "condition" as const, text: condition }]),
    ...(commitment === undefined ? [] : [{ kind: "commitment" as const, id: commitment }]),
    ...(operation === undefined ? [] : [{ kind: "operation" as const, text: operation }]),
  ];
}

interface WhyFlags extends CommitmentFlags {
  readonly why?: string;
}

function addGoingOn(commitments: Command, name: "resume" | "unblock", description: string): void {
  const command = commitments
    .command(name)
    .description(description)
    .argument("<id>", "its id, or the beginning of it")
    .option("--why <text>", "what has changed")
    .addHelpText("after", `\nExamples:\n  haft commitments ${name} 3f2a9c1e --why 'the key has arrived'`);
  addCommitmentFlags(command).action((id: string, flags: WhyFlags) =>
    withCommitments(flags, async (opened) => printCommitment(await opened[name](id, flags.why), flags)),
  );
}

export function addCommitmentsResume(commitments: Command): void {
  addGoingOn(commitments, "resume", "let a suspended one go on");
}

export function addCommitmentsUnblock(commitments: Command): void {
  addGoingOn(commitments, "unblock", "let a blocked one go on");
}

const BLOCK_EXAMPLES = `
Examples:
  haft commitments block 3f2a9c1e 'no access to the build server'`;

export function addCommitmentsBlock(commitments: Command): void {
  const command = commitments
    .command("block")
    .description("say that it cannot go on, and why")
    .argument("<id>", "its id, or the beginning of it")
    .argument("<reason>", "what stands in its way")
    .addHelpText("after", BLOCK_EXAMPLES);
  addCommitmentFlags(command).action((id: string, reason: string, flags: CommitmentFlags) =>
    withCommitments(flags, async (opened) => printCommitment(await opened.block(id, reason), flags)),
  );
}
