/**
 * Owns what a host may say that a commitment waits for, and what is wrong with it.
 * Leaves whether it may wait for that to judge-event.ts. Rule: a question without an id gets the next number.
 */
import type { Wait } from "../contract/commitment.ts";
import type { WaitInput } from "./commitments.ts";
import type { CommitmentState } from "./project.ts";
import { refuseInput, requireText } from "./refuse-verb.ts";

export interface WaitReading {
  readonly readInstant: (given: string) => string | undefined;
  /** The whole id of the commitment whose id begins so. */
  readonly findId: (asked: string) => string;
}

/** What it waits for, once the state is known in which it begins to. */
export function readWait(
  on: WaitInput,
  { readInstant, findId }: WaitReading,
): (state: CommitmentState) => Wait {
  switch (on.kind) {
    case "question": {
      const text = requireText("on.text", on.text);
      const given = on.question === undefined ? undefined : readQuestionId(on.question);
      return (state) => ({ kind: "question", question: given ?? nextQuestionId(state), text });
    }
    case "schedule": {
      const until = readInstant(on.until);
      if (until === undefined)
        throw refuseInput("on.until", "must be a day or a time with its zone (2026-10-31T17:00:00Z)");
      return () => ({ kind: "schedule", until });
    }
    case "commitment": {
      const id = findId(on.id);
      return () => ({ kind: "commitment", id });
    }
    case "condition":
    case "operation": {
      const text = requireText("on.text", on.text);
      return () => ({ kind: on.kind, text });
    }
    default:
      throw refuseInput("on.kind", "must be question, schedule, condition, commitment or operation");
  }
}

function readQuestionId(given: unknown): string {
  if (typeof given === "string" && /^[A-Za-z0-9_-]{1,64}$/.test(given)) return given;
  throw refuseInput("on.question", "must be 1 to 64 letters, digits, _ and -");
}

function nextQuestionId({ questions }: CommitmentState): string {
  let number = questions.length + 1;
  while (questions.some(({ id }) => id === `q${number}`)) number += 1;
  return `q${number}`;
}
