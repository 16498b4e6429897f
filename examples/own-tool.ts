/**
 * A host opens a session with a tool of its own beside haft's, and makes the calls that a model would make: a good one
 * in a model's own spelling, one that the tool refuses, one that a rule denies. Prints what the model is told.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSession } from "haft";
import { bumpVersion } from "./bump-version.ts";

const root = await mkdtemp(join(tmpdir(), "own-tool-example-"));
try {
  await writeFile(join(root, "package.json"), '{ "name": "demo", "version": "1.2.3" }\n');
  await writeFile(join(root, "empty.json"), "{}\n");
  const session = await openSession({
    root,
    ledger: "memory",
    tools: ["read", "grep", "recall", bumpVersion],
    rules: { allow: ["writes(*.json)"], deny: ["writes(vendor/**)"] },
  });
  const results = await session.batch([
    { name: "bump_version", args: '{"file":"package.json","part":"minor"}' },
    { name: "bump_version", args: { path: "empty.json" } },
    { name: "bump_version", args: { path: "vendor/../vendor/package.json" } },
    { name: "read", args: { path: "package.json" } },
  ]);
  for (const { content } of results) console.log(content);
  await session.close();
} finally {
  await rm(root, { recursive: true });
}
