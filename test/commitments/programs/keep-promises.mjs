// Works on commitments of one ledger among several processes. Arguments: the built haft, the root, the ledger's file,
// this process's own name, how many rounds, and how many milliseconds its clock is wrong by.
// Says "loaded" before it opens the ledger, then "e 7" once its event 7 has been answered, "f 1" where it closed a
// shared commitment as fulfilled and "r code" where it was refused.
import { writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [, , dist, root, path, name, rounds, skewMs] = process.argv;
const built = (file) => import(pathToFileURL(join(dist, file)).href);
const { openLedger } = await built("ledger/ledger.js");
const { openRoot } = await built("root/open-root.js");
const { openCommitments } = await built("commitment/open-commitments.js");
const { takeFingerprint } = await built("root/fingerprint.js");
const say = (line) => writeSync(1, `${line}\n`);

say("loaded");
const ledger = openLedger({ path });
const opened = openRoot({ root });
const look = (file) => takeFingerprint(opened, file);
const commitments = openCommitments({
  log: ledger.commitments,
  root: opened.path,
  isShared: false,
  agentId: "main",
  actor: name,
  ports: { look, read: (file, keep) => takeFingerprint(opened, file, keep), findCall: () => undefined },
  glance: look,
  now: () => Date.now() + Number(skewMs),
});
const own = `own-${name}-00`;
const file = `${name}.txt`;
await commitments.open({
  id: own,
  objective: `What ${name} does`,
  criteria: [{ statement: "there", kind: "file-exists", path: file }],
});
for (let n = 0; n < Number(rounds); n++) {
  // Its own: each event in its order.
  await commitments.startEpisode(own);
  await commitments.endEpisode(own, { outcome: "advanced", summary: `${name} ${n}` });
  say(`e ${n}`);
  // What all share: everybody rewrites the file, checks it and tries to close on what it saw.
  const shared = `shared-${String(n).padStart(4, "0")}`;
  try {
    writeFileSync(join(root, `${shared}.txt`), `${name} ${n % 3}`);
    await commitments.evaluate(shared);
    await commitments.close(shared, { verdict: "fulfilled", why: name });
    say(`f ${n}`);
  } catch (error) {
    if (error.name !== "RefusalError") throw error;
    say(`r ${error.refusal.code}`);
  }
}
ledger.close();
