import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AgentEnd, type Message, runAgent } from "../../examples/agent-loop.ts";
import { openSession } from "../../src/index.ts";
import {
  type ModelMessage,
  type ModelRequest,
  type ModelServer,
  openModelServer,
  type Turn,
} from "../support/model-server.ts";
import { findSuggestedCalls } from "../support/suggested-calls.ts";

let root = "";
const closing: (() => Promise<void>)[] = [];

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "haft-loop-")));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  rmSync(root, { recursive: true, force: true });
});

type SessionOptions = Omit<Parameters<typeof openSession>[0], "root">;

interface Run {
  readonly end: AgentEnd;
  readonly server: ModelServer;
}

async function run(
  script: readonly Turn[],
  options: SessionOptions = {},
  signal?: AbortSignal,
): Promise<Run> {
  const server = await openModelServer(script);
  closing.push(() => server.close());
  const session = await openSession({ root, ledger: "memory", ...options });
  closing.push(() => session.close());
  const model = createOpenAICompatible({ name: "scripted", baseURL: server.url }).chatModel("scripted-1");
  const messages: Message[] = [{ role: "user", content: [{ type: "text", text: "Do it." }] }];
  const end = await runAgent({ model, session, messages, ...(signal && { signal }) });
  return { end, server };
}

const call = (id: string, name: string, args: object | string) => ({ id, name, args });
const say =
  (text: string): Turn =>
  () => ({ text });
/** What a call gave, as the model was told. */
function resultOf(request: ModelRequest | undefined, id: string): string {
  const found = request?.messages.find((message: ModelMessage) => message.tool_call_id === id);
  return found?.content ?? expect.fail(`no result of ${id}`);
}

describe("the example of an agent's loop", () => {
  it("hands the model the session's tools, and ends when it makes no call", async () => {
    const { end, server } = await run([say("Nothing to do.")]);
    expect(end).toMatchObject({ reason: "answered", text: "Nothing to do." });
    const names = server.requests[0]?.tools.map((tool) => tool.function.name);
    expect(names).toEqual(expect.arrayContaining(["read", "grep", "edit", "bash", "recall"]));
  });

  it("makes parallel calls as one batch and gives each result under its own id, in order", async () => {
    writeFileSync(join(root, "a.txt"), "alpha\n");
    const { end, server } = await run([
      () => ({
        text: "Looking.",
        calls: [
          call("c1", "write", { path: "b.txt", content: "beta\n" }),
          call("c2", "read", { path: "b.txt" }),
          call("c3", "read", { path: "a.txt" }),
          call("c4", "read", { path: "missing.txt" }),
        ],
      }),
      (request) => ({ text: resultOf(request, "c2") }),
    ]);
    // The read after the write in one batch sees what was written.
    expect(end.text).toBe("b.txt: 1 line\n1\tbeta");
    const told = server.requests[1]?.messages.filter((message) => message.role === "tool");
    expect(told?.map((message) => message.tool_call_id)).toEqual(["c1", "c2", "c3", "c4"]);
    expect(resultOf(server.requests[1], "c3")).toBe("a.txt: 1 line\n1\talpha");
    expect(resultOf(server.requests[1], "c4")).toContain("missing.txt does not exist");
  });

  it("lets the session repair what the model wrote, and carries on a conversation that providers take", async () => {
    writeFileSync(join(root, "a.txt"), "alpha\n");
    const { end } = await run([
      () => ({ calls: [call("c1", "read", "{'file_path': 'a.txt',}")] }),
      (request) => ({ text: resultOf(request, "c1") }),
    ]);
    expect(end.text).toBe("a.txt: 1 line\n1\talpha");
  });

  it("tells the model of a denial, with what is allowed, and goes on", async () => {
    writeFileSync(join(root, "keep.txt"), "keep\n");
    const asked: string[] = [];
    const { end, server } = await run(
      [
        () => ({
          calls: [call("c1", "bash", { command: "rm keep.txt" }), call("c2", "read", { path: "keep.txt" })],
        }),
        (request) => ({ text: `It stays: ${resultOf(request, "c2")}` }),
      ],
      {
        approve: async ({ call: { name } }) => {
          asked.push(name);
          return { deny: "not this file" };
        },
      },
    );
    expect(asked).toEqual(["bash"]);
    const denial = resultOf(server.requests[1], "c1");
    expect(denial).toContain("not permitted");
    expect(denial).toContain("not this file");
    expect(end).toMatchObject({ reason: "answered", text: "It stays: keep.txt: 1 line\n1\tkeep" });
    expect(readFileSync(join(root, "keep.txt"), "utf8")).toBe("keep\n");
  });

  it("carries a long result as a window, and the model recalls what its gap leaves out", async () => {
    let windowed = "";
    const { end } = await run(
      [
        () => ({ calls: [call("c1", "bash", { command: "seq 1 9000" })] }),
        (request) => {
          windowed = resultOf(request, "c1");
          const [recall] = findSuggestedCalls(windowed, ["recall"]);
          return { calls: [call("c2", "recall", recall?.args ?? {})] };
        },
        (request) => ({ text: resultOf(request, "c2") }),
      ],
      { mode: "full-access" },
    );
    const [before, after] = windowed.split(/\[result lines .* returns them\]\n/);
    const recalled = end.text.slice(end.text.indexOf("\n") + 1);
    expect(end.text).toMatch(/^c1 \(bash\): lines \d+–\d+ of 900\d\n/);
    const numbers = Array.from({ length: 9_000 }, (_, index) => `${index + 1}\n`).join("");
    expect(`${before}${recalled}${after}\n`).toContain(numbers);
  });

  it("cancels running calls with everything they started, and leaves a conversation that can be carried on", async () => {
    const cancel = new AbortController();
    const started = join(root, "started");
    const running = run(
      [
        () => ({
          calls: [
            call("c1", "bash", { command: "echo $$ > pid && touch started && sleep 300" }),
            call("c2", "read", { path: "nothing.txt" }),
          ],
        }),
      ],
      { mode: "full-access" },
      cancel.signal,
    );
    let hasEnded = false;
    const end = () => {
      hasEnded = true;
    };
    running.then(end, end);
    while (!existsSync(started) && !hasEnded) await sleep(20);
    cancel.abort();
    const { end: ended, server } = await running;
    expect(ended.reason).toBe("cancelled");
    expect(server.requests).toHaveLength(1);
    const last = ended.messages.at(-1);
    expect(
      last?.role === "tool" && last.content.map((part) => part.type === "tool-result" && part.toolCallId),
    ).toEqual(["c1", "c2"]);
    const pid = Number(readFileSync(join(root, "pid"), "utf8"));
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });

  it("cancels while the model is thinking", async () => {
    const cancel = new AbortController();
    const { end } = await run(
      [
        () => {
          setTimeout(() => cancel.abort(), 20);
          return "silence";
        },
      ],
      {},
      cancel.signal,
    );
    expect(end).toMatchObject({ reason: "cancelled", text: "" });
    expect(end.messages).toHaveLength(1);
  });
});
