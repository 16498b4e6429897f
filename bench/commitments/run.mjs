/**
 * Owns what listing commitments costs: 1,000 of them with 20,000 events, against reading their rows from the database.
 * Rule: ours begins with nothing in memory each time, and ends with the text that a model reads; theirs is one query
 * for the same rows, through the same driver.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { measureRatio, report } from "../measure.mjs";
import { fillLog } from "./fill.mjs";

const dist = join(import.meta.dirname, "..", "..", "dist");
const built = (path) => import(pathToFileURL(join(dist, path)).href);
const { openLedger } = await built("ledger/ledger.js");
const { findDriver } = await built("ledger/find-driver.js");
const { giveCommitments } = await built("session/give-commitments.js");
const { openRoot } = await built("root/open-root.js");
const { renderList } = await built("tools/commitments/render-list.js");

const folder = mkdtempSync(join(tmpdir(), "haft-commitments-"));
try {
  writeFileSync(join(folder, "report.md"), "test");
  const path = join(folder, "ledger.db");
  const ledger = openLedger({ path });
  const events = fillLog(ledger.commitments, { count: 1_000, root: folder });
  const database = findDriver()(path, { readOnly: true });
  const query = database.prepare(
    "SELECT seq, commitment, kind, at_ms, body FROM commitment_events WHERE seq > ? ORDER BY seq",
  );
  const root = openRoot({ root: folder });
  let shown = "";
  let rows = 0;
  const measured = await measureRatio({
    rounds: 15,
    async ours() {
      const commitments = giveCommitments({ ledger, root, isShared: false, agentId: "main", actor: "bench" });
      shown = renderList(await commitments.list({ withClosed: true }));
    },
    async theirs() {
      rows = query.all(0).length;
    },
  });
  console.log(`${events} events, ${rows} rows; ${shown.split("\n", 1)[0]}; ${shown.length} characters`);
  report({ name: "list 1,000 commitments", bound: 3, ...measured });
  database.close();
  ledger.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
