/**
 * Makes calls in a session, four at a time, and says of each that it was answered, and whether with notes.
 * Run by shared-ledger.test.ts: node call-much.mjs <root> <ledger> <session> <count>
 */
import { openSession } from "../../../dist/index.js";

const [, , root, ledger, sessionId, count] = process.argv;
const session = await openSession({ root, ledger, sessionId, mode: "full-access" });
const answer = async (n) => {
  const call =
    n % 2 === 0
      ? { name: "read", args: { path: "a.txt" }, id: `c${n}` }
      : { name: "write", args: { path: `f${n % 7}.txt`, content: `${n}\n`, overwrite: true }, id: `c${n}` };
  const { id, isError, notes } = await session.call(call.name, call.args, { id: call.id });
  process.stdout.write(`${JSON.stringify({ id, isError, notes: notes.map(({ text }) => text) })}\n`);
};
let next = 0;
const work = async () => {
  while (next < Number(count)) await answer(next++);
};
await Promise.all([work(), work(), work(), work()]);
await session.close();
