import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readTreeState } from "../support/tree-state.ts";
import { callOf, expectDone, makeRoot, open, textOf } from "./session-fixture.ts";

const files = { "a.txt": "one\ntwo\n", "src/b.txt": "three\n" };

it("gives the decision, the rule, the access and the diff of an edit, and changes nothing", async () => {
  const root = makeRoot(files);
  const session = await open(root, { mode: "workspace-write", rules: { ask: ["writes(a.txt)"] } });
  const before = readTreeState(root);
  const args = { path: "./src/../a.txt", edits: [{ old_text: "two", new_text: "2" }] };
  const told = await session.explain(callOf("edit", args));
  expect(told).toMatchObject({
    outcome: "ask",
    by: "rule",
    rule: "writes(a.txt)",
    effects: ["writes(a.txt)"],
    access: { paths: [{ effect: "writes", path: "a.txt" }], runs: [], connects: [] },
    diff: "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n",
  });
  expect(readTreeState(root)).toEqual(before);
  expect(session.ledger.calls(session.id)).toEqual([]);
});

it("gives the very diff that the call then makes", async () => {
  const session = await open(makeRoot(files));
  const call = callOf("edit", { path: "a.txt", edits: [{ old_text: "one\ntwo", new_text: "1\n2\n3" }] });
  const told = await session.explain(call);
  const done = expectDone(await session.call(call.name, call.args));
  expect("diff" in told ? told.diff : undefined).toBe((done.details as { patch: string }).patch);
});

it("gives the diff of a write, of a new file and of an old one, and why it would be refused", async () => {
  const root = makeRoot(files);
  const session = await open(root);
  expect(await session.explain(callOf("write", { path: "new/c.txt", content: "c\n" }))).toMatchObject({
    outcome: "allow",
    diff: "--- a/new/c.txt\n+++ b/new/c.txt\n@@ -0,0 +1 @@\n+c\n",
  });
  expect(await session.explain(callOf("write", { path: "a.txt", content: "one\n" }))).toMatchObject({
    outcome: "allow",
    refusal: { code: "file-unread" },
  });
  expect(
    await session.explain(callOf("write", { path: "a.txt", content: "one\n", overwrite: true })),
  ).toMatchObject({ diff: "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1 @@\n one\n-two\n" });
  expect(readdirSync(root)).toEqual(["a.txt", "src"]);
  expect(textOf(root, "a.txt")).toBe(files["a.txt"]);
});

it("tells what a delete takes away and what a move renames, and does neither", async () => {
  const root = makeRoot(files);
  const session = await open(root);
  expect(await session.explain(callOf("delete", { path: "a.txt" }))).toMatchObject({
    diff: "--- a/a.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n",
  });
  expect(await session.explain(callOf("delete", { path: "none.txt" }))).toMatchObject({
    refusal: { code: "path-missing" },
  });
  expect(await session.explain(callOf("move", { from: "a.txt", to: "src/c.txt" }))).toMatchObject({
    diff: "rename from a.txt\nrename to src/c.txt\n",
  });
  expect(readdirSync(root)).toEqual(["a.txt", "src"]);
});

it("shows no diff of what is denied, and says what the gate refuses", async () => {
  const root = makeRoot({ ...files, "secret.txt": "password\n" });
  const session = await open(root, { rules: { deny: ["writes(secret.txt)"] } });
  const denied = await session.explain(
    callOf("edit", { path: "secret.txt", edits: [{ old_text: "password", new_text: "x" }] }),
  );
  expect(denied).toMatchObject({ outcome: "deny", by: "rule" });
  expect(JSON.stringify(denied)).not.toContain("-password");
  expect(await session.explain(callOf("edit", { path: "a.txt" }))).toMatchObject({
    outcome: "refused",
    refusal: { code: "input-invalid" },
  });
  expect(await session.explain(callOf("nothing", {}))).toMatchObject({ refusal: { code: "tool-unknown" } });
});

it("runs no command", async () => {
  const root = makeRoot(files);
  const session = await open(root, { mode: "workspace-write" });
  const told = await session.explain(callOf("bash", { command: "touch made" }));
  expect(told).toMatchObject({
    outcome: "ask",
    effects: ["runs(touch made)"],
    access: { runs: ["touch made"] },
  });
  expect(readdirSync(root)).toEqual(["a.txt", "src"]);
});

it("the person who is asked sees the diff, as the calls before have left the file", async () => {
  const previews: (string | undefined)[] = [];
  const session = await open(makeRoot(files), {
    mode: "workspace-write",
    rules: { ask: ["writes(**)"] },
    approve: async (ask) => {
      previews.push(ask.preview);
      return { allow: "once" };
    },
  });
  const edit = (from: string, to: string) =>
    callOf("edit", { path: "a.txt", edits: [{ old_text: from, new_text: to }] });
  const results = await session.batch([edit("one", "1"), edit("1", "eins")]);
  for (const result of results) expectDone(result);
  expect(previews).toEqual([expect.stringContaining("-one\n+1\n"), expect.stringContaining("-1\n+eins\n")]);
});

it("a preview that is out of date when the person answers changes nothing of what is checked", async () => {
  const root = makeRoot(files);
  const session = await open(root, {
    mode: "workspace-write",
    rules: { ask: ["writes(**)"] },
    approve: async () => {
      writeFileSync(join(root, "a.txt"), "changed meanwhile\n");
      return { allow: "once" };
    },
  });
  const result = await session.call("edit", { path: "a.txt", edits: [{ old_text: "one", new_text: "1" }] });
  expect(result).toMatchObject({ isError: true, refusal: { code: "edit-no-match" } });
});
