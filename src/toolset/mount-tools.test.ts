import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mountEcho, pathTool } from "../../test/support/echo-tools.ts";
import { RefusalError } from "../contract/errors.ts";
import { refuse } from "../contract/refusal.ts";

let root = "";
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "haft-mount-")));
  writeFileSync(join(root, "f"), "x\n");
  mkdirSync(join(root, ".git"));
});
afterAll(() => rmSync(root, { recursive: true }));

describe("an unknown tool", () => {
  it("gets the nearest name, prefix or not, and the list", async () => {
    const tools = mountEcho(root, { options: { prefix: "file_", tools: ["read", "write"] } });
    for (const name of ["file_raed", "read", "File_Read", "raed"]) {
      const out = await tools.call(name, {});
      expect(out.content).toBe(
        `There is no tool "${name}" here; did you mean file_read? The tools are file_read, file_write.`,
      );
    }
    expect((await tools.call("xyzzy", {})).content).toBe(
      'There is no tool "xyzzy" here. The tools are file_read, file_write.',
    );
  });

  it("is told to have no name where it has none", async () => {
    const tools = mountEcho(root, { options: { tools: ["read", "write"] } });
    for (const name of [undefined, null, ""])
      expect((await tools.call(name as unknown as string, {})).content).toBe(
        "The call names no tool. The tools are read, write.",
      );
  });

  it("may have any name without a throw", async () => {
    const tools = mountEcho(root);
    for (const name of [undefined, null, 5, Symbol("s"), {}, "\ud83d", "x".repeat(100_000), "__proto__"]) {
      const out = await tools.call(name as string, {});
      expect(out.isError && out.refusal.code).toBe("tool-unknown");
      expect(out.content.isWellFormed()).toBe(true);
      expect(out.content.length).toBeLessThan(400);
    }
  });
});

describe("dispatch, run and wrap", () => {
  const tools = () => mountEcho(root, { options: { prefix: "t_" } });

  it("dispatch gives text: a refusal begins with ERROR, and no success does", async () => {
    expect(await tools().dispatch("t_read", '{"path":"a"}')).toBe('{"path":"a"}');
    expect(await tools().dispatch("t_read", "{}")).toMatch(/^ERROR: t_read: path is required/);
    const evil = pathTool({ run: async () => ({ content: "ERROR: f: 1 line", details: {} }) });
    expect(await mountEcho(root, { tools: [evil] }).dispatch("touch", {})).toBe("OK: ERROR: f: 1 line");
  });

  it("run takes the bare name and rejects with the refusal, its message the model's text", async () => {
    expect(await tools().run("read", { path: "a" })).toBe('{"path":"a"}');
    const error = await tools()
      .run("read", {})
      .catch((thrown: unknown) => thrown);
    if (!(error instanceof RefusalError)) expect.fail("no RefusalError");
    expect(error.refusal.code).toBe("input-invalid");
    expect(error.message).toMatch(/^t_read: path is required/);
    await expect(tools().run("nothing", {})).rejects.toThrow("There is no tool");
  });

  it("wrap answers its own calls and passes all others on untouched", async () => {
    const seen: unknown[] = [];
    const wrapped = tools().wrap(async (call: { name: string; args: unknown; extra?: number }, options) => {
      seen.push(call, options);
      return "inner";
    });
    expect(await wrapped({ name: "t_read", args: '{"path":"a"}' })).toBe('{"path":"a"}');
    expect(await wrapped({ name: "t_read", args: {} })).toMatch(/^ERROR: /);
    expect(seen).toEqual([]);
    const call = { name: "t_raed", args: { x: 1 }, extra: 5 };
    const options = {};
    expect(await wrapped(call, options)).toBe("inner");
    expect(seen[0]).toBe(call);
    expect(seen[1]).toBe(options);
  });
});

describe("closing", () => {
  it("refuses every later call, and may be repeated", async () => {
    const tools = mountEcho(root);
    await Promise.all([tools.close(), tools.close()]);
    await tools[Symbol.asyncDispose]();
    const out = await tools.call("read", { path: "a" });
    expect(out.isError && out.refusal).toEqual(refuse("closed", {}));
    expect(await tools.dispatch("nothing", {})).toMatch(/^ERROR: This toolset is closed/);
    await expect(tools.run("read", {})).rejects.toThrow("closed");
    expect(tools.names()).not.toEqual([]);
  });

  it("cancels what runs and waits for it", async () => {
    let ended = false;
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const tools = mountEcho(root, {
      tools: [
        pathTool({
          run: (_input, { signal }) =>
            new Promise((_, reject) => {
              begin();
              signal.addEventListener("abort", () =>
                setTimeout(() => {
                  ended = true;
                  reject(signal.reason);
                }, 20),
              );
            }),
        }),
      ],
    });
    const call = tools.call("touch", {});
    await begun;
    await tools.close();
    expect(ended).toBe(true);
    expect((await call).isError).toBe(true);
  });

  it("happens by itself at the end of a block", async () => {
    let kept: ReturnType<typeof mountEcho> | undefined;
    {
      await using tools = mountEcho(root);
      kept = tools;
    }
    expect((await kept.call("read", { path: "a" })).content).toContain("closed");
  });

  it("leaves the background sweep of an earlier crash done or cancelled, never running", async () => {
    const left = join(root, ".haft-1-2-3-abc.tmp");
    writeFileSync(left, "");
    utimesSync(left, new Date(0), new Date(0));
    const tools = mountEcho(root);
    await tools.close();
    const after = existsSync(left);
    await new Promise((go) => setTimeout(go, 50));
    expect(existsSync(left)).toBe(after);
    rmSync(left, { force: true });
  });
});
