/**
 * Owns sessions with commitments, for tests.
 * Leaves roots and closing to the session's fixture. Rule: a session whose option is on has the verbs, or the test ends.
 */
import { expect } from "vitest";
import type { Commitments } from "../../src/commitment/commitments.ts";
import type { CommitmentInput } from "../../src/commitment/terms.ts";
import { RefusalError } from "../../src/contract/errors.ts";
import type { Refusal, RefusalCode, RefusalOf } from "../../src/contract/refusal.ts";
import type { SessionOptions } from "../../src/session/session-options.ts";
import { type LooseSession, open } from "../session/session-fixture.ts";

export interface Promising {
  readonly session: LooseSession;
  readonly commitments: Commitments;
  /** What the tool says. */
  readonly look: (args?: object) => Promise<string>;
}

export async function openPromising(root: string, options: Partial<SessionOptions> = {}): Promise<Promising> {
  const session = await open(root, { ...options, commitments: { enabled: true } });
  const { commitments } = session;
  if (commitments === undefined) return expect.fail("no commitments");
  return {
    session,
    commitments,
    async look(args = {}) {
      const name = session.name("commitments") ?? "commitments";
      return (await session.call(name, args)).content;
    },
  };
}

export const FILE = { statement: "The report is there", kind: "file-exists", path: "report.md" } as const;
export const SAID = { statement: "It was said", kind: "statement" } as const;

export function termsOf(of: Partial<CommitmentInput> = {}): CommitmentInput {
  return { objective: "Ship the report", criteria: [FILE], ...of };
}

/** The refusal with which something rejects. */
export async function refusalOf<C extends RefusalCode>(
  rejecting: Promise<unknown>,
  code: C,
): Promise<RefusalOf<C>> {
  const error = await rejecting.then(
    () => expect.fail("it was not refused"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof RefusalError)) throw error;
  const refusal: Refusal = error.refusal;
  expect(refusal.code, error.message).toBe(code);
  return refusal as RefusalOf<C>;
}
