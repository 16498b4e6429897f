/** The list of results of a resumed session: what it was doing when its process ended is in it. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { openLedger } from "../../src/ledger/ledger.ts";
import { expectCode, expectDone, makeRoot, open } from "./session-fixture.ts";

it("names the calls that were interrupted, in their place, and says that they have no result", async () => {
  const root = makeRoot({ "a.txt": "one\n" });
  const path = join(root, "..", "ledger.db");
  const first = await open(root, { ledger: path, sessionId: "mine" });
  await first.call("read", { path: "a.txt" }, { id: "before" });
  await first.close();
  const killed = openLedger({ path });
  const entries = killed.openSession({ id: "mine", agentId: "main", root, resume: true });
  for (const callId of ["cut1", "cut2"])
    entries.started({ callId, name: "bash", sent: "{}", args: { command: "sleep 9" }, atMs: Date.now() });
  killed.close();
  const session = await open(root, { ledger: path, sessionId: "mine" });
  await session.call("read", { path: "a.txt" }, { id: "after" });
  const list = expectDone(await session.call("recall", {}));
  expect(list.content.split("\n")).toEqual([
    "2 results in this session, the latest first; 2 calls were interrupted and have none",
    "after (read): 2 lines, 19 characters: a.txt: 1 line",
    "cut2 (bash, interrupted): no result",
    "cut1 (bash, interrupted): no result",
    "before (read): 2 lines, 19 characters: a.txt: 1 line",
  ]);
  const missing = expectCode(await session.call("recall", { id: "cut1" }), "result-missing");
  expect(missing).toContain('The call "cut1" was interrupted and has no result: make it again');
  expect(missing).toMatch(/The latest are .*after, before/);
});
