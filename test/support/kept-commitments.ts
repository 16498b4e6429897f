/**
 * Owns some commitments in every state, over a root and a ledger in memory, at a fixed time.
 * Leaves what is said of them to the tests. Rule: the same each time, byte for byte; what the tool gets has no verb to
 * write with.
 */
import type { Commitments } from "../../src/commitment/commitments.ts";
import { openCommitments } from "../../src/commitment/open-commitments.ts";
import type { CommitmentReader } from "../../src/contract/commitment-view.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { takeFingerprint } from "../../src/root/fingerprint.ts";
import { openRoot } from "../../src/root/open-root.ts";

const NOW = Date.parse("2026-06-15T12:00:00Z");

/** Over a root that holds `hello.txt`. */
export function keepCommitments(root: string): CommitmentReader {
  const opened = openRoot({ root });
  const look = (path: string) => takeFingerprint(opened, path);
  const commitments = openCommitments({
    log: openLedger("memory").commitments,
    root: opened.path,
    isShared: false,
    agentId: "main",
    actor: "session s1",
    sessionId: "s1",
    ports: { look, read: (path, keep) => takeFingerprint(opened, path, keep), findCall: () => undefined },
    glance: look,
    now: () => NOW,
  });
  const made = makeSome(commitments);
  return {
    list: async (request) => made.then(() => commitments.list(request)),
    find: async (id) => made.then(() => commitments.find(id)),
  };
}

async function makeSome(commitments: Commitments): Promise<void> {
  const file = { statement: "The greeting is there", kind: "file-exists", path: "hello.txt" } as const;
  const said = { statement: "Somebody said so", kind: "statement" } as const;
  await commitments.open({ id: "aaaa000011", objective: "Greet the world", criteria: [file], pinned: true });
  await commitments.evaluate("aaaa000011");
  await commitments.open({
    id: "aaaa000022",
    objective: 'Grüße 契約 \u202e\nin zwei Zeilen {"id":"x"}',
    evidence: "attested",
    criteria: [said, { statement: "Ada agrees", kind: "attestation", by: "Ada" }],
    deadline: "2026-06-01",
    stakes: "critical",
    budget: { episodes: 2 },
  });
  await commitments.assert("aaaa000022", { criterion: "c1", words: "it is so" });
  await commitments.attest("aaaa000022", { criterion: "c2", by: "Ada", words: "not yet", holds: false });
  await commitments.open({ id: "bbbb0000", objective: "Ask first", criteria: [said] });
  await commitments.suspend("bbbb0000", { kind: "question", text: "Which region?" });
  await commitments.open({ id: "cccc0000", objective: "Stand still", criteria: [said] });
  await commitments.block("cccc0000", "no key");
  await commitments.open({ id: "dddd0000", objective: "Wait", criteria: [said] });
  await commitments.suspend("dddd0000", { kind: "commitment", id: "bbbb0000" });
  await commitments.propose({ id: "eeee0000", objective: "Perhaps", criteria: [said] });
  await commitments.open({ id: "ffff0000", objective: "Have done", evidence: "asserted", criteria: [said] });
  await commitments.assert("ffff0000", { criterion: "c1", words: "done" });
  await commitments.close("ffff0000", { verdict: "fulfilled", why: "it was said" });
}
