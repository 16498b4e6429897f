import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { echoTool, mountEcho, pathTool } from "../../test/support/echo-tools.ts";
import type { Done, SeenRange } from "../contract/output.ts";
import { refuse } from "../contract/refusal.ts";

let root = "";
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "haft-run-")));
  writeFileSync(join(root, "f"), "x\n");
  mkdirSync(join(root, ".git"));
});
afterAll(() => rmSync(root, { recursive: true }));

const noInput = z.object({});

function makeGate(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((open) => {
    resolve = open;
  });
  return { promise, resolve };
}

describe("a tool that fails", () => {
  const failing = (error: unknown, changes = false) =>
    mountEcho(root, {
      tools: [
        pathTool({
          name: "write",
          changes,
          run: async () => {
            throw error;
          },
        }),
      ],
    });

  it.each([
    [
      Object.assign(new Error("ENOSPC: no space left, write '/x/.haft-1.tmp'"), { code: "ENOSPC" }),
      "the disk is full (ENOSPC)",
    ],
    [
      Object.assign(new Error("EMFILE: /x"), { code: "EMFILE" }),
      "this process has too many files open (EMFILE)",
    ],
    [Object.assign(new Error("EWEIRD: /x"), { code: "EWEIRD" }), "the system refused (EWEIRD)"],
    [new TypeError("x is not a function\n at y"), "an internal error (TypeError: x is not a function)"],
    ["just a string", "an internal error (just a string)"],
    [undefined, "an internal error (undefined)"],
    [
      {
        get code() {
          throw new Error("no");
        },
        toString: () => {
          throw new Error("no");
        },
      },
      "an internal error (of a kind that cannot be shown)",
    ],
  ])("is a fault told in one line (%#)", async (error, message) => {
    const out = await failing(error).call("write", {});
    if (!out.isError || out.refusal.code !== "fault") expect.fail(out.content);
    expect(out.refusal.facts.message).toBe(message);
    expect(out.refusal.facts.cause).toBe(error);
    expect(out.content).toBe(`write failed: ${message}. Nothing was changed.`);
  });

  it("that may have changed something says that this is not known", async () => {
    const out = await failing(new Error("x"), true).call("write", {});
    expect(out.content).toContain("wholly changed; look before you repeat the call");
  });

  it("by giving nothing is a fault too", async () => {
    const tools = mountEcho(root, { tools: [pathTool({ run: async () => undefined as never })] });
    const out = await tools.call("touch", {});
    expect(out.isError && out.refusal.code).toBe("fault");
  });

  it("before its run, in access, is a fault too", async () => {
    const tool = echoTool({
      name: "x",
      changes: false,
      input: noInput,
      access: () => {
        throw new Error("no");
      },
    });
    const out = await mountEcho(root, { tools: [tool] }).call("x", {});
    expect(out.isError && out.refusal.code).toBe("fault");
  });

  it("with half characters leaves none", async () => {
    const tools = mountEcho(root, {
      tools: [
        pathTool({
          run: async () => ({
            content: "a\ud83d",
            details: {},
            notes: [{ code: "other", text: "b\ud83d\nc", audience: "model" }],
          }),
        }),
      ],
    });
    expect((await tools.call("touch", {})).content).toBe("a\ufffd\n[note] b\ufffd c");
  });
});

describe("cancelling", () => {
  it("before the call runs nothing", async () => {
    let ran = false;
    const tools = mountEcho(root, {
      tools: [
        pathTool({
          run: async () => {
            ran = true;
            return { content: "x", details: {} };
          },
        }),
      ],
    });
    const out = await tools.call("touch", {}, { signal: AbortSignal.abort() });
    expect(out.isError && out.refusal).toEqual(refuse("call-cancelled", { tool: "touch" }));
    expect(ran).toBe(false);
  });

  it("while it runs reaches the tool through a child of the host's signal", async () => {
    const host = new AbortController();
    let child: AbortSignal | undefined;
    const tools = mountEcho(root, {
      tools: [
        pathTool({
          run: (_input, { signal }) =>
            new Promise((_, reject) => {
              child = signal;
              signal.addEventListener("abort", () => reject(new Error("stopped")));
              host.abort();
            }),
        }),
      ],
    });
    const out = await tools.call("touch", {}, { signal: host.signal });
    expect(out.isError && out.refusal.code).toBe("call-cancelled");
    expect(child).not.toBe(host.signal);
  });

  it("is answered in time by a tool that does not listen", async () => {
    const tools = mountEcho(root, { tools: [pathTool({ run: () => new Promise(() => {}) })] });
    const out = await tools.call("touch", {}, { signal: AbortSignal.timeout(5) });
    expect(out.isError && out.refusal.code).toBe("call-cancelled");
  });

  it("too late keeps the result of what was done", async () => {
    const host = new AbortController();
    const tools = mountEcho(root, {
      tools: [
        pathTool({
          run: async () => {
            host.abort();
            return { content: "done", details: {} };
          },
        }),
      ],
    });
    expect((await tools.call("touch", {}, { signal: host.signal })).content).toBe("done");
  });

  it("leaves no listener on the host's signal", async () => {
    const host = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = host.signal;
    host.signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners++;
      addEventListener.apply(host.signal, args);
    };
    host.signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners--;
      removeEventListener.apply(host.signal, args);
    };
    await mountEcho(root).call("read", { path: "a" }, { signal: host.signal });
    expect(listeners).toBe(0);
  });

  it("takes call options that are no options without a throw", async () => {
    const tools = mountEcho(root);
    for (const options of [null, 5, { signal: "x" }, { onProgress: 5 }])
      expect((await tools.call("read", { path: "a" }, options as never)).isError).toBe(false);
    const evil = {
      get signal(): AbortSignal {
        throw new Error("no");
      },
    };
    expect((await tools.call("read", { path: "a" }, evil)).isError).toBe(true);
  });
});

describe("afterWrite", () => {
  const change = (changed: readonly string[] | undefined, refused = false) =>
    pathTool({
      name: "write",
      changes: true,
      run: async () =>
        refused
          ? refuse("path-exists", { path: "x", kind: "file" })
          : { content: "done", details: {}, ...(changed === undefined ? {} : { changed }) },
    });

  it("is awaited once with the paths changed, and never after a refusal or a no-op", async () => {
    const told: (readonly string[])[] = [];
    const afterWrite = async (paths: readonly string[]) => {
      await Promise.resolve();
      told.push(paths);
    };
    await mountEcho(root, { tools: [change(["a", "b"])], options: { afterWrite } }).call("write", {});
    expect(told).toEqual([["a", "b"]]);
    await mountEcho(root, { tools: [change([])], options: { afterWrite } }).call("write", {});
    await mountEcho(root, { tools: [change(undefined)], options: { afterWrite } }).call("write", {});
    await mountEcho(root, { tools: [change(["a"], true)], options: { afterWrite } }).call("write", {});
    expect(told).toHaveLength(1);
  });

  it("that throws leaves the call a success and its fault in a note for the host", async () => {
    const afterWrite = () => {
      throw new Error("hook broke");
    };
    const out = await mountEcho(root, { tools: [change(["a"])], options: { afterWrite } }).call("write", {});
    expect(out.isError).toBe(false);
    expect(out.content).toBe("done");
    expect(out.notes).toEqual([
      { code: "after-write", text: "afterWrite failed: hook broke", audience: "host" },
    ]);
  });

  it.each(["cancelling its call", "closing the toolset"])(
    "that hangs is not waited for after %s: the bytes are there, and the host is told",
    async (how) => {
      const cancel = new AbortController();
      const started = makeGate();
      const afterWrite = () => {
        started.resolve();
        return new Promise<void>(() => {});
      };
      const tools = mountEcho(root, { tools: [change(["a"])], options: { afterWrite } });
      const call = tools.call("write", {}, { signal: cancel.signal });
      await started.promise;
      if (how === "closing the toolset") await tools.close();
      else cancel.abort();
      const out = await call;
      expect(out.isError).toBe(false);
      expect(out.content).toBe("done");
      expect(out.notes).toEqual([
        {
          code: "after-write",
          text: "afterWrite failed: it had not ended when the call was cancelled",
          audience: "host",
        },
      ]);
      await tools.close();
    },
    10_000,
  );
});

describe("the context of a tool", () => {
  it("has the root, the limits, the names and what was shown before", async () => {
    const file = join(root, "f");
    const range: SeenRange = { start: 0, end: 2, hash: "h", endsFile: true };
    const shown: Done<unknown> = {
      content: "x",
      details: {},
      sights: [{ file, ranges: [range], replace: false }],
    };
    const reader = pathTool({ run: async () => shown });
    const asker = pathTool({
      name: "ask",
      run: async (_input, { ports, names, limits, root: at, agentId }) => ({
        content: JSON.stringify([
          ports.seen(file),
          names.suggest("touch", { path: "a" }),
          names.suggest("list", {}),
          limits.readMax,
          at.path,
          agentId,
        ]),
        details: {},
      }),
    });
    const tools = mountEcho(root, {
      tools: [reader, asker],
      options: { prefix: "p_", limits: { readMax: 9 } },
    });
    const ask = async () => JSON.parse((await tools.call("p_ask", {})).content) as unknown[];
    expect(await ask()).toEqual([[], 'p_touch {"path":"a"}', null, 9, root, "main"]);
    await tools.call("p_touch", {});
    expect((await ask())[0]).toEqual([range]);
    expect(await mountEcho(root, { tools: [reader, asker] }).call("ask", {})).toMatchObject({
      content: expect.stringMatching(/^\[\[\],/),
    });
  });

  it("hands work to another tool of the catalogue on the same places, mounted or not", async () => {
    const reader = pathTool({
      name: "read",
      run: (_input, context) => context.delegate("list", { path: "." }),
    });
    const lister = pathTool({
      name: "list",
      run: async (input, context) => ({
        content: `${input.path} ${context.place("path").shown}`,
        details: {},
      }),
    });
    const tools = mountEcho(root, { tools: [reader, lister], options: { tools: ["read"] } });
    expect(tools.names()).toEqual(["read"]);
    expect((await tools.call("read", { path: "f" })).content).toBe(". f");
  });

  it("tells progress to a sink that may fail", async () => {
    const told: string[] = [];
    const tool = pathTool({
      run: async (_input, context) => {
        context.progress("half\ud83d");
        return { content: "x", details: {} };
      },
    });
    const tools = mountEcho(root, { tools: [tool] });
    await tools.call("touch", {}, { onProgress: (text) => void told.push(text) });
    expect(told).toEqual(["half\ufffd"]);
    expect(
      (
        await tools.call(
          "touch",
          {},
          {
            onProgress: () => {
              throw new Error("no");
            },
          },
        )
      ).isError,
    ).toBe(false);
  });

  it("leaves room for notes within resultMax", async () => {
    const filler = pathTool({
      run: async (_input, { limits }) => ({
        content: "x".repeat(limits.resultMax),
        details: {},
        notes: [{ code: "other", text: "own note", audience: "model" }],
      }),
    });
    const tools = mountEcho(root, { tools: [filler], options: { limits: { resultMax: 2_000 } } });
    const out = await tools.call("touch", { path: "f", unknown: 1 });
    expect(out.content).toContain("[note] unknown was ignored");
    expect(out.content).toContain("[note] own note");
    expect(out.content.length).toBeLessThanOrEqual(2_000);
  });

  it("keeps refusals within resultMax too", async () => {
    const tools = mountEcho(root, { options: { limits: { resultMax: 300 } } });
    const args = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`nothing${index}`, "😀"]));
    const out = await tools.call("write", args);
    expect(out.content.length).toBeLessThanOrEqual(300);
    expect(out.content.isWellFormed()).toBe(true);
  });
});
