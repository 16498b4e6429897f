/**
 * Owns one small call of every tool that needs no network, in a session with its ledger on disk.
 * Run: node call-all.mjs ROOT
 */
import { openSession } from "haft";

const session = await openSession({
  root: process.argv[2],
  mode: "full-access",
  commitments: { enabled: true },
  isolation: process.argv[3] ?? "none",
});
const calls = [
  ["write", { path: "a.txt", content: "one\ntwo\n" }],
  ["read", { path: "a.txt" }],
  ["read", { path: "a.png" }],
  ["list", {}],
  ["glob", { pattern: "*.txt" }],
  ["grep", { pattern: "two" }],
  ["edit", { path: "a.txt", edits: [{ old_text: "two", new_text: "three" }] }],
  ["move", { from: "a.txt", to: "b.txt" }],
  ["delete", { path: "b.txt" }],
  ["bash", { command: "echo from $((40 + 2))" }],
  ["jobs", {}],
  ["recall", {}],
  ["commitments", {}],
];
const told = {};
for (const [name, args] of calls) {
  const output = await session.call(name, args);
  const shown = output.isError ? output.content : "ok";
  told[name] = told[name] === undefined || told[name] === "ok" ? shown : told[name];
}
const kept = session.ledger.calls(session.id)?.length;
await session.close();
console.log(JSON.stringify({ told, kept, calls: calls.length }));
