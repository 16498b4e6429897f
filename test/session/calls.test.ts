import { expect, it } from "vitest";
import { callOf, expectCode, expectDone, makeRoot, open, textOf } from "./session-fixture.ts";

it("gives a call its result, its id and its decision", async () => {
  const root = makeRoot({ "a.txt": "one\ntwo\n" });
  const session = await open(root, { mode: "workspace-write" });
  const result = expectDone(await session.call("read", { path: "a.txt" }, { id: "toolu_1" }));
  expect(result.content).toBe("a.txt: 2 lines\n1\tone\n2\ttwo");
  expect(result.id).toBe("toolu_1");
  expect(result.decision).toMatchObject({ outcome: "allowed", by: "mode", mode: "workspace-write" });
  expect(result).not.toHaveProperty("window");
});

it("has the face of a toolset", async () => {
  const root = makeRoot({ "a.txt": "one\n" });
  const session = await open(root, { prefix: "my_" });
  expect(session.root).toBe(root);
  expect(session.name("read")).toBe("my_read");
  expect(session.bare("my_read")).toBe("read");
  expect(session.handles("read")).toBe(false);
  expect(session.definitions().map((one) => one.name)).toEqual(session.names());
  expect(await session.dispatch("my_read", { path: "a.txt" })).toBe("a.txt: 1 line\n1\tone");
  expect(await session.dispatch("my_read", {})).toMatch(/^ERROR: /);
  expect(await session.run("read", '{"path":"a.txt"}')).toBe("a.txt: 1 line\n1\tone");
  const wrapped = session.wrap(async (call) => `other ${call.name}`);
  expect(await wrapped({ name: "x", args: {} })).toBe("other x");
  expect(await wrapped({ name: "my_read", args: { path: "a.txt" } })).toBe("a.txt: 1 line\n1\tone");
});

it("keeps a provider's id while it is fresh, in batches too", async () => {
  const session = await open(makeRoot({ "a.txt": "one\n" }));
  const read = { path: "a.txt" };
  const results = await session.batch([
    callOf("read", read, "x"),
    callOf("read", read, "x"),
    callOf("read", read),
    callOf("read", read, "a/b"),
  ]);
  expect(results.map(({ id }) => id)).toEqual(["x", "call_1", "call_2", "call_3"]);
});

it("refuses calls after closing, which may be done twice", async () => {
  const session = await open(makeRoot({ "a.txt": "one\n" }));
  await Promise.all([session.close(), session.close()]);
  await session[Symbol.asyncDispose]();
  const late = await session.call("read", { path: "a.txt" }, { id: "late" });
  expectCode(late, "closed");
  expect(late).toMatchObject({ id: "late", decision: { outcome: "none" } });
});

it("closes with the host's signal", async () => {
  const host = new AbortController();
  const session = await open(makeRoot({ "a.txt": "one\n" }), { signal: host.signal });
  host.abort();
  expectCode(await session.call("read", { path: "a.txt" }), "closed");
});

it("lets a read see the write before it in one batch", async () => {
  const root = makeRoot();
  const session = await open(root);
  const [wrote, read, edited, last] = await session.batch([
    callOf("write", { path: "new/a.txt", content: "one\n" }),
    callOf("read", { path: "./new/../new/a.txt" }),
    callOf("edit", { path: `${root}/new/a.txt`, edits: [{ old_text: "one", new_text: "two" }] }),
    callOf("grep", { pattern: "two" }),
  ]);
  expect([wrote, read, edited, last].map((one) => one?.isError)).toEqual([false, false, false, false]);
  expect(read?.content).toContain("1\tone");
  expect(last?.content).toContain("1:two");
});

it("loses no update of parallel calls on one file, whatever its spelling", async () => {
  const root = makeRoot({ "a.txt": Array.from({ length: 40 }, (_, index) => `line ${index};\n`).join("") });
  const session = await open(root);
  const spellings = ["a.txt", "./a.txt", `${root}/a.txt`, "x/../a.txt"];
  const results = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      session.call("edit", {
        path: spellings[index % 4],
        edits: [{ old_text: `line ${index};`, new_text: `done ${index};` }],
      }),
    ),
  );
  expect(results.filter((one) => one.isError).map((one) => one.content)).toEqual([]);
  expect(textOf(root, "a.txt")).toBe(Array.from({ length: 40 }, (_, index) => `done ${index};\n`).join(""));
});
