/**
 * Owns reports about overwriting files that are not plain UTF-8 text: what the report and the refusal say of them.
 * Leaves known files to write.test.ts. Rule: no advice that cannot succeed, and lines as `read` counts them.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openWorkspace } from "../support/workspace.ts";

const utf16 = (text: string, order: "le" | "be") => {
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
  return order === "le" ? bytes : bytes.swap16();
};
const put = (path: string, bytes: Buffer) =>
  `printf '%s' '${bytes.toString("base64")}' | base64 -d > '${path}'`;

describe("write over UTF-16", () => {
  it.each([
    ["le", "foo\n", "1 → 1 line (was UTF-16LE, now UTF-8)"],
    ["be", "foo\r\nĊbar", "2 → 1 line (was UTF-16BE, now UTF-8; was CRLF, now LF)"],
    ["le", "", "0 → 1 line (was UTF-16LE, now UTF-8)"],
  ] as const)("counts lines in the file's own encoding: %s %j", async (order, text, told) => {
    const at = openWorkspace(put("f", utf16(text, order)));
    const done = await at.does("write", { path: "f", content: "x\n", overwrite: true });
    expect(done.content).toBe(`overwrote f: ${told}`);
  });

  it("names the lines that were not shown as read counts them", async () => {
    const at = openWorkspace(put("f", utf16("Ċ1\nĊ2\nĊ3\nĊ4\n", "le")));
    expect((await at.does("read", { path: "f", offset: 2, limit: 1 })).content).toContain("2\tĊ2");
    const { refusal } = await at.refuses("write", { path: "f", content: "x" }, "file-unread");
    expect(refusal.facts).toMatchObject({
      lines: 4,
      unseen: [
        { start: 1, end: 1 },
        { start: 3, end: 4 },
      ],
    });
    await at.does("read", { path: "f", offset: 1, limit: 1 });
    await at.does("read", { path: "f", offset: 3, limit: 2 });
    await at.does("write", { path: "f", content: "x" });
  });

  it("says of a byte order mark in UTF-8 that it went, and counts it as no line", async () => {
    const at = openWorkspace(put("f", Buffer.from("\ufeff")));
    const done = await at.does("write", { path: "f", content: "x", overwrite: true });
    expect(done.content).toBe("overwrote f: 0 → 1 line (was UTF-8 with a BOM, now without a BOM)");
  });
});

describe("write over text in an encoding from before Unicode", () => {
  const japanese = "これは日本語のテストです。漢字とカナの文です。";
  it.each([
    ["caf\\351\\n", "é\n", "no valid UTF-8 (Windows-1252 or the like)"],
    ["\\223quoted\\224 caf\\351\\n", "plain\n", "no valid UTF-8 (Windows-1252 or the like)"],
  ])("says that it is UTF-8 now: %s", async (bytes, content, was) => {
    const at = openWorkspace(`printf '${bytes}' > f`);
    const done = await at.does("write", { path: "f", content, overwrite: true });
    expect(done.content).toBe(`overwrote f: 1 → 1 line (was ${was}, now UTF-8)`);
  });

  it.each([["GB18030"], ["SHIFT_JIS"], ["EUC-JP"]])("names %s", async (name) => {
    const text = name === "GB18030" ? "这是一个测试文件，里面有中文。今天天气很好。" : japanese;
    const at = openWorkspace(`printf '${text}\\n${text}\\n' | iconv -f UTF-8 -t ${name} > f`);
    const done = await at.does("write", { path: "f", content: `${text}\n`, overwrite: true });
    expect(done.content).toBe(`overwrote f: 2 → 1 line (was ${name.toLowerCase()}, now UTF-8)`);
  });

  it.each([["é\n"], ["plain\n"]])("says nothing of one that was UTF-8: %j", async (text) => {
    const at = openWorkspace("");
    writeFileSync(join(at.root, "f"), text);
    const done = await at.does("write", { path: "f", content: "ü\n", overwrite: true });
    expect(done.content).toBe("overwrote f: 1 → 1 line");
  });
});

describe("write over what no read can show as the text it is", () => {
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  const notebook = Buffer.from(
    JSON.stringify({ cells: [{ cell_type: "code", source: ["a = 1\n"], outputs: [] }], nbformat: 4 }),
  );

  it.each([
    ["image", "a.png", png],
    ["pdf", "a.pdf", Buffer.from("%PDF-1.4\n%âãÏÓ\n")],
    ["notebook", "n.ipynb", notebook],
    ["binary", "late", Buffer.from(`${"text\n".repeat(3_000)}\0`)],
    ["binary", "wide", utf16("a\n\0\n", "le")],
    ["binary", "a.zip", Buffer.from("PK\x03\x04\0rest")],
  ] as const)("suggests no read of a file that is %s (%s), only overwrite", async (noRead, path, bytes) => {
    const at = openWorkspace(put(path, bytes));
    await at.call("read", { path });
    const refused = await at.refuses("write", { path, content: "x\n" }, "file-unread");
    expect(refused.refusal.facts).toMatchObject({ noRead });
    expect(refused.content).toContain("Only overwrite: true replaces it.");
    expect(refused.content).not.toMatch(/read \{/);
    await at.does("write", { path, content: "x\n", overwrite: true });
  });

  it("says so of one that it wrote itself and that changed since", async () => {
    const at = openWorkspace("");
    await at.does("write", { path: "n.ipynb", content: notebook.toString() });
    at.bash("sed -i 's/a = 1/a = 2/' n.ipynb");
    const refused = await at.refuses("write", { path: "n.ipynb", content: "x" }, "file-changed");
    expect(refused.content).toContain("Only overwrite: true replaces it.");
    expect(refused.content).not.toMatch(/read \{/);
  });

  it("still suggests reading text that only has an ending of a notebook, or whose letters hold NUL bytes", async () => {
    const at = openWorkspace(`${put("n.ipynb", Buffer.from("{}\n"))}; ${put("w", utf16("Āa\n", "be"))}`);
    for (const path of ["n.ipynb", "w"]) {
      const refused = await at.refuses("write", { path, content: "x" }, "file-unread");
      expect(refused.content).toContain(`read {"path":"${path}"`);
    }
  });
});
