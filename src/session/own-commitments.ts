/**
 * Owns the commitments of one session: whether it has them, and what they get of it once it is open.
 * Leaves what they do to commitment/. Rule: without the option there is neither the tool nor the verbs.
 */
import type { Commitments } from "../commitment/commitments.ts";
import type { CallOptions } from "../contract/call.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Permission } from "../permission/permission.ts";
import { openRoot } from "../root/open-root.ts";
import { CATALOG } from "../tools/catalog.ts";
import type { CatalogTool } from "../toolset/mount.ts";
import type { Mounted } from "../toolset/mounted.ts";
import { giveCommitments } from "./give-commitments.ts";
import { runCheck } from "./run-check.ts";
import type { Session } from "./session.ts";
import type { CheckedSession } from "./session-options.ts";

/** What a session has of the catalogue. */
export function listTools({ hasCommitments }: CheckedSession): readonly CatalogTool[] {
  return hasCommitments ? CATALOG : CATALOG.filter(({ name }) => name !== "commitments");
}

/** What the option says of the type of a session's `commitments`. */
export type CommitmentsOf<Options> = Options extends { readonly commitments: { readonly enabled: true } }
  ? Commitments
  : Options extends { readonly commitments: { readonly enabled: boolean } }
    ? Commitments | undefined
    : undefined;

/** What becomes known while a session is put together. */
export interface Held {
  mounted?: Mounted;
  permission?: Permission;
  session?: Session<CatalogTool>;
}

export function openOwn(of: {
  readonly checked: CheckedSession;
  readonly ledger: Ledger;
  readonly sessionId: string;
  readonly held: Held;
}): Commitments {
  const { checked, ledger, sessionId, held } = of;
  const { agentId, mount } = checked;
  return giveCommitments({
    ledger,
    root: openRoot({
      root: typeof mount.root === "string" ? mount.root : "",
      agentId,
      withholds: (file) => held.permission?.withholds(file),
    }),
    // A ledger that the host named may be one for several roots.
    isShared: checked.ledger !== undefined && checked.ledger !== "memory",
    agentId,
    actor: `session ${sessionId}`,
    sessionId,
    bare: (name) => held.session?.bare(name),
    async runCommand(check) {
      const { session } = held;
      if (session === undefined) throw new Error("the session is not open yet");
      const call = (name: string, args: unknown, options?: CallOptions) =>
        session.call(name, args as never, options);
      return runCheck({ sessionId, name: session.name, call }, check);
    },
  });
}
