import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ECHO_TOOLS } from "../../test/support/echo-tools.ts";
import { SHELL_LIMITS } from "../../test/support/shell-limits.ts";
import type { Call } from "../contract/call.ts";
import { DEFAULT_LIMITS } from "../contract/limits.ts";
import { openRoot } from "../root/open-root.ts";
import { composeDispatch, makeCall, type Wrapper } from "./dispatch.ts";
import type { Mounted } from "./mounted.ts";
import { nameTools } from "./names.ts";
import { openSeenStore } from "./seen-store.ts";

const directory = realpathSync(mkdtempSync(join(tmpdir(), "haft-dispatch-")));
afterAll(() => rmSync(directory, { recursive: true }));

const seen = openSeenStore();
const mounted: Mounted = {
  root: openRoot({ root: directory }),
  cwd: directory,
  limits: DEFAULT_LIMITS,
  options: { overwriteUnread: false, strictEdits: false, ripgrep: "auto", shell: SHELL_LIMITS },
  names: nameTools(
    "",
    ECHO_TOOLS.map((tool) => tool.name),
  ),
  tools: new Map(ECHO_TOOLS.map((tool) => [tool.name, tool])),
  catalog: ECHO_TOOLS,
  agentId: "main",
  sessionId: "",
  ports: { seen: seen.seen, withholds: () => undefined, keepOldBytes: () => {}, seenFiles: seen.files },
  seen,
};

function send(call: Call, ...between: Wrapper[]) {
  const closing = new AbortController().signal;
  return makeCall({
    mounted,
    dispatch: composeDispatch(mounted, () => ({ around: [], between })),
    call,
    options: undefined,
    closing,
  });
}

describe("the way of a call", () => {
  it("shows wrappers the normalised arguments", async () => {
    let got: unknown;
    const look: Wrapper = (next) => (call, options) => {
      got = call.args;
      return next(call, options);
    };
    const out = await send({ name: "read", args: '{"file_path":"a","offset":"2"}', id: "c1" }, look);
    expect(got).toEqual({ path: "a", offset: 2 });
    expect(out.content).toBe('{"path":"a","offset":2}');
  });

  it("sends what a wrapper changed through the gate again", async () => {
    const change =
      (args: unknown): Wrapper =>
      (next) =>
      (call, options) =>
        next({ ...call, args }, options);
    expect(
      (await send({ name: "read", args: { path: "a" } }, change({ filename: "b", offset: "3" }))).content,
    ).toBe('{"path":"b","offset":3}');
    const out = await send({ name: "read", args: { path: "a" } }, change({ offset: 3 }));
    expect(out.isError && out.refusal.code).toBe("input-invalid");
  });

  it("does not let a wrapper change arguments in place", async () => {
    const tamper: Wrapper = (next) => (call, options) => {
      (call.args as { edits: { old_text: string }[] }).edits[0] = { old_text: "other" };
      return next(call, options);
    };
    const out = await send({ name: "edit", args: { path: "a", old_text: "o", new_text: "n" } }, tamper);
    expect(out.isError && out.refusal.code).toBe("fault");
  });

  it("lets a wrapper send a call to another tool, checked as that tool's", async () => {
    const swap: Wrapper = (next) => (call, options) => next({ ...call, name: "write" }, options);
    const out = await send({ name: "read", args: { path: "a" } }, swap);
    expect(out.isError && out.content).toContain("write: content is required");
  });

  it("passes wrappers in the order of the list, and a wrapper may answer by itself", async () => {
    const order: string[] = [];
    const mark =
      (name: string): Wrapper =>
      (next) =>
      async (call, options) => {
        order.push(`${name} in`);
        const out = await next(call, options);
        order.push(`${name} out`);
        return out;
      };
    await send({ name: "read", args: { path: "a" } }, mark("first"), mark("second"));
    expect(order).toEqual(["first in", "second in", "second out", "first out"]);
    const answer: Wrapper = () => async () => ({
      isError: false,
      content: "mine",
      images: [],
      details: {},
      notes: [],
    });
    expect((await send({ name: "read", args: { path: "a" } }, answer)).content).toBe("mine");
  });

  it("turns a wrapper that throws into a fault", async () => {
    const broken: Wrapper = () => () => {
      throw new Error("wrapper broke");
    };
    const out = await send({ name: "write", args: { path: "a", content: "" } }, broken);
    expect(out.isError && out.refusal.code).toBe("fault");
    expect(out.content).toContain("wrapper broke");
  });
});
