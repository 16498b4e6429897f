/**
 * Owns the tests of both ends of the channel together, without a process: calls, cancelling, large answers, greetings,
 * and workers that misbehave. Leaves real processes to test/faults/worker.test.ts.
 */
import { describe, expect, it, vi } from "vitest";
import { makeStreamPair } from "../../test/support/stream-pair.ts";
import { WorkerError } from "../contract/errors.ts";
import { openChannel } from "../worker/channel.ts";
import { type ConnectionRequest, openConnection, type WorkerDeath } from "../worker/connection.ts";
import { PROTOCOL } from "../worker/messages.ts";
import type { TaskAnswer } from "../worker/tasks.ts";
import { WORKER_BOUNDS, type WorkerBounds } from "../worker/worker-process.ts";
import { serve, type TaskContext, type TasksRequest } from "./serve.ts";

type Tasks = Record<string, (input: unknown, context: TaskContext) => Promise<TaskAnswer>>;

const never = () => new AbortController().signal;
const nothing = { value: null, parts: [] };

function makeEnds(bounds: Partial<WorkerBounds> = {}) {
  const [host, far] = makeStreamPair();
  let die = (_why: string) => {};
  const ended = new Promise<string>((resolve) => {
    die = resolve;
  });
  const kill = vi.fn(() => die("was ended by SIGKILL"));
  const cleanUp = vi.fn(async (_death: WorkerDeath) => {});
  const onJobEnded = vi.fn();
  const request: ConnectionRequest = {
    child: { channel: host, ended, kill, keep: vi.fn() },
    version: "1.0.0",
    marker: "m",
    firstJob: 3,
    bounds: { ...WORKER_BOUNDS, ...bounds },
    onJobEnded,
    cleanUp,
  };
  return { request, far, die, kill, cleanUp, onJobEnded };
}

async function open(tasks: Tasks, bounds: Partial<WorkerBounds> = {}) {
  const ends = makeEnds(bounds);
  const close = vi.fn(async () => {});
  const opened = vi.fn((_request: TasksRequest) => ({ tasks: new Map(Object.entries(tasks)), close }));
  const server = serve({ stream: ends.far, version: "1.0.0", openTasks: opened });
  void server.ended.then(() => ends.die("ended with status 0"));
  const connection = await openConnection(ends.request);
  const call = (task: string, input: unknown = null, signal = never()) =>
    connection.call({ task, input, signal });
  return { ...ends, close, opened, server, connection, call };
}

/** A worker that says what it is told to, and answers nothing. */
function talk(ends: ReturnType<typeof makeEnds>, ...messages: object[]) {
  const heard: unknown[] = [];
  const channel = openChannel(ends.far, { frame: ({ header }) => heard.push(header), end: () => {} });
  for (const message of messages) channel.send(message);
  return { channel, heard };
}

const HELLO = { kind: "hello", protocol: PROTOCOL, version: "1.0.0" };

describe("a worker and its host", () => {
  it("greet each other before anything else", async () => {
    const { opened } = await open({});
    await vi.waitFor(() => expect(opened).toHaveBeenCalledOnce());
    expect(opened.mock.calls[0]?.[0]).toMatchObject({ marker: "m", firstJob: 3 });
  });

  it("answer many calls at once, each with its own", async () => {
    const { call } = await open({
      echo: async (input) => {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
        return { value: input, parts: [Buffer.from(String(input)), Buffer.alloc(0)] };
      },
    });
    const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => call("echo", index)));
    expect(answers.map(({ value }) => value)).toEqual([...answers.keys()]);
    expect(answers.map(({ parts }) => parts.map(String))).toEqual(
      [...answers.keys()].map((index) => [String(index), ""]),
    );
  });

  it("hand large answers over in pieces, and others between them", async () => {
    const large = Buffer.alloc(20_000_000, "x");
    const order: string[] = [];
    const { call } = await open({
      large: async () => ({ value: null, parts: [Buffer.from("head"), large] }),
      small: async () => nothing,
    });
    const [answer] = await Promise.all([
      call("large").finally(() => order.push("large")),
      call("small").finally(() => order.push("small")),
    ]);
    expect(answer.parts.map((part) => part.length)).toEqual([4, large.length]);
    expect(Buffer.compare(answer.parts[1] ?? Buffer.alloc(0), large)).toBe(0);
    expect(order).toEqual(["small", "large"]);
  });

  it("pass progress on while a call runs", async () => {
    const { connection } = await open({
      work: async (_input, { onProgress }) => {
        onProgress("half");
        return nothing;
      },
    });
    const onProgress = vi.fn();
    await connection.call({ task: "work", input: null, signal: never(), onProgress });
    expect(onProgress.mock.calls).toEqual([["half"]]);
  });

  it("say what a task has thrown, and which task there is not", async () => {
    const { call } = await open({
      fail: async () => {
        throw new Error("no luck");
      },
    });
    await expect(call("fail")).rejects.toThrow("no luck");
    await expect(call("other")).rejects.toThrow('no task "other"');
    await expect(call("constructor")).rejects.toThrow("no task");
  });

  it("cancel one call and not the others", async () => {
    const { call } = await open({
      wait: (_input, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve({ value: "cancelled", parts: [] }));
        }),
      quick: async () => nothing,
    });
    const controller = new AbortController();
    const [one, other] = [call("wait", null, controller.signal), call("wait", null, AbortSignal.abort())];
    expect((await other).value).toBe("cancelled");
    controller.abort();
    expect((await one).value).toBe("cancelled");
    await call("quick");
  });

  it("end together, with everything that was started", async () => {
    const { connection, close, kill, cleanUp } = await open({});
    await Promise.all([connection.close(), connection.close()]);
    expect(close).toHaveBeenCalled();
    expect(kill).toHaveBeenCalledOnce();
    expect(cleanUp.mock.calls).toEqual([[{ why: expect.any(String), cleared: true }]]);
  });

  it("tell each other when the worker ends by itself: its calls are lost, not cancelled", async () => {
    const { call, server, connection, cleanUp } = await open({
      wait: (_input, { signal }) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve(nothing))),
    });
    const calling = call("wait");
    await new Promise((resolve) => setTimeout(resolve, 20));
    server.close();
    await expect(calling).rejects.toThrow(WorkerError);
    expect(connection.isGoing()).toBe(true);
    expect(cleanUp.mock.calls).toMatchObject([[{ cleared: true }]]);
  });

  it("let the worker end everything when the host is gone without a word", async () => {
    const { request, server, close } = await open({});
    request.child.channel.destroy();
    await server.ended;
    expect(close).toHaveBeenCalledOnce();
  });

  it("tell of jobs that ended", async () => {
    const { opened, onJobEnded } = await open({});
    await vi.waitFor(() => expect(opened).toHaveBeenCalledOnce());
    const job = {
      id: "job_3",
      command: "x",
      pids: [1],
      unreadBytes: 0,
      exit: { kind: "exited", code: 0 },
    } as const;
    opened.mock.calls[0]?.[0].onJobEnded(job);
    await vi.waitFor(() => expect(onJobEnded.mock.calls).toEqual([[job]]));
  });

  it("keep the host from ending only while something is waited for", async () => {
    const { request, call } = await open({ quick: async () => nothing });
    const keep = vi.mocked(request.child.keep);
    await call("quick");
    expect(keep.mock.calls.at(0)).toEqual([true]);
    expect(keep.mock.calls.at(-1)).toEqual([false]);
  });
});

describe("a worker that cannot be worked with", () => {
  it.each([
    [{ ...HELLO, protocol: 1 }, `speaks version 1 of its protocol, not ${PROTOCOL}`],
    [{ ...HELLO, version: "0.9.0" }, 'is of version "0.9.0" of the package, not 1.0.0'],
    [{ kind: "pong", beat: 1 }, "sent something that is not its protocol"],
    [{ kind: "hello" }, "sent something that is not its protocol"],
    [{ kind: "toString" }, "sent something that is not its protocol"],
  ])("for %j is refused with words, and ended", async (greeting, why) => {
    const ends = makeEnds();
    talk(ends, greeting);
    await expect(openConnection(ends.request)).rejects.toMatchObject({ name: "WorkerError", why });
    expect(ends.kill).toHaveBeenCalledOnce();
  });

  it("because it says nothing is not waited for", async () => {
    const ends = makeEnds({ startMs: 20 });
    await expect(openConnection(ends.request)).rejects.toThrow("did not start");
  });

  it("because it ends at once is told by how it ended", async () => {
    const ends = makeEnds({ answerMs: 20 });
    ends.die("ended with status 1");
    await expect(openConnection(ends.request)).rejects.toEqual(new WorkerError("ended with status 1"));
  });
});

describe("a worker that is lost", () => {
  const start = async (bounds: Partial<WorkerBounds> = {}) => {
    const ends = makeEnds(bounds);
    const worker = talk(ends, HELLO);
    const connection = await openConnection(ends.request);
    const call = (signal = never()) => connection.call({ task: "work", input: null, signal });
    return { ...ends, ...worker, connection, call };
  };

  it("ends all its calls, after what it had started was ended", async () => {
    const { call, die, far, cleanUp, connection } = await start();
    let cleaned = false;
    cleanUp.mockImplementation(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      cleaned = true;
    });
    const calls = [call(), call()].map((one) => one.catch((error) => [error.why, cleaned]));
    far.destroy();
    die("was ended by SIGKILL");
    expect(await Promise.all(calls)).toEqual([
      ["was ended by SIGKILL", true],
      ["was ended by SIGKILL", true],
    ]);
    await connection.gone;
  });

  it.each([
    ["words on the channel", Buffer.from("hello, I am no frame"), "sent something that is not its protocol"],
    ["half a message", Buffer.from([0, 0, 0, 9, 0, 0, 0, 0, 123]), "ended in the middle of a message"],
  ])("by %s is ended", async (_name, bytes, why) => {
    const { call, far, kill } = await start();
    const calling = call();
    far.write(bytes, () => far.end());
    await expect(calling).rejects.toMatchObject({ why });
    expect(kill).toHaveBeenCalledOnce();
  });

  it("by an answer that is not as long as it says is ended", async () => {
    const { call, channel } = await start();
    const calling = call();
    channel.send({ kind: "result", id: 1, value: null, parts: [5] });
    await expect(calling).rejects.toMatchObject({ why: "sent something that is not its protocol" });
  });

  it("while it hangs is noticed by a cancelled call", async () => {
    const { call, kill } = await start({ answerMs: 20 });
    const controller = new AbortController();
    const calling = call(controller.signal);
    controller.abort();
    await expect(calling).rejects.toMatchObject({ why: "did not answer" });
    expect(kill).toHaveBeenCalledOnce();
  });

  it("while it hangs is noticed by closing", async () => {
    const { connection, cleanUp } = await start({ answerMs: 20 });
    await connection.close();
    expect(cleanUp.mock.calls).toEqual([[{ why: "did not answer", cleared: false }]]);
  });

  it("while it hangs is noticed by its silence alone", async () => {
    const { call } = await start({ beatMs: 5, missedBeats: 3 });
    await expect(call()).rejects.toMatchObject({ why: "did not answer" });
  });

  it("though it lives, because it does not end what was cancelled, is ended", async () => {
    const { call } = await open({ stubborn: () => new Promise(() => {}) }, { endMs: 40, answerMs: 20 });
    await expect(call("stubborn", null, AbortSignal.abort())).rejects.toThrow(
      "did not end what it was told to end",
    );
  });

  it("is not taken for one that is slow", async () => {
    const { call } = await open(
      {
        slow: () => new Promise((resolve) => setTimeout(resolve, 300, nothing)),
      },
      { beatMs: 5, missedBeats: 10 },
    );
    await call("slow");
  });

  it("ignores answers to calls that there are not", async () => {
    const { call, channel } = await start();
    const calling = call();
    channel.send({ kind: "result", id: 77, value: 1, parts: [] });
    channel.send({ kind: "piece", id: 77 }, Buffer.from("x"));
    channel.send({ kind: "result", id: 1, value: 2, parts: [] });
    expect((await calling).value).toBe(2);
  });
});
