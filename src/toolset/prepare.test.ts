import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mountEcho, pathTool } from "../../test/support/echo-tools.ts";
import { NotFoundError, OutsideRootError } from "../contract/errors.ts";
import { refuse } from "../contract/refusal.ts";

let root = "";
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "haft-prepare-")));
  writeFileSync(join(root, "f"), "x\n");
  mkdirSync(join(root, ".git"));
});
afterAll(() => rmSync(root, { recursive: true }));

describe("paths", () => {
  const place = pathTool({
    run: async (_input, context) => ({ content: context.place("path").shown, details: {} }),
  });
  const change = pathTool({
    name: "write",
    changes: true,
    run: async (_input, context) => ({ content: context.place("path").shown, details: {} }),
  });

  it("are resolved before the tool runs, and refused where they lead out", async () => {
    const tools = mountEcho(root, { tools: [place] });
    expect((await tools.call("touch", { path: "./f" })).content).toBe("f");
    expect((await tools.call("touch", { path: join(root, "f") })).content).toBe("f");
    const out = await tools.call("touch", { path: "../x" });
    expect(out.isError && out.refusal).toEqual(refuse("path-outside-root", { path: "../x", why: "dot-dot" }));
    expect(out.content).toContain("outside the root");
  });

  it("are guarded for changes, and only for changes", async () => {
    const tools = mountEcho(root, { tools: [place, change] });
    expect((await tools.call("touch", { path: ".git/config" })).isError).toBe(false);
    const out = await tools.call("write", { path: ".git/config" });
    expect(out.isError && out.refusal.code).toBe("path-protected");
    expect(out.content).toContain("Nothing was changed.");
  });

  it("go through the host's resolve, whose failure is the refusal", async () => {
    const resolve = async (path: string) => {
      if (path === "no") throw new Error("not in this branch");
      return join(root, "f");
    };
    const tools = mountEcho(root, { tools: [place], options: { resolve } });
    expect((await tools.call("touch", { path: "anything" })).content).toBe("f");
    const out = await tools.call("touch", { path: "no" });
    expect(out.isError && out.content).toContain("not in this branch");
  });

  it("are refused in the host's words where it has some", async () => {
    const missing = pathTool({
      run: async () =>
        refuse("path-missing", {
          path: "x",
          nearest: { path: ".", entries: ["f"], total: 1 },
          sameName: [],
          similar: [],
        }),
    });
    const reasons: unknown[] = [];
    const refusal = (path: string, reason: Error) => {
      reasons.push(reason);
      return `mine: ${path} (${reason.message.slice(0, 17)})`;
    };
    const tools = mountEcho(root, { tools: [missing], options: { refusal } });
    expect((await tools.call("touch", { path: "f" })).content).toBe("mine: x (x does not exist.)");
    expect((await tools.call("touch", { path: "/etc" })).content).toMatch(/^mine: \/etc \(\/etc is outside/);
    expect(reasons[0]).toBeInstanceOf(NotFoundError);
    expect(reasons[0]).toMatchObject({ code: "path-missing" });
    expect(reasons[1]).toBeInstanceOf(OutsideRootError);
    expect(reasons[1]).toMatchObject({
      code: "path-outside-root",
      message: expect.stringContaining("outside the root"),
    });
    expect(await tools.dispatch("touch", { path: "/etc" })).toMatch(/^ERROR: mine/);
  });

  it("are refused in the usual words where the host's own fail", async () => {
    for (const refusal of [
      () => {
        throw new Error("no");
      },
      () => 5 as unknown as string,
    ]) {
      const tools = mountEcho(root, { tools: [place], options: { refusal } });
      expect((await tools.call("touch", { path: "/etc" })).content).toMatch(/^\/etc is outside the root/);
    }
  });
});
