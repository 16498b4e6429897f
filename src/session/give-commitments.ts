/**
 * Owns what commitments get of a session: its ledger's log, its root, its shell, its name.
 * Leaves what they do with it to commitment/. Rule: commitment/ and ledger/ do not know each other; a tool gets the two
 * verbs that look and no other, by type and as an object.
 */

import type { CommandCheck, CommandOutcome } from "../commitment/check-criterion.ts";
import type { Commitments } from "../commitment/commitments.ts";
import type { CitedCall } from "../commitment/hold-evidence.ts";
import { openCommitments } from "../commitment/open-commitments.ts";
import type { CommitmentReader } from "../contract/commitment-view.ts";
import type { Root } from "../contract/root.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { openGlances, takeFingerprint } from "../root/fingerprint.ts";

export interface CommitmentsGift {
  readonly ledger: Ledger;
  /** With what rules withhold. */
  readonly root: Root;
  readonly isShared: boolean;
  readonly agentId: string;
  readonly actor: string;
  readonly sessionId?: string;
  /** The bare name of a tool by the name under which it was called. */
  readonly bare?: (name: string) => string | undefined;
  readonly runCommand?: (check: CommandCheck) => Promise<CommandOutcome>;
}

export function giveCommitments(gift: CommitmentsGift): Commitments {
  const { ledger, root, isShared, agentId, actor, sessionId, runCommand } = gift;
  const look = (path: string) => takeFingerprint(root, path);
  return Object.freeze(
    openCommitments({
      log: ledger.commitments,
      root: root.path,
      isShared,
      agentId,
      actor,
      sessionId,
      ports: {
        look,
        read: (path, keep) => takeFingerprint(root, path, keep),
        findCall: (id) => findCall(gift, id),
        ...(runCommand === undefined ? {} : { runCommand }),
      },
      glance: openGlances(root),
    }),
  );
}

/** Told without reading what the call gave. */
function findCall({ ledger, bare }: CommitmentsGift, id: string): CitedCall | undefined {
  const result = ledger.result(id);
  if (result !== undefined)
    return { tool: bare?.(result.tool) ?? result.tool, state: result.isError ? "refused" : "done" };
  const started = ledger.find(id);
  return started === undefined
    ? undefined
    : { tool: bare?.(started.name) ?? started.name, state: started.state };
}

/** What the tool is given. */
export function readOnlyCommitments({ list, find }: Commitments): CommitmentReader {
  return Object.freeze({ list, find });
}
