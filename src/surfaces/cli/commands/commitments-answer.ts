/**
 * Owns `haft commitments answer` and `episode`: what a person says to a commitment, and stretches of work on it.
 * Leaves which question is meant to the library, where none is named. Rule: a question is answered once.
 */
import type { Command } from "commander";
import { EPISODE_OUTCOMES, type EpisodeOutcome } from "../../../contract/commitment.ts";
import {
  addCommitmentFlags,
  type CommitmentFlags,
  printCommitment,
  withCommitments,
} from "../with-commitments.ts";

const ANSWER_EXAMPLES = `
The answer to the question that it waits on lets it go on.

Examples:
  haft commitments answer 3f2a9c1e 'Europe'
  haft commitments answer 3f2a9c1e 'Europe' --question q2`;

interface AnswerFlags extends CommitmentFlags {
  readonly question?: string;
}

export function addCommitmentsAnswer(commitments: Command): void {
  const command = commitments
    .command("answer")
    .description("answer a question that it asked")
    .argument("<id>", "its id, or the beginning of it")
    .argument("<answer>", "the answer")
    .option("--question <id>", "which question (default: the one that it waits on, or the only open one)")
    .addHelpText("after", ANSWER_EXAMPLES);
  addCommitmentFlags(command).action((id: string, answer: string, flags: AnswerFlags) =>
    withCommitments(flags, async (opened) => {
      const question = flags.question === undefined ? {} : { question: flags.question };
      printCommitment(await opened.answer(id, { ...question, answer }), flags);
    }),
  );
}

const EPISODE_EXAMPLES = `
After as many episodes in a row as its stallLimit that neither advanced nor learned, it is held as stalled.

Examples:
  haft commitments episode 3f2a9c1e --start
  haft commitments episode 3f2a9c1e --end advanced --summary 'the parser is done' --usd 0.40`;

interface EpisodeFlags extends CommitmentFlags {
  readonly start?: boolean;
  readonly end?: string;
  readonly summary?: string;
  readonly usd?: string;
}

export function addCommitmentsEpisode(commitments: Command): void {
  const command = commitments
    .command("episode")
    .description("begin or end a stretch of work on it")
    .argument("<id>", "its id, or the beginning of it")
    .option("--start", "begin one")
    .option("--end <outcome>", `end the one that is running: ${EPISODE_OUTCOMES.join(", ")}`)
    .option("--summary <text>", "what came of it")
    .option("--usd <amount>", "what it cost")
    .addHelpText("after", EPISODE_EXAMPLES);
  addCommitmentFlags(command).action((id: string, flags: EpisodeFlags) => {
    const { start, end, summary, usd } = flags;
    if ((start === true) === (end !== undefined))
      return command.error("error: name one of --start and --end");
    return withCommitments(flags, async (opened) => {
      const view =
        end === undefined
          ? await opened.startEpisode(id)
          : await opened.endEpisode(id, {
              // The library says which are known.
              outcome: end as EpisodeOutcome,
              ...(summary === undefined ? {} : { summary }),
              ...(usd === undefined ? {} : { usd: Number(usd) }),
            });
      printCommitment(view, flags);
    });
  });
}
