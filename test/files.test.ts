/**
 * Owns `files` and `mount` as a host meets them, on real tools: the example, the hooks, what is remembered.
 * Leaves each tool to its own tests. Rule: only what the public entry exports is used.
 */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DEFAULT_FILE_TOOLS, files, mount } from "../src/index.ts";
import { CATALOG } from "../src/tools/catalog.ts";
import { scanImports } from "./layers/scan-source.ts";

let root = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "haft-files-")));
  writeFileSync(join(root, "hello.txt"), "hello\nworld\n");
});
afterEach(() => rmSync(root, { recursive: true }));

describe("the file tools of a host", () => {
  it("are five, and answer beside the host's own", async () => {
    const tools = files({ root });
    const host = async () => "the host's own tools";
    const dispatch = tools.wrap(host);
    expect(tools.definitions()).toHaveLength(5);
    expect(await dispatch({ name: "file_read", args: '{"path":"hello.txt"}' })).toBe(
      "hello.txt: 2 lines\n1\thello\n2\tworld",
    );
    expect(await dispatch({ name: "host_tool", args: "{}" })).toBe("the host's own tools");
    await tools.close();
  });

  it("stand in the order of the catalogue", () => {
    const order = CATALOG.map((tool) => tool.name);
    const named = ["move", "delete", "write", "edit", "grep", "list", "read"] as const;
    const all = files({ root, prefix: "", tools: named }).names();
    expect(all).toEqual(order.filter((name) => (named as readonly string[]).includes(name)));
    expect(DEFAULT_FILE_TOOLS).toEqual(all.filter((name) => name !== "delete" && name !== "move"));
  });

  it("know the types of their arguments and details under the prefix", async () => {
    const tools = files({ root });
    const out = await tools.call("file_list", { path: "." });
    if (out.isError) expect.fail(out.content);
    const total: number = out.details.total;
    expect(total).toBe(1);
    const moved = await mount({ root, tools: ["move"] }).call("move", { from: "hello.txt", to: "bye.txt" });
    if (moved.isError) expect.fail(moved.content);
    expect(moved.details.to).toBe("bye.txt");
    // @ts-expect-error path is a string
    expect((await tools.call("file_read", { path: 5 })).isError).toBe(true);
    // @ts-expect-error bash is no file tool
    expect(() => files({ root, tools: ["bash"] })).toThrow("option tools");
  });

  it("tell the host which paths changed, once a call, both sides of a move", async () => {
    const told: (readonly string[])[] = [];
    const afterWrite = (paths: readonly string[]) => {
      expect(readFileSync(join(root, paths.at(-1) ?? "")).length).toBeGreaterThan(0);
      told.push(paths);
    };
    const tools = mount({ root, afterWrite, tools: ["read", "edit", "write", "move"] });
    await tools.run("write", { path: "a/b.txt", content: "x\n" });
    await tools.run("edit", { path: join(root, "hello.txt"), old_text: "hello", new_text: "bye" });
    await tools.run("edit", { path: "hello.txt", old_text: "nothing", new_text: "x" }).catch(() => {});
    await tools.run("move", { from: "a/b.txt", to: "c/d.txt" });
    expect(told).toEqual([["a/b.txt"], ["hello.txt"], ["a/b.txt", "c/d.txt"]]);
  });

  it("remember what they have shown, one toolset for itself", async () => {
    const [one, other] = [files({ root }), files({ root })];
    await one.run("read", { path: "hello.txt" });
    expect(await other.dispatch("file_write", { path: "hello.txt", content: "x" })).toMatch(
      /^ERROR: .*not shown/,
    );
    expect(await one.dispatch("file_write", { path: "hello.txt", content: "x" })).toMatch(/^overwrote/);
  });

  it("load no package at import but the schema library", () => {
    const src = join(import.meta.dirname, "../src");
    const seen = new Set<string>();
    const packages = new Set<string>();
    const visit = (path: string): void => {
      if (seen.has(path)) return;
      seen.add(path);
      for (const { specifier, typeOnly, dynamic } of scanImports(readFileSync(path, "utf8"))) {
        if (typeOnly || dynamic) continue;
        if (specifier.startsWith(".")) visit(join(path, "..", specifier));
        else if (!specifier.startsWith("node:")) packages.add(`${specifier} in ${relative(src, path)}`);
      }
    };
    visit(join(src, "files.ts"));
    expect([...packages].filter((one) => !one.startsWith("zod in "))).toEqual([]);
    expect(seen.size).toBeGreaterThan(40);
    expect([...seen].filter((path) => path.includes("/tools/glob/"))).toEqual([]);
  });

  it("do not count as shown what was cancelled", async () => {
    const tools = files({ root });
    await tools.call("file_read", { path: "hello.txt" }, { signal: AbortSignal.abort() });
    expect(await tools.dispatch("file_write", { path: "hello.txt", content: "x" })).toMatch(/^ERROR: /);
  });
});
