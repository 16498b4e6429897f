// Appends calls to a ledger. Arguments: the built haft, the ledger's file, a session's id and how many calls.
// Says "loaded" before it opens the ledger, "s 7" once call 7 is started and "e 7" once it has been answered.
import { writeSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { contentOf } from "./content-of.mjs";

const [, , dist, path, id, count] = process.argv;
const { openLedger } = await import(pathToFileURL(join(dist, "ledger", "ledger.js")).href);
// Straight into the pipe: what was said before a kill has been said.
const say = (line) => writeSync(1, `${line}\n`);

say("loaded");
const ledger = openLedger({ path });
const session = ledger.openSession({ id, agentId: "main", root: "/srv/tree", resume: true });
for (let n = 0; n < Number(count); n++) {
  const args = { path: `f${n}.txt`, content: "x".repeat((n * 977) % 6_000) };
  session.started({ callId: `c${n}`, name: "write", sent: JSON.stringify(args), args, atMs: n });
  say(`s ${n}`);
  const old = Buffer.from(`old ${n % 10}`);
  const oldBytes = [{ path: args.path, hash: session.keepBytes(old), bytes: old.length }];
  const output = { isError: false, content: contentOf(id, n), images: [], details: { n }, notes: [] };
  const sights = [{ file: `/srv/tree/${args.path}`, ranges: [], replace: true }];
  session.ended({ callId: `c${n}`, output, sights, oldBytes, atMs: n, durationMs: 0 });
  say(`e ${n}`);
}
ledger.close();
