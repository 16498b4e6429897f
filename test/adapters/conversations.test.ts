/**
 * Owns what a model is told through each adapter, and what becomes of its calls: whole conversations of each SDK with
 * a scripted provider over HTTP. Leaves approvals and deferring to the tests beside it.
 * Rule: one script for all; what differs is what a wire has no word for.
 */
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CallResult, mount, openSession } from "../../src/index.ts";
import { DRIVERS, type Driver } from "./support/drivers.ts";
import {
  openScriptedServer,
  type ScriptedCall,
  type ScriptedServer,
  type Told,
  type Turn,
} from "./support/scripted-server.ts";

/** One red pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";

let root = "";
const closing: (() => Promise<void>)[] = [];

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "haft-adapters-")));
  writeFileSync(join(root, "a.txt"), "alpha\n");
  writeFileSync(join(root, "keep.txt"), "keep\n");
  writeFileSync(join(root, "shot.png"), Buffer.from(PNG, "base64"));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  rmSync(root, { recursive: true, force: true });
});

type SessionOptions = Omit<Parameters<typeof openSession>[0], "root">;

async function open(options: SessionOptions = {}) {
  const session = await openSession({ root, ledger: "memory", ...options });
  closing.push(() => session.close());
  return session;
}

interface Run {
  readonly driver: Driver;
  readonly host: Parameters<Driver["run"]>[0]["host"];
  readonly script: readonly Turn[];
  readonly signal?: AbortSignal;
}

async function run({ driver, host, script, signal }: Run): Promise<{ text: string; server: ScriptedServer }> {
  const server = await openScriptedServer(driver.wire, script);
  closing.push(() => server.close());
  return { text: await driver.run({ host, url: server.url, ...(signal && { signal }) }), server };
}

const call = (id: string, name: string, args: object | string): ScriptedCall => ({ id, name, args });
const makes =
  (...calls: ScriptedCall[]): Turn =>
  () => ({ calls });
const says =
  (text: string): Turn =>
  () => ({ text });
const textOf = (told: readonly Told[], id: string) => told.find((one) => one.id === id)?.text;

describe.each(DRIVERS)("through $name", (driver) => {
  it("the model is offered every tool of a session, and a conversation without calls just ends", async () => {
    const host = await open();
    const { text, server } = await run({ driver, host, script: [says("Nothing to do.")] });
    expect(text).toBe("Nothing to do.");
    const [request = {}] = server.requests;
    expect(driver.wire.toolNames(request)).toEqual(host.names());
    for (const { description } of host.definitions())
      expect(JSON.stringify(request.tools)).toContain(JSON.stringify(description));
  });

  it("parallel calls are one batch: each is answered under its own id, and what conflicts keeps its order", async () => {
    const { text } = await run({
      driver,
      host: await open(),
      script: [
        makes(
          call("c1", "write", { path: "b.txt", content: "beta\n" }),
          call("c2", "read", { path: "b.txt" }),
          call("c3", "read", { path: "a.txt" }),
        ),
        (told) => ({ text: told.map(({ id, text }) => `${id} ${text}`).join("\n") }),
      ],
    });
    expect(text).toBe(
      "c1 created b.txt: 1 line, 5 bytes\nc2 b.txt: 1 line\n1\tbeta\nc3 a.txt: 1 line\n1\talpha",
    );
  });

  it("a toolset serves as a session does, in the order of the calls where they change something", async () => {
    const tools = mount({ root });
    closing.push(() => tools.close());
    const { text } = await run({
      driver,
      host: tools,
      script: [
        makes(
          call("c1", "read", { path: "a.txt" }),
          call("c2", "edit", { path: "a.txt", edits: [{ old_text: "alpha", new_text: "omega" }] }),
          call("c3", "read", { path: "a.txt" }),
        ),
        (told) => ({ text: `${textOf(told, "c1")}\n${textOf(told, "c3")}` }),
      ],
    });
    expect(text).toBe("a.txt: 1 line\n1\talpha\na.txt: 1 line\n1\tomega");
  });

  it("an image arrives as an image, beside its one line of text", async () => {
    const seen: Told[] = [];
    await run({
      driver,
      host: await open(),
      script: [
        makes(call("c1", "read", { path: "a.txt" }), call("c2", "read", { path: "shot.png" })),
        (told) => {
          seen.push(...told);
          return { text: "A pixel." };
        },
      ],
    });
    expect(seen.map(({ images }) => images)).toEqual([[], [PNG]]);
    expect(seen[1]?.text).toMatch(/^shot\.png: PNG/);
  });

  it("a refusal and a denial are told as they are, and the conversation goes on", async () => {
    const asked: string[] = [];
    const host = await open({
      approve: async (ask) => {
        asked.push(ask.call.name);
        return { deny: "not this file" };
      },
    });
    const seen: Told[] = [];
    const { text } = await run({
      driver,
      host,
      script: [
        makes(
          call("c1", "bash", { command: "rm keep.txt" }),
          call("c2", "read", { path: "missing.txt" }),
          call("c3", "read", { path: "keep.txt" }),
        ),
        (told) => {
          seen.push(...told);
          return { text: "It stays." };
        },
      ],
    });
    expect(text).toBe("It stays.");
    expect(asked).toEqual(["bash"]);
    expect(readFileSync(join(root, "keep.txt"), "utf8")).toBe("keep\n");
    expect(seen[0]?.text).toContain("not this file");
    expect(seen[1]?.text).toContain("missing.txt does not exist");
    expect(seen[2]?.text).toBe("keep.txt: 1 line\n1\tkeep");
    if (seen[0]?.isError !== undefined)
      expect(seen.map(({ isError }) => isError)).toEqual([true, true, false]);
  });

  it("cancelling ends what a call has started, and every call has its answer", async () => {
    const ended: CallResult[] = [];
    const host = await open({
      mode: "full-access",
      onEvent: (event) => void (event.type === "call-ended" && ended.push(event.result)),
    });
    const cancel = new AbortController();
    const script = [
      makes(
        call("c1", "bash", { command: "echo $$ > pid && touch started && exec sleep 300" }),
        call("c2", "bash", { command: "sleep 300" }),
      ),
    ];
    const running = run({ driver, host, script, signal: cancel.signal }).catch((error: unknown) => error);
    while (!existsSync(join(root, "started"))) await sleep(20);
    cancel.abort();
    expect(await running).toBeInstanceOf(Error);
    // The SDK may let go before the calls have ended; the session does not.
    while (ended.length < 2) await sleep(20);
    const codes = ended.map((result) => (result.isError ? result.refusal.code : "done"));
    expect(codes).toEqual(["call-cancelled", "call-cancelled"]);
    const pid = Number(readFileSync(join(root, "pid"), "utf8"));
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });

  it("arguments reach the session as they were written: repaired, or refused in its own words", async () => {
    const host = await open();
    const sent = [
      call("c1", "read", { file_path: "a.txt", limit: "1" }),
      call("c2", "read", { path: 7 }),
      ...(driver.carriesText
        ? [
            call("c3", "read", "{'path': 'a.txt',}"),
            call("c4", "write", '{"path":"half.txt","content":"the first ha'),
          ]
        : []),
    ];
    const expected = await sayDirectly(sent);
    const { text } = await run({ driver, host, script: [makes(...sent), (told) => ({ text: show(told) })] });
    expect(text).toBe(expected);
    expect(text).toContain("c1 a.txt: 1 line\n1\talpha");
    expect(existsSync(join(root, "half.txt"))).toBe(false);
    if (driver.carriesText) expect(text).toContain("c3 a.txt: 1 line\n1\talpha");
  });

  it("the text is the session's own, byte for byte, whatever the call", async () => {
    const sent = [
      call("c1", "read", { path: "a.txt" }),
      call("c2", "list", {}),
      call("c3", "grep", { pattern: "(?=x)" }),
      call("c4", "edit", { path: "a.txt", edits: [{ old_text: "alpha", new_text: 'ä"\\\u2028\t🎈' }] }),
      call("c5", "read", { path: "a.txt" }),
      call("c6", "edit", { path: "keep.txt", edits: [{ old_text: "none", new_text: "x" }] }),
      call("c7", "bash", { command: "seq 1 9000; exit 3" }),
      call("c8", "read", { path: "shot.png" }),
      call("c9", "recall", { id: "c7", grep: "^4321$" }),
      call("c10", "write", { path: ".git/config", content: "" }),
    ];
    const expected = await sayDirectly(sent);
    writeFileSync(join(root, "a.txt"), "alpha\n");
    const host = await open({ mode: "full-access" });
    const { text } = await run({ driver, host, script: [makes(...sent), (told) => ({ text: show(told) })] });
    expect(text).toBe(expected);
  });
});

const show = (told: readonly { readonly id: string; readonly text: string }[]) =>
  told.map(({ id, text }) => `${id} ${text}`).join("\n");

/** What a session of its own says to the same calls, past every adapter. */
async function sayDirectly(calls: readonly ScriptedCall[]): Promise<string> {
  const session = await open({ mode: "full-access" });
  const results = await session.batch(calls);
  return show(calls.map(({ id }, index) => ({ id, text: results[index]?.content ?? "" })));
}
