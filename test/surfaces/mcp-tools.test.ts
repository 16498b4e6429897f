/**
 * Owns what an MCP client sees of the tools: names, annotations, texts, images, refusals.
 * Leaves roots and the wire to their own tests. Rule: a real client and the built server.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connect, makeFolder, textOf } from "./start-server.ts";

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe("an MCP client", () => {
  it("is offered the tools in the order of the catalogue, with titles and hints", async () => {
    const { client } = await connect({ args: ["--root", makeFolder()] });
    const { tools } = await client.listTools();
    expect(tools.map(({ name, annotations }) => `${name} ${annotations?.readOnlyHint}`)).toEqual([
      "read true",
      "list true",
      "glob true",
      "grep true",
      "edit false",
      "write false",
      "delete false",
      "move false",
      "bash false",
      "jobs false",
      "webfetch true",
      "browse true",
      "recall true",
    ]);
    for (const tool of tools) {
      expect(tool.title, tool.name).toMatch(/\S/);
      expect(tool.description, tool.name).toMatch(/\S/);
      expect(tool.inputSchema.type).toBe("object");
      expect(typeof tool.annotations?.destructiveHint).toBe("boolean");
      expect(typeof tool.annotations?.idempotentHint).toBe("boolean");
      expect(tool.annotations?.openWorldHint, tool.name).toBe(
        ["bash", "webfetch", "browse"].includes(tool.name),
      );
    }
  });

  it("can show a picture of each, and of the server: small ones, that nobody has to fetch", async () => {
    const { client } = await connect({ args: ["--root", makeFolder(), "--commitments", "--prefix", "my_"] });
    const { tools } = await client.listTools();
    const shown = [...tools, { name: "haft", icons: client.getServerVersion()?.icons }];
    const pictures = shown.map(({ name, icons = [] }) => {
      const [icon, ...more] = icons;
      expect(more, name).toEqual([]);
      expect(icon?.src, name).toMatch(/^data:image\/svg\+xml,%3Csvg%20[!-~]+%3C\/svg%3E$/);
      expect(JSON.stringify(icons).length, name).toBeLessThan(300);
      return icon?.src;
    });
    expect(new Set(pictures).size).toBe(15);
  });

  it("gets the text of a call, and changes the file on disk", async () => {
    const root = makeFolder();
    writeFileSync(join(root, "hello.txt"), "hello\nworld\n");
    const { client } = await connect({ args: ["--root", root] });
    const read = await client.callTool({ name: "read", arguments: { path: "hello.txt" } });
    expect(textOf(read)).toBe("hello.txt: 2 lines\n1\thello\n2\tworld");
    expect(read.isError ?? false).toBe(false);
    await client.callTool({
      name: "edit",
      arguments: { path: "hello.txt", edits: [{ old_text: "world", new_text: "haft" }] },
    });
    expect(readFileSync(join(root, "hello.txt"), "utf8")).toBe("hello\nhaft\n");
  });

  it("gets an image as an image, by its bytes and not by its name", async () => {
    const root = makeFolder();
    writeFileSync(join(root, "pixel.jpg"), PIXEL);
    const { client } = await connect({ args: ["--root", root] });
    const result = await client.callTool({ name: "read", arguments: { path: "pixel.jpg" } });
    const image = result.content.find((block) => block.type === "image");
    expect(image).toMatchObject({ mimeType: "image/png" });
    expect(textOf(result)).toContain("pixel.jpg");
  });

  it("gets a refusal as an error with advice, its code and facts beside it", async () => {
    const { client } = await connect({ args: ["--root", makeFolder()] });
    const result = await client.callTool({ name: "read", arguments: { path: "../outside" } });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain("outside the root");
    expect(result._meta?.["haft/refusal"]).toEqual({
      code: "path-outside-root",
      facts: { path: "../outside", why: "dot-dot" },
    });
  });

  it("is told what it could have meant by a tool that is not there", async () => {
    const { client } = await connect({ args: ["--root", makeFolder()] });
    const result = await client.callTool({ name: "raed", arguments: {} });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain("read");
  });

  it("has its arguments repaired by the gate rather than refused by the SDK", async () => {
    const root = makeFolder();
    writeFileSync(join(root, "n.txt"), "1\n2\n3\n");
    const { client } = await connect({ args: ["--root", root] });
    const result = await client.callTool({
      name: "read",
      arguments: { file_path: "n.txt", offset: "2", limit: "1" },
    });
    expect(textOf(result)).toContain("2\t2");
  });

  it("gets the same bytes as the library gives", async () => {
    const root = makeFolder();
    writeFileSync(join(root, "a.txt"), "x\n".repeat(20_000));
    const { mount } = await import("../../src/toolset/mount.ts");
    const tools = mount({ root });
    const { client } = await connect({ args: ["--root", root] });
    for (const [name, args] of [
      ["read", { path: "a.txt" }],
      ["list", {}],
      ["read", { path: "missing.txt" }],
      ["edit", { path: "a.txt", edits: [] }],
    ] as const) {
      const here = await tools.call(name as string, args);
      expect(textOf(await client.callTool({ name, arguments: args }))).toBe(here.content);
    }
    await tools.close();
  });

  it("can ask for fewer tools, other names, and none that change anything", async () => {
    const root = makeFolder();
    const { client } = await connect({
      args: ["--root", root, "--tools", "write,read,delete", "--prefix", "file_", "--read-only"],
    });
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(["file_read"]);
    const result = await client.callTool({ name: "file_write", arguments: { path: "a", content: "" } });
    expect(result.isError).toBe(true);
  });
});
