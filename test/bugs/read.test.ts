/**
 * Owns the public bug reports about reading: lengths, offsets, encodings, kinds of file, names that look alike.
 * Leaves walks and special files to read-trees.test.ts. Rule: totals are checked everywhere they are shown.
 */
import { describe, expect, it } from "vitest";
import { expectRefusal } from "../support/loose-toolset.ts";
import { findSuggestedCalls } from "../support/suggested-calls.ts";
import { openWorkspace } from "../support/workspace.ts";

const firstLine = (content: string): string => content.split("\n")[0] ?? "";
const rows = (content: string): string[] => content.split("\n").filter((line) => /^\d+\t/.test(line));

describe("read: how long a file is", () => {
  it("counts one line as one", async () => {
    const at = openWorkspace("seq 1 4 > f; { echo a; head -c 80000000 /dev/zero | tr '\\0' x; } > big.txt");
    expect((await at.does("read", { path: "f", limit: 3 })).content).toContain(
      '[line 4 follows; next: read {"path":"f","offset":4,"limit":3}]',
    );
    expect(firstLine((await at.does("read", { path: "big.txt", limit: 1 })).content)).toBe(
      "big.txt: more than 1 line, 80000002 bytes, showing 1",
    );
  });

  it("R01 says 10 lines on every page and offers nothing after the last", async () => {
    const at = openWorkspace("seq 1 10 > f");
    const first = await at.does("read", { path: "f", limit: 5 });
    expect(firstLine(first.content)).toMatch(/\b10 lines\b/);
    expect(rows(first.content)).toEqual(["1\t1", "2\t2", "3\t3", "4\t4", "5\t5"]);
    expect(findSuggestedCalls(first.content, at.tools.names())).toContainEqual({
      name: "read",
      args: expect.objectContaining({ path: "f", offset: 6 }),
    });
    const second = await at.does("read", { path: "f", offset: 6, limit: 5 });
    expect(firstLine(second.content)).toMatch(/\b10 lines\b/);
    expect(rows(second.content)).toEqual(["6\t6", "7\t7", "8\t8", "9\t9", "10\t10"]);
    expect(findSuggestedCalls(second.content, at.tools.names())).toEqual([]);
    const third = await at.refuses("read", { path: "f", offset: 11 }, "range-outside");
    expect(third.content).toMatch(/\b10 lines\b/);
  });

  it("R01 says the same total with a CRLF file, and one that ends in blank lines", async () => {
    const at = openWorkspace(String.raw`printf 'a\r\nb\r\n' > f; printf 'a\n\n\n' > g; printf '\n' > h`);
    expect(firstLine((await at.does("read", { path: "f" })).content)).toMatch(/\b2 lines\b/);
    const blank = await at.does("read", { path: "g" });
    expect(firstLine(blank.content)).toMatch(/\b3 lines\b/);
    expect(rows(blank.content)).toEqual(["1\ta", "2\t", "3\t"]);
    expect(firstLine((await at.does("read", { path: "h" })).content)).toMatch(/\b1 line\b/);
    await at.refuses("read", { path: "g", offset: 4 }, "range-outside");
  });

  it("R02 returns the last line that has no newline", async () => {
    const at = openWorkspace(String.raw`printf 'p\nq\nr' > f`);
    const done = await at.does("read", { path: "f", offset: 3 });
    expect(rows(done.content)).toEqual(["3\tr"]);
    expect(firstLine(done.content)).toMatch(/\b3 lines\b/);
    expect(done.content).toMatch(/no final newline/);
    await at.refuses("read", { path: "f", offset: 4 }, "range-outside");
  });

  it("R02 reads a file that is one unterminated character, and one lone carriage return", async () => {
    const at = openWorkspace(String.raw`printf 'x' > f; printf 'a\rb' > g`);
    expect(rows((await at.does("read", { path: "f" })).content)).toEqual(["1\tx"]);
    const lone = await at.does("read", { path: "g" });
    expect(firstLine(lone.content)).toMatch(/\b1 line\b/);
    expect(lone.content).toContain("1\ta\rb");
  });

  it("R03 says the real length past the end, and that an empty file is empty", async () => {
    const at = openWorkspace(String.raw`printf 'x\n' > f; : > e`);
    const past = await at.refuses("read", { path: "f", offset: 300 }, "range-outside");
    expect(past.content).toMatch(/\b1 line\b/);
    expect(rows(past.content)).toEqual([]);
    const empty = await at.does("read", { path: "e" });
    expect(firstLine(empty.content)).toMatch(/empty.*0 bytes/);
    expect(rows(empty.content)).toEqual([]);
    await at.does("read", { path: "e", offset: 1 });
    await at.refuses("read", { path: "e", offset: 2 }, "range-outside");
  });

  it("R03 shows a byte order mark alone as no text", async () => {
    const at = openWorkspace(String.raw`printf '\xef\xbb\xbf' > f`);
    const done = await at.does("read", { path: "f" });
    expect(done.content).not.toContain("\uFEFF");
    expect(rows(done.content).filter((row) => row !== "1\t")).toEqual([]);
  });

  it.each([
    { offset: -1 },
    { offset: 1.5 },
    { offset: -2 },
    { offset: 0 },
    { limit: 0 },
    { limit: -3 },
    { limit: 2.5 },
  ])("R05 refuses %j, saying where numbers start", async (range) => {
    const at = openWorkspace(String.raw`printf 'l1\nl2\nl3\n' > f`);
    const refused = await at.refuses("read", { path: "f", ...range });
    expect(refused.content).toContain(Object.keys(range)[0] ?? "");
    expect(refused.content).toMatch(/\b1\b/);
    for (const call of findSuggestedCalls(refused.content, at.tools.names())) {
      expect(call.args).not.toMatchObject(range);
      await at.does(call.name, call.args);
    }
  });

  it.each([2 ** 31, 2 ** 53 - 1, 1e15])("R05 refuses the offset %d without a fault", async (offset) => {
    const at = openWorkspace(String.raw`printf 'l1\n' > f`);
    await at.refuses("read", { path: "f", offset });
    await at.refuses("read", { path: "f", offset, limit: offset });
  });
});

describe("read: characters and encodings", () => {
  it.each([1022, 1023, 1024, 4095, 8191, 65534, 65535, 65536, 131071])(
    "R07 keeps a character that starts at byte %d whole",
    async (count) => {
      const at = openWorkspace(`python3 -c "print('a'*${count}+'あ')" > f; printf 'last\\n' >> f`);
      let call: Record<string, unknown> | undefined = { path: "f", limit: 1 };
      let shown = "";
      while (call !== undefined) {
        const page = await at.does("read", call);
        expect(page.content).not.toContain("\uFFFD");
        shown += rows(page.content)
          .filter((row) => row.startsWith("1\t"))
          .map((row) => row.slice(2))
          .join("");
        const next = findSuggestedCalls(page.content, at.tools.names()).find(
          ({ args }) => args.column !== undefined,
        );
        call = next === undefined ? undefined : { ...next.args };
      }
      expect(shown).toBe(`${"a".repeat(count)}あ`);
      const last = await at.does("read", { path: "f", offset: 2 });
      expect(rows(last.content)).toEqual(["2\tlast"]);
    },
  );

  it.each([
    ["little", String.raw`printf '\xff\xfea\x00l\x00\r\x00\n\x00' > f`],
    ["big", String.raw`printf '\xfe\xff\x00a\x00l\x00\r\x00\n' > f`],
  ])("R08 decodes UTF-16 %s endian and says so", async (_endian, fixture) => {
    const at = openWorkspace(fixture);
    const done = await at.does("read", { path: "f" });
    expect(rows(done.content)).toEqual(["1\tal"]);
    expect(firstLine(done.content)).toMatch(/UTF-16/);
    expect(done.content).not.toContain("\u0000");
    expect(done.content).not.toContain("\uFEFF");
  });

  it.each([
    ["an ELF header", String.raw`printf '\x7fELF\x02\x01\x01\x00\x00\x00text\n' > f`],
    ["a zip archive", String.raw`printf 'PK\x03\x04\x14\x00\x00\x00' > f`],
    ["gzip", String.raw`printf 'some text\n' | gzip > f`],
    ["NULs among text", String.raw`printf 'a\nb\x00c\n' > f`],
    ["SQLite", String.raw`printf 'SQLite format 3\x00\x10\x00' > f`],
  ])("R08 refuses %s as binary, with its size", async (_name, fixture) => {
    const at = openWorkspace(fixture);
    const refused = await at.refuses("read", { path: "f" }, "file-binary");
    expect(refused.content).not.toContain("\u0000");
    expect(refused.content).toMatch(/\d[\d,.]* (bytes|KB|KiB)/);
  });

  it("R16 does not show a byte order mark, and leaves the file alone", async () => {
    const at = openWorkspace(String.raw`printf '\xef\xbb\xbf#!/bin/sh\n' > f`);
    const done = await at.does("read", { path: "f" });
    expect(rows(done.content)).toEqual(["1\t#!/bin/sh"]);
    expect(done.content).not.toContain("\uFEFF");
    expect(at.hex("f")).toBe("EFBBBF23212F62696E2F73680A");
  });

  it("R16 keeps a mark that is not at the start, which is a character like any other", async () => {
    const at = openWorkspace(String.raw`printf 'a\n\xef\xbb\xbfb\n' > f`);
    const done = await at.does("read", { path: "f" });
    expect(done.content).toContain("2\t\uFEFFb");
  });

  it("R17 says in every tool that bytes are not UTF-8, and shows no U+FFFD", async () => {
    const at = openWorkspace(String.raw`printf 'caf\xe9\n' > f`);
    const read = await at.does("read", { path: "f" });
    expect(read.content).toMatch(/UTF-8/i);
    expect(read.content).toMatch(/\b3\b/);
    expect(read.content).not.toContain("\uFFFD");
    const grep = await at.does("grep", { pattern: "caf", path: "f" });
    expect(grep.content).toMatch(/^1:caf/m);
    expect(grep.content).not.toContain("\uFFFD");
    await at.edit("f", "caf", "kaf");
    expect(at.hex("f")).toBe("6B6166E90A");
  });

  it("R17 names the first bad offset also past the first page", async () => {
    const at = openWorkspace(
      String.raw`python3 -c "print('line\n'*4000, end='')" > f; printf 'caf\xe9\n' >> f`,
    );
    const page = await at.does("read", { path: "f", offset: 3990 });
    expect(page.content).toMatch(/UTF-8/i);
    expect(page.content).toMatch(/\b20003\b|\b20,003\b/);
    expect(page.content).not.toContain("\uFFFD");
  });

  it("R17 shows a U+FFFD that the file itself holds, without a note", async () => {
    const at = openWorkspace(String.raw`printf 'x\xef\xbf\xbdy\n' > f`);
    const done = await at.does("read", { path: "f" });
    expect(rows(done.content)).toEqual(["1\tx\uFFFDy"]);
    expect(done.content).not.toMatch(/not (valid )?UTF-8/i);
  });
});

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGMQUDD4DwACBAFgjby7cQAAAABJRU5ErkJggg==";

describe("read: kinds by bytes", () => {
  it.each([
    ["a.png", `printf '<svg xmlns="http://www.w3.org/2000/svg"/>' > a.png`, "<svg"],
    ["b.jpg", "printf '<!doctype html>' > b.jpg", "<!doctype html>"],
    ["c.gif", `printf '{"d":1}' > c.gif`, '{"d":1}'],
    ["d.webp", "printf 'RIFF is a format' > d.webp", "RIFF is a format"],
  ])("R09 shows text named %s as text", async (path, fixture, text) => {
    const at = openWorkspace(fixture);
    const done = await at.does("read", { path });
    expect(done.images).toEqual([]);
    expect(done.content).toContain(`1\t${text}`);
  });

  it("R09 shows an empty file with an image's extension as empty", async () => {
    const at = openWorkspace(": > a.png");
    const done = await at.does("read", { path: "a.png" });
    expect(done.images).toEqual([]);
    expect(done.content).toMatch(/empty/);
  });

  it.each(["p.jpg", "p", "p.txt"])("R10 declares a PNG named %s by its bytes", async (path) => {
    const at = openWorkspace(`printf '${PNG}' | base64 -d > ${path}`);
    const done = await at.does("read", { path });
    expect(done.images).toHaveLength(1);
    expect(done.images[0]).toMatchObject({ mediaType: "image/png", width: 1, height: 1 });
    expect(
      Buffer.from(done.images[0]?.base64 ?? "", "base64")
        .subarray(0, 4)
        .toString("latin1"),
    ).toBe("\x89PNG");
    expect(done.content.split("\n")[0]).toMatch(/PNG.*1\s*[x×]\s*1/i);
  });

  it("R10 refuses a PNG that is cut off, which a provider would refuse on every later turn", async () => {
    const at = openWorkspace(`printf '${PNG}' | base64 -d | head -c 40 > p.png`);
    await at.refuses("read", { path: "p.png" }, "image-invalid");
  });

  it("R10 refuses a PNG whose bytes are spoilt in the middle", async () => {
    const at = openWorkspace(
      `printf '${PNG}' | base64 -d > p.png; printf 'XX' | dd of=p.png bs=1 seek=45 conv=notrunc 2>/dev/null`,
    );
    await at.refuses("read", { path: "p.png" }, "image-invalid");
  });
});

describe("read: names that look alike", () => {
  it.each([
    ["U+202F", String.raw`\xe2\x80\xaf`],
    ["U+00A0", String.raw`\xc2\xa0`],
    ["U+2009", String.raw`\xe2\x80\x89`],
    ["U+3000", String.raw`\xe3\x80\x80`],
  ])("R14 finds a name that differs only in its kind of space (%s)", async (codePoint, bytes) => {
    const at = openWorkspace(`f="$(printf 'Shot 2026 at 1.01${bytes}AM.txt')"; printf 'pixels\\n' > "$f"`);
    const done = await at.does("read", { path: "Shot 2026 at 1.01 AM.txt" });
    expect(done.content).toContain("1\tpixels");
    expect(done.content).toContain(codePoint);
  });

  it("R14 does not guess between two such names, and lists them with the characters escaped", async () => {
    const at = openWorkspace(
      String.raw`printf a > "$(printf 'a\xe2\x80\xafb')"; printf b > "$(printf 'a\xc2\xa0b')"`,
    );
    const refused = await at.refuses("read", { path: "a b" }, "path-missing");
    expect(refused.content).toMatch(/U\+202F/);
    expect(refused.content).toMatch(/U\+00A0/);
  });

  it("R14 takes an exact name before one that looks alike", async () => {
    const at = openWorkspace(String.raw`printf plain > 'a b'; printf odd > "$(printf 'a\xc2\xa0b')"`);
    expect((await at.does("read", { path: "a b" })).content).toContain("1\tplain");
    expect((await at.does("read", { path: "a\u00A0b" })).content).toContain("1\todd");
  });

  it("R14 finds a name in another normalisation, and a directory too", async () => {
    const at = openWorkspace(
      String.raw`d="$(printf 'cafe\xcc\x81')"; mkdir "$d"; printf 'x\n' > "$d/$(printf 'u\xcc\x88.txt')"`,
    );
    expect((await at.does("read", { path: "caf\u00e9/\u00fc.txt" })).content).toContain("1\tx");
    await at.edit("caf\u00e9/\u00fc.txt", "x", "y");
    expect(at.text("cafe\u0301/u\u0308.txt")).toBe("y\n");
  });

  it("R14 creates what write names, character by character", async () => {
    const at = openWorkspace(String.raw`printf odd > "$(printf 'a\xc2\xa0b')"`);
    const out = await at.call("write", { path: "a b", content: "new" });
    if (out.isError) expectRefusal(out);
    expect(at.text("a\u00A0b")).toBe("odd");
    if (!out.isError) expect(at.text("a b")).toBe("new");
  });
});
