/**
 * Owns what the protocol's own client can do with a call that runs: cancel it, hear how far it is, answer what it
 * asks. Leaves the wire's own corners to mcp-wire.test.ts and mcp-http.test.ts. Rule: both transports and both
 * revisions of the protocol, the same expectations for all.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Client, ClientOptions } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { rareSeconds, waitForLive, waitForNone } from "../support/live-processes.ts";
import { connectHttp, startHttp } from "./http-server.ts";
import { connect, makeFolder, textOf } from "./start-server.ts";

interface Wanted {
  readonly transport: "standard input and output" | "HTTP";
  readonly revision: "2025" | "2026";
  readonly flags?: readonly string[];
  /** Answers what is asked; absent for a client that cannot. */
  readonly answer?: (message: string) => object | Promise<object>;
}

async function open({ transport, revision, flags = [], answer }: Wanted) {
  const root = makeFolder();
  const args = ["--root", root, ...flags];
  const prepare = (client: Client): void => {
    if (answer !== undefined)
      client.setRequestHandler(
        "elicitation/create",
        async ({ params }) => (await answer(params.message)) as { action: "cancel" },
      );
  };
  const options: ClientOptions = {
    ...(answer === undefined ? {} : { capabilities: { elicitation: { form: {} } } }),
    ...(revision === "2026" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {}),
  };
  if (transport === "HTTP") {
    const { url } = await startHttp(args);
    const { client } = await connectHttp(url, { client: options, prepare });
    return { root, client };
  }
  const env = { XDG_CONFIG_HOME: makeFolder() };
  const { client } = await connect({ args, env, client: options, prepare });
  return { root, client };
}

const bash = (command: string) => ({ name: "bash", arguments: { command } });

const WAYS = (["standard input and output", "HTTP"] as const).flatMap((transport) =>
  (["2025", "2026"] as const).map((revision) => ({ transport, revision })),
);

describe.each(WAYS)("the protocol's own client of $revision over $transport", (way) => {
  it("cancels a call: the command ends with all that it started, and the server goes on", async () => {
    const { client } = await open({ ...way, flags: ["--allow", "bash"] });
    const [seconds, cancel] = [rareSeconds(), new AbortController()];
    const running = client
      .callTool(bash(`sleep ${seconds} & sleep ${seconds}`), { signal: cancel.signal })
      .catch(() => "cancelled");
    await waitForLive(seconds);
    cancel.abort();
    expect(await running).toBe("cancelled");
    expect(await waitForNone(seconds)).toEqual([]);
    expect(textOf(await client.callTool(bash("echo on")))).toContain("on");
  });

  it("hears how far a command is while it runs, each message later than the one before", async () => {
    const { client } = await open({ ...way, flags: ["--mode", "full-access"] });
    const heard: { readonly progress: number; readonly message?: string | undefined }[] = [];
    const result = await client.callTool(bash("for i in 1 2 3; do echo line $i; sleep 0.6; done"), {
      onprogress: (one) => void heard.push(one),
    });
    expect(textOf(result)).toContain("line 3");
    expect(heard.length).toBeGreaterThan(1);
    expect(heard[0]?.message).toContain("line 1");
    const steps = heard.map(({ progress }) => progress);
    expect(steps).toEqual([...steps].sort((one, other) => one - other));
    expect(new Set(steps).size).toBe(steps.length);
  });

  it("allows what it is asked for, and the command runs once", async () => {
    const asked: string[] = [];
    const { client, root } = await open({
      ...way,
      answer(message) {
        asked.push(message);
        return { action: "accept", content: { answer: "Allow once" } };
      },
    });
    const result = await client.callTool(bash("mkdir made"));
    expect(textOf(result)).toContain("exit code 0");
    expect(asked).toEqual([expect.stringContaining("mkdir made")]);
    expect(existsSync(join(root, "made"))).toBe(true);
  });

  it("declines, closes the question or denies in words, and nothing runs", async () => {
    const answers = [
      { action: "decline" },
      { action: "cancel" },
      { action: "accept", content: { answer: "Deny", words: "not on a Monday" } },
    ];
    const left = [...answers];
    const { client, root } = await open({ ...way, answer: () => left.shift() ?? {} });
    const texts: string[] = [];
    for (const _ of answers) {
      const result = await client.callTool(bash("mkdir made"));
      expect(result.isError).toBe(true);
      texts.push(textOf(result));
    }
    expect(left).toEqual([]);
    for (const text of texts) expect(text).toContain("is not permitted");
    expect(texts[2]).toContain("not on a Monday");
    expect(existsSync(join(root, "made"))).toBe(false);
  });

  // From 2026 on no call waits at the server: it is answered with the question, and made again with the answer.
  if (way.revision === "2026") return;
  it("cancels a call that waits for the person's answer, and nothing runs", async () => {
    const cancel = new AbortController();
    const { client, root } = await open({
      ...way,
      answer: () => {
        cancel.abort();
        return new Promise(() => {});
      },
    });
    const running = client.callTool(bash("mkdir made"), { signal: cancel.signal }).catch(() => "cancelled");
    expect(await running).toBe("cancelled");
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    expect(existsSync(join(root, "made"))).toBe(false);
  });
});
