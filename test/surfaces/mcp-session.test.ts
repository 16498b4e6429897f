/**
 * Owns what an MCP client meets of the session behind the tools: permission, asks, commands, progress, windows, the
 * ledger. Leaves the tools themselves to their own tests. Rule: a real client and the built server, in both
 * revisions of the protocol where they ask in different ways.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, it, vi } from "vitest";
import { connect, HAFT, makeFolder, openBare, startBare, textOf } from "./start-server.ts";

type Revision = "2025" | "2026";
type Reply = { readonly action: "accept" | "decline" | "cancel"; readonly content?: Record<string, string> };

interface Asking {
  readonly revision: Revision;
  readonly args?: readonly string[];
  readonly reply: (params: {
    readonly message: string;
    readonly choices: readonly string[];
  }) => Reply | Promise<Reply>;
}

/** A client whose person answers what is asked. The person's configuration lies in a folder of the test's. */
async function connectAsking({ revision, args = [], reply }: Asking) {
  const root = makeFolder();
  const configuration = makeFolder();
  const asked: string[] = [];
  const { client } = await connect({
    args: ["--root", root, ...args],
    env: { XDG_CONFIG_HOME: configuration },
    client: {
      capabilities: { elicitation: { form: {} } },
      ...(revision === "2026" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {}),
    },
    prepare(one: Client) {
      one.setRequestHandler("elicitation/create", async ({ params }) => {
        const { message, requestedSchema } = params as unknown as {
          message: string;
          requestedSchema: { properties: { answer: { enum: string[] } } };
        };
        asked.push(message);
        return reply({ message, choices: requestedSchema.properties.answer.enum });
      });
    },
  });
  const bash = (command: string, options = {}) =>
    client.callTool({ name: "bash", arguments: { command } }, options);
  return { client, root, configuration, asked, bash };
}

const pick =
  (wanted: RegExp) =>
  (of: { readonly choices: readonly string[] }): Reply => {
    const answer = of.choices.find((choice) => wanted.test(choice));
    return answer === undefined ? { action: "cancel" } : { action: "accept", content: { answer } };
  };

describe.each(["2025", "2026"] as const)("a client of %s that can ask its person", (revision) => {
  it("asks before a command runs, names the command, and runs it once where that is allowed", async () => {
    const { bash, asked } = await connectAsking({ revision, reply: pick(/once/) });
    expect(textOf(await bash("echo one"))).toBe("exit code 0\n[stdout]\none");
    expect(textOf(await bash("echo two"))).toContain("two");
    expect(asked).toHaveLength(2);
    expect(asked[0]).toContain("echo one");
  });

  it("keeps a rule for from now on in the person's configuration, never below the root", async () => {
    const { bash, asked, configuration, root } = await connectAsking({
      revision,
      reply: pick(/from now on/),
    });
    expect(textOf(await bash("echo one"))).toContain("one");
    expect(textOf(await bash("echo one"))).toContain("one");
    expect(asked).toHaveLength(1);
    const saved = JSON.parse(readFileSync(join(configuration, "haft", "config.json"), "utf8"));
    expect(saved.roots[root].rules.allow).toEqual(["runs(echo one)"]);
    expect(existsSync(join(root, "haft.config.json"))).toBe(false);
  });

  it.each([
    ["declines", { action: "decline" }],
    ["dismisses the question", { action: "cancel" }],
    ["denies in words", { action: "accept", content: { answer: "Deny", words: "not on a Monday" } }],
    [
      "gives an answer that was not offered",
      { action: "accept", content: { answer: "Allow from now on: bash" } },
    ],
  ] as const)("runs nothing where the person %s", async (_how, reply) => {
    const { bash, root } = await connectAsking({ revision, reply: () => reply as Reply });
    const result = await bash("touch made");
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/asked for and denied|nobody could answer/);
    if ("content" in reply && "words" in reply.content) expect(textOf(result)).toContain("not on a Monday");
    expect(existsSync(join(root, "made"))).toBe(false);
  });

  it("is not asked about what a rule forbids or the mode allows", async () => {
    const { bash, client, asked } = await connectAsking({
      revision,
      args: ["--deny", "runs(rm *)"],
      reply: pick(/once/),
    });
    expect(textOf(await bash("rm -rf x"))).toContain("deny runs(rm *)");
    expect(
      (await client.callTool({ name: "write", arguments: { path: "a", content: "b" } })).isError,
    ).not.toBe(true);
    expect(asked).toEqual([]);
  });
});

describe("a client that cannot ask its person", () => {
  it("reads in the description what flag a command needs, and in the denial the exact one", async () => {
    const { client } = await connect({ args: ["--root", makeFolder()] });
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === "bash")?.description).toContain("--allow bash");
    expect(tools.find(({ name }) => name === "edit")?.description).not.toContain("--allow");
    const denied = await client.callTool({ name: "bash", arguments: { command: "echo 'it''s'" } });
    expect(denied.isError).toBe(true);
    const flag = /--allow ('.*')/.exec(textOf(denied))?.[1] ?? "";
    expect(flag).not.toBe("");
    expect((denied._meta as Record<string, { code: string }>)["haft/refusal"]?.code).toBe(
      "permission-denied",
    );
  });

  it("can run what the very flag of a denial allows", async () => {
    const root = makeFolder();
    const first = await connect({ args: ["--root", root] });
    const call = { name: "bash", arguments: { command: "echo hi there" } };
    const rule = /--allow '(.*)'/.exec(textOf(await first.client.callTool(call)))?.[1] ?? "";
    const second = await connect({ args: ["--root", root, "--allow", rule] });
    expect(textOf(await second.client.callTool(call))).toBe("exit code 0\n[stdout]\nhi there");
    const { tools } = await second.client.listTools();
    expect(tools.find(({ name }) => name === "bash")?.description).toContain("Runs a bash command");
  });

  it("is told at the start which rule is none", () => {
    const server = startBare(["--root", makeFolder(), "--allow", "wirte"]);
    return server.ended().then((code) => {
      expect(code).toBe(2);
      expect(server.errors()).toContain("write");
      expect(server.errors()).not.toMatch(/^\s+at /m);
    });
  });
});

describe("commands over the wire", () => {
  it("C01 keep standard output for messages, whatever they print", async () => {
    const server = startBare(["--root", makeFolder(), "--mode", "full-access"]);
    await openBare(server);
    const command = "echo hi; echo err >&2; echo '{}' > /dev/stdout";
    server.send({ id: 1, method: "tools/call", params: { name: "bash", arguments: { command } } });
    expect(textOf((await server.answer(1)).result)).toBe("exit code 0\n[stdout]\nhi\n{}\n[stderr]\nerr");
    for (const line of server.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  });

  it("tell what they print while they run", async () => {
    const { client } = await connect({ args: ["--root", makeFolder(), "--mode", "full-access"] });
    const told: string[] = [];
    let answered = false;
    const running = client
      .callTool(
        { name: "bash", arguments: { command: "echo first; sleep 2; echo last" } },
        { onprogress: ({ message }) => void (answered || told.push(message ?? "")) },
      )
      .finally(() => {
        answered = true;
      });
    await vi.waitFor(() => expect(told.join("")).toContain("first"), 10_000);
    expect(textOf(await running)).toContain("last");
  });

  it("C02 end with everything that they started where the client cancels, and the server goes on", async () => {
    const root = makeFolder();
    writeFileSync(join(root, "a.txt"), "a\n");
    const server = startBare(["--root", root, "--mode", "full-access"]);
    await openBare(server);
    const command = "sleep 300 & echo $! > one; echo $$ > two; sleep 300";
    server.send({ id: 1, method: "tools/call", params: { name: "bash", arguments: { command } } });
    await vi.waitFor(() => expect(readFileSync(join(root, "two"), "utf8")).toMatch(/\d\n/), 10_000);
    server.send({ method: "notifications/cancelled", params: { requestId: 1 } });
    server.send({ id: 2, method: "tools/call", params: { name: "read", arguments: { path: "a.txt" } } });
    expect(textOf((await server.answer(2)).result)).toContain("1\ta");
    await vi.waitFor(
      () => expect([pidIn(root, "one"), pidIn(root, "two")].filter(isAlive)).toEqual([]),
      5_000,
    );
    for (const requestId of [1, 99, "nobody"])
      server.send({ method: "notifications/cancelled", params: { requestId } });
    server.send({ id: 3, method: "ping" });
    await server.answer(3);
    expect(server.lines.filter((line) => line.includes('"id":1'))).toEqual([]);
  });

  it.each(["the client closes its input", "the server is told to end"])(
    "C02 leave nothing where %s",
    async (how) => {
      const root = makeFolder();
      const server = startBare(["--root", root, "--mode", "full-access"]);
      await openBare(server);
      const command = "(setsid sleep 300 & echo $! > one); echo $$ > two; sleep 300";
      server.send({ id: 1, method: "tools/call", params: { name: "bash", arguments: { command } } });
      await vi.waitFor(() => expect(readFileSync(join(root, "two"), "utf8")).toMatch(/\d\n/), 10_000);
      if (how === "the client closes its input") server.child.stdin.end();
      else server.child.kill("SIGTERM");
      await server.ended();
      await vi.waitFor(
        () => expect([pidIn(root, "one"), pidIn(root, "two")].filter(isAlive)).toEqual([]),
        5_000,
      );
    },
  );

  it("leave nothing where the server is killed", async () => {
    const root = makeFolder();
    const server = startBare(["--root", root, "--mode", "full-access"]);
    await openBare(server);
    const command = "setsid sleep 300 & echo $! > one; echo $$ > two; sleep 300";
    server.send({ id: 1, method: "tools/call", params: { name: "bash", arguments: { command } } });
    await vi.waitFor(() => expect(readFileSync(join(root, "two"), "utf8")).toMatch(/\d\n/), 10_000);
    server.child.kill("SIGKILL");
    await server.ended();
    await vi.waitFor(
      () => expect([pidIn(root, "one"), pidIn(root, "two")].filter(isAlive)).toEqual([]),
      5_000,
    );
  });
});

describe("results over the wire", () => {
  it("are cut to a window whose line is the recall that returns the rest", async () => {
    const root = makeFolder();
    const { client } = await connect({ args: ["--root", root, "--mode", "full-access"] });
    const long = textOf(await client.callTool({ name: "bash", arguments: { command: "seq 1 20000" } }));
    expect(long.length).toBeLessThan(31_000);
    const [, args = ""] = /recall (\{.*?\}\}) returns them/.exec(long) ?? [];
    const rest = textOf(
      await client.callTool({ name: "recall", arguments: JSON.parse(args) as { id: string } }),
    );
    expect(rest).toMatch(/^call_1 \(bash\): lines /);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("recall");
  });

  it("are in the ledger, which haft ledger shows while the server runs", async () => {
    const root = makeFolder();
    const { client } = await connect({ args: ["--root", root] });
    await client.callTool({ name: "list", arguments: {} });
    await client.callTool({ name: "bash", arguments: { command: "true" } });
    const shown = spawnSync(process.execPath, [HAFT, "ledger", "show", "--root", root, "--json"], {
      encoding: "utf8",
    });
    expect(shown.stderr).toBe("");
    expect(shown.stdout).toContain("permission-denied");
    expect(existsSync(join(root, ".haft", "ledger.db"))).toBe(true);
  });
});

function pidIn(root: string, name: string): number {
  return Number(readFileSync(join(root, name), "utf8"));
}

/** A zombie is gone: it waits for whoever inherited it. */
function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
