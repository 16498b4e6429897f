/** Owns what a connection does with one call: its signal, its progress, its output. The toolset is a stub. */
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { CallOptions } from "../../contract/call.ts";
import type { ToolOutput } from "../../contract/output.ts";
import { refuse } from "../../contract/refusal.ts";
import type { Session } from "../../session/session.ts";
import { createAsks } from "./asks.ts";
import { createConnection } from "./connection.ts";
import { createSettledQuestion } from "./root-question.ts";
import { createRootSwitch } from "./root-switch.ts";

type Answer = (args: unknown, options: CallOptions) => Promise<ToolOutput>;

const text = (content: string): ToolOutput => ({
  isError: false,
  content,
  images: [],
  details: {},
  notes: [],
});

/** A client whose every call is answered by `answer`. */
async function connectTo(answer: Answer) {
  const roots = createRootSwitch(
    async (root) =>
      ({
        root,
        call: (_name: string, args: unknown, options: CallOptions) => answer(args, options),
        close: async () => {},
      }) as unknown as Session,
  );
  await roots.take("/");
  const [calls, ends] = [vi.fn(), vi.fn()];
  const server = createConnection({
    version: "1",
    roots,
    question: createSettledQuestion(),
    asks: createAsks(),
    era: "legacy",
    asking: new Map(),
    definitions: [],
    onCallStart: calls,
    onCallEnd: ends,
  });
  const client = new Client({ name: "test", version: "1" });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
  onTestFinished(() => client.close());
  return { client, server, calls, ends };
}

describe("a connection", () => {
  it("gives the call the signal that the client's cancellation aborts", async () => {
    let aborted: unknown;
    const started = withResolvers();
    const ended = withResolvers();
    const { client, ends } = await connectTo(async (_args, { signal }) => {
      started.resolve(undefined);
      await new Promise((resolve) => signal?.addEventListener("abort", resolve, { once: true }));
      aborted = signal?.aborted;
      ended.resolve(undefined);
      return text("too late");
    });
    const abort = new AbortController();
    const pending = client.callTool({ name: "slow" }, { signal: abort.signal });
    pending.catch(() => {});
    await started.promise;
    abort.abort();
    await expect(pending).rejects.toThrow();
    await ended.promise;
    expect(aborted).toBe(true);
    await vi.waitFor(() => expect(ends).toHaveBeenCalledTimes(1));
  });

  it("aborts what runs when the client is gone", async () => {
    const started = withResolvers();
    const aborted = withResolvers();
    const { client } = await connectTo(async (_args, { signal }) => {
      signal?.addEventListener("abort", () => aborted.resolve(undefined), { once: true });
      started.resolve(undefined);
      await aborted.promise;
      return text("");
    });
    client.callTool({ name: "slow" }).catch(() => {});
    await started.promise;
    await client.close();
    await aborted.promise;
  });

  it("tells progress to a client that asked for it, and to no other", async () => {
    const { client } = await connectTo(async (_args, { onProgress }) => {
      onProgress?.("half");
      onProgress?.("whole");
      return text("done");
    });
    const heard: unknown[] = [];
    await client.callTool({ name: "any" }, { onprogress: (progress) => heard.push(progress) });
    await vi.waitFor(() =>
      expect(heard).toEqual([
        { progress: 1, message: "half" },
        { progress: 2, message: "whole" },
      ]),
    );
    await client.callTool({ name: "any" });
    expect(heard).toHaveLength(2);
  });

  it("gives no arguments as none", async () => {
    const { client } = await connectTo(async (args) => text(JSON.stringify(args)));
    expect((await client.callTool({ name: "any" })).content).toEqual([{ type: "text", text: "{}" }]);
  });

  it("keeps the cause of a fault to itself", async () => {
    const { client } = await connectTo(async () => ({
      isError: true,
      content: "any failed: disk on fire",
      images: [],
      refusal: refuse("fault", { tool: "any", message: "disk on fire", cause: new Error("secret place") }),
      notes: [],
    }));
    const result = await client.callTool({ name: "any" });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result)).not.toContain("secret place");
    expect(result._meta?.["haft/refusal"]).toEqual({
      code: "fault",
      facts: { tool: "any", message: "disk on fire" },
    });
  });
});

/** `Promise.withResolvers`, which Node 20 does not have. */
function withResolvers(): { promise: Promise<unknown>; resolve: (value: unknown) => void } {
  let resolve: (value: unknown) => void = () => {};
  const promise = new Promise<unknown>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
