/**
 * Makes calls of many kinds in one session, and says how much of the heap is in use after some and after more.
 * Run by growth.test.ts: node --expose-gc grow.mjs <root> <ledger> <first> <second>
 */
import { getEventListeners } from "node:events";
import { openSession } from "../../../dist/index.js";

const [, , root, ledger, first, second] = process.argv;
const { signal } = new AbortController();
const session = await openSession({
  root,
  ledger,
  mode: "full-access",
  limits: { readMax: 65_536, resultMax: 65_536 },
  rules: { deny: ["reads(secrets/**)"] },
  use: [(next) => (call, options) => next({ ...call }, options)],
  onEvent: () => {},
});
const KINDS = [
  (n) => ["read", { path: `f${n % 5}.txt` }],
  () => ["read", { path: "wide.txt", limit: 5 }],
  (n) => ["read", { path: `missing-${n}.txt` }],
  (n) => ["read", { path: `secrets/${n}` }],
  (n) => ["write", { path: "w.txt", content: `${n}\n`.repeat(500), overwrite: true }],
  (n) => ["recall", { id: `c${n - 4}`, range: { start: 1, end: 1 } }],
  (n) => [`no-such-tool-${n}`, {}],
  () => ["read", { path: "f0.txt", offset: "x" }],
];
const make = (n) => {
  const [name, args] = KINDS[n % KINDS.length](n);
  return session.call(name, args, { id: `c${n}`, signal, onProgress: () => {} });
};
const heap = () => {
  for (let n = 0; n < 5; n++) globalThis.gc();
  return process.memoryUsage().heapUsed;
};
let n = 0;
const callUntil = async (end) => {
  for (; n < end; n += 4) await Promise.all([make(n), make(n + 1), make(n + 2), make(n + 3)]);
  return heap();
};
const before = await callUntil(Number(first));
const after = await callUntil(Number(second));
const listeners = getEventListeners(signal, "abort").length;
process.stdout.write(JSON.stringify({ before, after, listeners }));
await session.close();
