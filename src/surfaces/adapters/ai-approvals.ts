/**
 * Owns letting the AI SDK ask for a session: what it has been told to ask about, and what it then runs.
 * Leaves asking to the SDK and its host, deciding to the session's permission.
 * Rule: an answer holds for the very call that was asked about, once. Whatever cannot be matched is denied.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Call } from "../../contract/call.ts";
import type { Approve } from "../../contract/decision.ts";
import type { Explanation } from "../../session/explain-call.ts";

/** What of a session is needed to know whether it would ask. */
export interface Explaining {
  /** As of a session. */
  explain(call: Call): Promise<Explanation>;
}

/** The SDK's approvals on one side, the session's asks on the other. */
export interface Approvals {
  /** The session's option `approve`. */
  readonly approve: Approve;
  /** Whether the session would ask about a call; remembers what it would ask. The SDK calls it, and again before it runs an approved call. */
  needsApproval(session: Explaining, call: Call & { readonly id: string }): Promise<boolean>;
  /** Runs a call that the SDK has let through: approved, or never asked about. */
  run<T>(id: string, act: () => Promise<T>): Promise<T>;
}

/** What was asked: the call as it was understood. The rule is the narrowest one, so it names what the call really touches. */
interface Asked {
  readonly name: string;
  readonly args: string;
  readonly suggestedRule: string | undefined;
}

/** Calls that a person has not answered stay remembered, up to this many: more than an answer of a model ever makes. */
const MAX_OPEN = 1_000;

/** Lets the SDK ask a person for a session: open the session with its `approve`, and hand it to `toAiTools`. */
export function openApprovals(): Approvals {
  const open = new Map<string, Asked>();
  // Two calls may run at once, so who is running is told by where the call came from.
  const running = new AsyncLocalStorage<Asked | undefined>();
  return Object.freeze({
    async approve({ call, suggestedRule }) {
      const asked = running.getStore();
      if (asked === undefined) return { deny: "nobody was asked before it ran" };
      const now: Asked = { name: call.name, args: JSON.stringify(call.args), suggestedRule };
      const isSame =
        asked.name === now.name && asked.args === now.args && asked.suggestedRule === suggestedRule;
      return isSame ? { allow: "once" } : { deny: "it is not the call that was approved" };
    },
    async needsApproval(session, call) {
      open.delete(call.id);
      const explained = await session.explain(call);
      if (explained.outcome !== "ask") return false;
      const { args, suggestedRule } = explained;
      open.set(call.id, { name: call.name, args: JSON.stringify(args), suggestedRule });
      for (const [oldest] of open) {
        if (open.size <= MAX_OPEN) break;
        open.delete(oldest);
      }
      return true;
    },
    run(id, act) {
      const asked = open.get(id);
      open.delete(id);
      return running.run(asked, act);
    },
  } satisfies Approvals);
}
