import { expect, it, vi } from "vitest";
import type { SessionEvent, Wrapper } from "../../src/index.ts";
import { callOf, expectCode, expectDone, makeRoot, open, textOf } from "./session-fixture.ts";

const files = { "a.txt": "one\n", "secret/b.txt": "two\n" };

it("stand in their order between arguments and permission", async () => {
  const seen: string[] = [];
  const spy =
    (label: string): Wrapper =>
    (next) =>
    async (call, options) => {
      seen.push(`${label} ${JSON.stringify(call.args)}`);
      const output = await next(call, options);
      seen.push(`${label} ${output.isError}`);
      return output;
    };
  const session = await open(makeRoot(files), { use: [spy("outer"), spy("inner")], mode: "read-only" });
  expectCode(await session.call("write", { filePath: "x", content: "x" }), "permission-denied");
  const args = '{"content":"x","path":"x"}';
  expect(seen.map((one) => one.replace('{"path":"x","content":"x"}', args))).toEqual([
    `outer ${args}`,
    `inner ${args}`,
    "inner true",
    "outer true",
  ]);
});

it("that change arguments are normalised, guarded and judged again", async () => {
  const aim =
    (args: unknown): Wrapper =>
    (next) =>
    (call, options) =>
      next({ name: call.name, args }, options);
  const root = makeRoot(files);
  const rules = { deny: ["reads(secret/**)"] };
  const through = async (args: unknown, name = "read") => {
    const session = await open(root, { use: [aim(args)], rules });
    return session.call(name, name === "read" ? { path: "a.txt" } : { path: "a.txt", content: "" });
  };
  expect(expectDone(await through('{"file_path":"a.txt","offset":"1"}')).content).toContain("1\tone");
  expectCode(await through({ path: "secret/b.txt" }), "permission-denied");
  expectCode(await through({ path: "../x" }), "path-outside-root");
  expectCode(await through({ path: ".git/config", content: "" }, "write"), "path-protected");
  expectCode(await through({ nothing: 1 }), "input-invalid");
});

it("that change arguments to what another call holds wait for that call", async () => {
  const root = makeRoot(files);
  const redirect: Wrapper = (next) => (call, options) =>
    call.id === "b" ? next({ ...call, args: { path: "x.txt" } }, options) : next(call, options);
  const session = await open(root, { use: [redirect] });
  const [wrote, read] = await session.batch([
    callOf("write", { path: "x.txt", content: "first\n" }, "a"),
    callOf("read", { path: "a.txt" }, "b"),
  ]);
  expectDone(wrote ?? expect.fail());
  expect(read?.content).toContain("1\tfirst");
});

it("that throw, reject or give nothing make a fault of that call alone", async () => {
  const odd: Wrapper = (next) => (call, options) => {
    if (call.id === "throws") throw new Error("thrown");
    if (call.id === "rejects") return Promise.reject(new Error("rejected"));
    if (call.id === "nothing") return Promise.resolve(undefined as never);
    return next(call, options);
  };
  const session = await open(makeRoot(files), { use: [odd] });
  expect(expectCode(await session.call("read", { path: "a.txt" }, { id: "throws" }), "fault")).toContain(
    "thrown",
  );
  expect(expectCode(await session.call("read", { path: "a.txt" }, { id: "rejects" }), "fault")).toContain(
    "rejected",
  );
  expectCode(await session.call("read", { path: "a.txt" }, { id: "nothing" }), "fault");
  expectDone(await session.call("read", { path: "a.txt" }));
  expect(session.ledger.calls(session.id)).toHaveLength(4);
});

it("that never pass a call on answer it, and it is in the ledger", async () => {
  const stub: Wrapper = () => async () => ({
    isError: false,
    content: "stubbed \ud800",
    images: [],
    details: {},
    notes: [],
  });
  const session = await open(makeRoot(files), { use: [stub] });
  const result = expectDone(await session.call("read", { path: "a.txt" }, { id: "s" }));
  expect(result.content).toBe("stubbed \ufffd");
  expect(result.decision).toEqual({ outcome: "none", mode: "full-access" });
  expect(session.ledger.find(`${session.id}/s`)?.ended?.output.content).toBe("stubbed \ufffd");
});

it("that pass a call on twice make two calls, each in the ledger", async () => {
  const root = makeRoot(files);
  const twice: Wrapper = (next) => async (call, options) => {
    await next(call, options);
    return next({ ...call, args: { path: "z.txt", content: "second\n" } }, options);
  };
  const session = await open(root, { use: [twice] });
  const result = expectDone(await session.call("write", { path: "y.txt", content: "first\n" }, { id: "w" }));
  expect(result.id).toBe("w");
  expect([textOf(root, "y.txt"), textOf(root, "z.txt")]).toEqual(["first\n", "second\n"]);
  const calls = session.ledger.calls(session.id) ?? [];
  expect(calls.map(({ callId, state }) => [callId, state])).toEqual([
    ["w", "done"],
    ["call_1", "done"],
  ]);
  expectDone(
    await session.call("write", { path: "y.txt", content: "known, though the first pass wrote it\n" }),
  );
});

it("that make a call of the session inside of a call do not wait for themselves", async () => {
  const root = makeRoot(files);
  const inner: string[] = [];
  const session = await open(root, {
    afterWrite: async () => {
      if (inner.length > 0) return;
      inner.push("");
      inner.push((await session.call("read", { path: "new.txt" })).content);
    },
  });
  const written = session.call("write", { path: "new.txt", content: "text\n" });
  const queued = session.call("edit", { path: "new.txt", edits: [{ old_text: "text", new_text: "more" }] });
  expectDone(await written);
  expectDone(await queued);
  expect(inner[1]).toContain("1\ttext");
});

it("whose output was changed leave what was shown unknown", async () => {
  const shorten: Wrapper = (next) => async (call, options) => {
    const output = await next(call, options);
    return call.name === "read" ? { ...output, content: "shortened by the host" } : output;
  };
  const session = await open(makeRoot(files), { use: [shorten] });
  expect((await session.call("read", { path: "a.txt" })).content).toBe("shortened by the host");
  expectCode(await session.call("write", { path: "a.txt", content: "x" }), "file-unread");
});

it("a host is told of each call, and loses nothing but the event where it throws", async () => {
  const events: SessionEvent[] = [];
  const session = await open(makeRoot(files), {
    mode: "workspace-write",
    rules: { ask: ["writes(a.txt)"] },
    approve: async () => ({ deny: "not today" }),
    onEvent(event) {
      events.push(event);
      if (event.type === "call-asked") return Promise.reject(new Error("the host is broken"));
      throw new Error("the host is broken");
    },
  });
  expectDone(await session.call("read", { path: "a.txt" }, { id: "r" }));
  expectCode(await session.call("write", { path: "a.txt", content: "x" }, { id: "w" }), "permission-denied");
  expectCode(await session.call("nothing", {}, { id: "n" }), "tool-unknown");
  expect(events.map((event) => [event.type, "id" in event ? event.id : ""])).toEqual([
    ["call-started", "r"],
    ["call-ended", "r"],
    ["call-started", "w"],
    ["call-asked", "w"],
    ["call-ended", "w"],
    ["call-started", "n"],
    ["call-ended", "n"],
  ]);
  expect(events[3]).toMatchObject({ name: "write", effects: ["writes(a.txt)"] });
  expect(events[4]).toMatchObject({
    result: { isError: true, decision: { by: "approver", why: "not today" } },
  });
});

it("progress reaches the caller and the host", async () => {
  const told: string[] = [];
  const progress = vi.fn();
  const speak: Wrapper = (next) => (call, options) => {
    options?.onProgress?.("half way");
    return next(call, options);
  };
  const session = await open(makeRoot(files), {
    use: [speak],
    onEvent: (event) => {
      if (event.type === "call-progress") told.push(`${event.id} ${event.text}`);
    },
  });
  await session.call("read", { path: "a.txt" }, { id: "r", onProgress: progress });
  expect(told).toEqual(["r half way"]);
  expect(progress).toHaveBeenCalledWith("half way");
});
