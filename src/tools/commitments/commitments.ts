/**
 * Owns `commitments`: what the agent still owes, what it waits for, what each still needs, and how the closed ones
 * closed. Leaves deciding any of it to the runtime, behind a port that has no verb to write with.
 * Rule: it only looks. The first line has the counts; times stand as points in time, so that the same state gives the
 * same text.
 */
import { z } from "zod";
import type { CommitmentList, CommitmentView } from "../../contract/commitment-view.ts";
import type { ToolContext } from "../../contract/context.ts";
import type { ToolResult } from "../../contract/output.ts";
import { refuse } from "../../contract/refusal.ts";
import { NO_ACCESS, type Tool } from "../../contract/tool.ts";
import { renderCommitment } from "./render-commitment.ts";
import { renderList } from "./render-list.ts";

const input = z.object({
  id: z
    .string()
    .optional()
    .describe("The commitment to show whole: its id, or the beginning of it. Without it, all are listed."),
  include_closed: z
    .boolean()
    .optional()
    .describe("List closed ones too, and how each closed. Default false."),
});

export type CommitmentsDetails =
  | { readonly kind: "list"; readonly list: CommitmentList }
  | { readonly kind: "one"; readonly view: CommitmentView };

export const commitmentsTool: Tool<"commitments", typeof input, CommitmentsDetails> = {
  name: "commitments",
  annotations: {
    title: "Show commitments",
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  alwaysLoaded: true,
  input,
  describe: () =>
    "Shows what this agent has committed itself to, across sessions: what is open, in order of urgency and why; what is blocked or waits on a person; what evidence each still needs before it can close; and how closed ones closed. " +
    "It only shows. Whether a criterion is met is evaluated by the runtime, never stated here; commitments are opened, answered and closed by the host or a person.",
  access: () => NO_ACCESS,
  run: runCommitments,
};

async function runCommitments(
  { id, include_closed: withClosed = false }: z.output<typeof input>,
  { ports, names }: ToolContext,
): Promise<ToolResult<CommitmentsDetails>> {
  const { commitments } = ports;
  if (commitments === undefined)
    throw new Error("there are no commitments outside of a session that has them");
  if (id === undefined) {
    const list = await commitments.list({ withClosed });
    const more =
      withClosed || list.closedTotal === 0
        ? undefined
        : names.suggest("commitments", { include_closed: true });
    return { content: renderList(list, more), details: { kind: "list", list } };
  }
  const found = await commitments.find(id);
  if (found.kind === "unknown") return refuse("commitment-unknown", { id, nearest: found.nearest });
  if (found.kind === "ambiguous") return refuse("commitment-ambiguous", { id, candidates: found.candidates });
  return { content: renderCommitment(found.view), details: { kind: "one", view: found.view } };
}
