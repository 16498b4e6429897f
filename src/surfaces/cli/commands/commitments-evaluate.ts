/**
 * Owns `haft commitments evaluate`: the checks that can be made here, and the proofs that only people have.
 * Leaves checking to the library, in a session of its own. Rule: a command is run under the same permission as a
 * model's; without a terminal nobody is asked, and the check is unknown.
 */
import { type Command, InvalidArgumentError } from "commander";
import type { Commitments, CriterionReport } from "../../../commitment/commitments.ts";
import { keepOnOneLine } from "../../../text/one-line.ts";
import { renderCommitment } from "../../../tools/commitments/render-commitment.ts";
import { makeTerminalApprove } from "../ask-on-terminal.ts";
import { openWithFlags } from "../open-with-flags.ts";
import { printJson, printLine } from "../print.ts";
import { addSessionFlags, type SessionFlags } from "../session-flags.ts";
import { type CommitmentFlags, rootOf, tellRefusals, withCommitments } from "../with-commitments.ts";

const EXAMPLES = `
Files and commands are checked here. A check that could not be made is unknown, not failed; where a person must be asked
and there is no terminal, --allow lets a command run. What only somebody else can prove is given with a flag, and then
only that is done, unless --only names more.

Examples:
  haft commitments evaluate 3f2a9c1e --allow 'runs(npm test)'
  haft commitments evaluate 3f2a9c1e --only c2
  haft commitments evaluate 3f2a9c1e --attest c3='I have read it' --by 'Ada'
  haft commitments evaluate 3f2a9c1e --cite c1=2026-11-30-1f3a/call_7
  haft commitments evaluate 3f2a9c1e --receipt c4=build-512 --by ci`;

interface Proof {
  readonly criterion: string;
  readonly words: string;
}

interface EvaluateFlags extends SessionFlags, CommitmentFlags {
  readonly only?: readonly string[];
  readonly assert?: readonly Proof[];
  readonly cite?: readonly Proof[];
  readonly receipt?: readonly Proof[];
  readonly attest?: readonly Proof[];
  readonly attestNot?: readonly Proof[];
  readonly by?: string;
}

export function addCommitmentsEvaluate(commitments: Command): void {
  const command = commitments
    .command("evaluate")
    .description("check its criteria, and say which earlier passes are outdated")
    .argument("<id>", "its id, or the beginning of it")
    .option("--only <criterion>", "check this one", gather)
    .option("--assert <criterion=words>", "state that a statement is so", gatherProof)
    .option("--cite <criterion=call>", "cite a call: SESSION/CALL", gatherProof)
    .option(
      "--receipt <criterion=reference>",
      "give the reference of a receipt; --by names its source",
      gatherProof,
    )
    .option("--attest <criterion=words>", "attest that it is so", gatherProof)
    .option("--attest-not <criterion=words>", "attest that it is not so", gatherProof)
    .option("--by <name>", "who says so (default: $USER)")
    .option("--json", "print it as JSON")
    .addHelpText("after", EXAMPLES);
  addSessionFlags(command, "the working directory").action((id: string, flags: EvaluateFlags) =>
    tellRefusals(async () => {
      // Before a session is opened, and a ledger made: is there such a commitment?
      const events = await withCommitments(flags, (opened) => opened.history(id));
      await evaluate(events[0]?.commitment ?? id, flags);
    }),
  );
}

async function evaluate(id: string, flags: EvaluateFlags): Promise<void> {
  const cwd = process.cwd();
  const approve = makeTerminalApprove(process.stdin, process.stderr);
  const session = await openWithFlags({
    flags: { ...flags, commitments: true },
    root: rootOf(flags),
    cwd,
    ...(approve === undefined ? {} : { approve }),
  });
  try {
    const { commitments } = session;
    if (commitments === undefined) throw new Error("this session has no commitments");
    const proven = await giveProofs(commitments, id, flags);
    const only = flags.only ?? (proven.length > 0 ? [] : undefined);
    const report = await commitments.evaluate(id, only === undefined ? {} : { criteria: only });
    const results = [
      ...proven.map((criterion) => tellProven(report.view.criteria, criterion)),
      ...report.criteria,
    ];
    if (flags.json) return printJson({ ...report, criteria: results });
    for (const one of results) printLine(tellReport(one));
    printLine(`\n${renderCommitment(report.view)}`);
  } finally {
    await session.close();
  }
}

/** The criteria that somebody gave a proof of. */
async function giveProofs(commitments: Commitments, id: string, flags: EvaluateFlags): Promise<string[]> {
  const by = flags.by ?? process.env.USER ?? "a person";
  for (const proof of flags.assert ?? []) await commitments.assert(id, proof);
  for (const { criterion, words } of flags.cite ?? []) await commitments.cite(id, { criterion, call: words });
  for (const { criterion, words } of flags.receipt ?? [])
    await commitments.receive(id, { criterion, from: by, reference: words });
  for (const proof of flags.attest ?? []) await commitments.attest(id, { ...proof, by });
  for (const proof of flags.attestNot ?? []) await commitments.attest(id, { ...proof, by, holds: false });
  const { assert = [], cite = [], receipt = [], attest = [], attestNot = [] } = flags;
  return [...assert, ...cite, ...receipt, ...attest, ...attestNot].map(({ criterion }) => criterion);
}

function tellProven(
  views: readonly { criterion: { id: string }; state: CriterionReport["result"]; why?: string }[],
  criterion: string,
): CriterionReport {
  const view = views.find((one) => one.criterion.id === criterion);
  const why = view?.why === undefined ? {} : { why: view.why };
  return { criterion, result: view?.state ?? "unchecked", ...why };
}

function tellReport({ criterion, result, why, outdated }: CriterionReport): string {
  const before = outdated === undefined ? "" : `; its earlier pass was outdated: ${keepOnOneLine(outdated)}`;
  return `${criterion} ${result}${why === undefined ? "" : ` (${keepOnOneLine(why)})`}${before}`;
}

function gather(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

function gatherProof(value: string, before: readonly Proof[] = []): Proof[] {
  const at = value.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("it is CRITERION=WORDS.");
  return [...before, { criterion: value.slice(0, at), words: value.slice(at + 1) }];
}
