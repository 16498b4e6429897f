import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Encoding } from "./encodings.ts";
import { applyEdits, type Edit } from "./replace.ts";

const edit = (oldText: string, newText: string, replaceAll = false): Edit => ({
  oldText,
  newText,
  replaceAll,
});

function apply(before: string | Buffer, edits: Edit[], encoding: Encoding = "utf-8") {
  return applyEdits(
    {
      bytes: typeof before === "string" ? Buffer.from(before) : before,
      encoding,
      asciiOnly: false,
      bomBytes: 0,
      strict: false,
    },
    edits,
  );
}

function resultOf(before: string | Buffer, ...edits: Edit[]): string {
  const edited = apply(before, edits);
  if ("kind" in edited) throw new Error(`expected an edit, got ${edited.kind}`);
  return edited.after.toString();
}

describe("applying edits to bytes", () => {
  it("gives new text the line ending of the place it lands in", () => {
    expect(resultOf("x = 1\r\ny = 2\r\nz = 3\r\n", edit("y = 2\nz", "y = 22\nz"))).toBe(
      "x = 1\r\ny = 22\r\nz = 3\r\n",
    );
    expect(resultOf("a\r\nb\r\n", edit("b", "b1\r\nb2"))).toBe("a\r\nb1\r\nb2\r\n");
    expect(resultOf("a\nb\n", edit("b", "b1\r\nb2"))).toBe("a\nb1\nb2\n");
  });

  it("finds text in either half of a file of mixed endings and leaves the other half alone", () => {
    const mixed = "a1\na2\nb1\r\nb2\r\n";
    expect(resultOf(mixed, edit("a1\na2", "A1\nA2"))).toBe("A1\nA2\nb1\r\nb2\r\n");
    expect(resultOf(mixed, edit("b1\nb2", "B1\nB2"))).toBe("a1\na2\nB1\r\nB2\r\n");
    expect(resultOf(mixed, edit("a2\nb1", "X\nY"))).toBe("a1\nX\nY\r\nb2\r\n");
  });

  it("leaves each line of mixed endings its own, whatever is put between them", () => {
    const mixed = "a\r\nb\nc\r\n";
    expect(resultOf(mixed, edit("a\nb\nc\n", "a\nx\nb\nc\n"))).toBe("a\r\nx\r\nb\nc\r\n");
    expect(resultOf(mixed, edit("a\nb\nc\n", "b\nc\n"))).toBe("b\nc\r\n");
    expect(resultOf(mixed, edit("a\r\nb\nc", "a\nb\nx\nc"))).toBe("a\r\nb\nx\nc\r\n");
  });

  it("leaves the break behind a place to the line that it ended", () => {
    expect(resultOf("a\nb\r\nz\r\n", edit("a\nb", "a\nb\nc"))).toBe("a\nb\r\nc\r\nz\r\n");
  });

  it("replaces all that looks the same in a file of mixed endings", () => {
    expect(resultOf("a\nb\n-\na\r\nb\r\n", edit("a\nb", "X", true))).toBe("X\n-\nX\r\n");
  });

  it("loses no byte where places share a carriage return", () => {
    expect(resultOf("\r\na\r\na\r\nlast line\n", edit("\na\r", "X", true))).toMatch(/\nlast line\n$/);
    expect(resultOf("h\n\r\n\rx\nkeep me\n", edit("\n\r", "", true))).toMatch(/x\nkeep me\n$/);
  });

  it("refuses edits that add up to nothing by other lines", () => {
    expect(apply("h\na\na\na\nt\n", [edit("h\na", "h\na\na"), edit("a\nt", "t")])).toEqual({
      kind: "no-change",
    });
  });

  it("names the last line where the end was taken away, and the right ones in UTF-16", () => {
    expect(apply("a\nb\n", [edit("b\n", "")])).toMatchObject({ landed: [{ lines: [1] }] });
    const wide = Buffer.from("a\nb\nc\nd\ne\n", "utf16le").swap16();
    const edits = [edit("a", "x"), edit("b", "y"), edit("d", "z"), edit("e", "w")];
    expect(apply(wide, edits, "utf-16be")).toMatchObject({
      landed: [[1], [2], [4], [5]].map((lines) => ({ lines })),
    });
  });

  it("matches no half of a character above the longest line", () => {
    const bytes = Buffer.concat([
      Buffer.from("x\r\n"),
      Buffer.from([0x81]),
      Buffer.from("A\r\nlonger line\r\n"),
    ]);
    expect(apply(bytes, [edit("A\nlonger line", "B\nlonger line")], "gb18030")).toMatchObject({
      kind: "no-match",
    });
  });

  it("never tears a CRLF apart when the old text begins with a newline", () => {
    expect(resultOf("y\r\nz\r\n", edit("\nz", "\nq"))).toBe("y\r\nq\r\n");
    expect(resultOf("y\r\nz\r\n", edit("\nz", "z"))).toBe("yz\r\n");
  });

  it("matches a text of line breaks alone", () => {
    expect(resultOf("a\r\n\r\nb\r\n", edit("\n\nb", "\nb"))).toBe("a\r\nb\r\n");
  });

  it("keeps a lone carriage return as a character of its line", () => {
    expect(resultOf("a\rb\nc\n", edit("c", "d"))).toBe("a\rb\nd\n");
  });

  it("counts overlapping occurrences as ambiguous, and replaces without overlap", () => {
    expect(apply("aaa", [edit("aa", "b")])).toMatchObject({ kind: "ambiguous" });
    expect(resultOf("aaa", edit("aa", "b", true))).toBe("ba");
  });

  it("names the lines of an ambiguous text as they are on disk, not after earlier edits", () => {
    const failure = apply("x\na b\nb\n", [edit("x", "x\nx\nx"), edit("b", "c")]);
    if (!("kind" in failure) || failure.kind !== "ambiguous") throw new Error("expected an ambiguity");
    expect(failure.places.map((place) => place.line)).toEqual([2, 3]);
  });

  it("says at which lines of the new text each edit landed, the changed lines alone", () => {
    const edited = apply("1\n2\n3\n4\n", [edit("\n4\n", "\nFOUR\n"), edit("1\n", "one\nand a half\n")]);
    expect(edited).toMatchObject({ landed: [{ lines: [5] }, { lines: [1] }] });
  });

  it("refuses a list whose net effect is nothing", () => {
    expect(apply("a\n", [edit("a", "b"), edit("b", "a")])).toEqual({ kind: "no-change" });
  });

  it("matches UTF-16 by whole units", () => {
    const before = Buffer.from("\uFEFFa=1\r\nb=2\r\n", "utf16le");
    const edited = apply(before, [edit("a=1\nb=2", "a=10\nb=2")], "utf-16le");
    if ("kind" in edited) throw new Error(edited.kind);
    expect(edited.after.equals(Buffer.from("\uFEFFa=10\r\nb=2\r\n", "utf16le"))).toBe(true);
    // U+6100 U+3D00 holds the bytes of "a=" across its units, which is no "a=".
    const across = Buffer.from("\u6100\u3d00", "utf16le");
    expect(apply(across, [edit("a=", "b")], "utf-16le")).toMatchObject({ kind: "no-match" });
  });

  it("holds edits of invalid text to ASCII", () => {
    const of = {
      bytes: Buffer.from([0x61, 0x3d, 0x31, 0x0a, 0xef, 0x0a]),
      encoding: "utf-8",
      asciiOnly: true,
      bomBytes: 0,
      strict: false,
    } as const;
    expect(applyEdits(of, [edit("a=1", "é")])).toEqual({ kind: "encoding", index: 0 });
    const edited = applyEdits(of, [edit("a=1", "a=2")]);
    expect("after" in edited && [...edited.after]).toEqual([0x61, 0x3d, 0x32, 0x0a, 0xef, 0x0a]);
  });
});

describe("any list of edits", () => {
  const alphabet = fc.constantFrom("a", "b", "\n", "\r\n", "\r", "é", "😀", "$&");
  const text = (max: number) => fc.array(alphabet, { maxLength: max }).map((parts) => parts.join(""));
  const someEdits = fc.array(fc.tuple(text(3), text(4), fc.boolean()), { minLength: 1, maxLength: 3 });

  it("agrees with plain string replacement where the old text has no line break", () => {
    const flat = (max: number) => text(max).map((value) => value.replace(/[\r\n]/g, ""));
    fc.assert(
      fc.property(text(20), flat(3), flat(4), (before, old, fresh) => {
        fc.pre(old !== "" && old !== fresh);
        const edited = apply(before, [edit(old, fresh, true)]);
        const expected = before.split(old).join(fresh);
        if ("kind" in edited) expect(["no-match", "no-change"]).toContain(edited.kind);
        else expect(edited.after.toString()).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it("keeps every byte outside its splices", () => {
    fc.assert(
      fc.property(text(24), someEdits, (before, list) => {
        const edits = list.filter(([old]) => old !== "").map(([old, fresh, all]) => edit(old, fresh, all));
        fc.pre(edits.length > 0);
        const edited = apply(before, edits);
        if ("kind" in edited) return;
        const original = Buffer.from(before);
        let rebuilt = Buffer.alloc(0);
        let from = 0;
        for (const splice of edited.splices) {
          const fresh = edited.after.subarray(splice.newStart, splice.newEnd);
          rebuilt = Buffer.concat([rebuilt, original.subarray(from, splice.start), fresh]);
          from = splice.end;
        }
        expect(Buffer.concat([rebuilt, original.subarray(from)]).equals(edited.after)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it("adds no carriage return to a file of LF and no bare LF to a file of CRLF", () => {
    fc.assert(
      fc.property(text(16), text(4), text(4), fc.constantFrom("\n", "\r\n"), (body, old, fresh, ending) => {
        const plain = (value: string) => value.replace(/\r/g, "");
        const before = `${plain(body)}\n`.replace(/\n/g, ending);
        fc.pre(plain(old) !== "" && plain(old) !== plain(fresh));
        const edited = apply(before, [edit(plain(old), plain(fresh), true)]);
        if ("kind" in edited) return;
        const after = edited.after.toString();
        if (ending === "\n") expect(after).not.toContain("\r");
        else expect(after.replace(/\r\n/g, "")).not.toMatch(/[\r\n]/);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("the byte order mark", () => {
  const bytes = Buffer.from("\uFEFFone\ntwo\n");
  const marked = { bytes, encoding: "utf-8", bomBytes: 3, asciiOnly: false, strict: false } as const;

  it("stays, once, whatever an edit at the start of the file sends", () => {
    for (const [old, fresh] of [
      ["one", "ONE"],
      ["\uFEFFone", "ONE"],
      ["\uFEFFone", "\uFEFFONE"],
      ["one", "\uFEFFONE"],
    ] as const) {
      const edited = applyEdits(marked, [edit(old, fresh)]);
      expect("after" in edited && edited.after.toString()).toBe("\uFEFFONE\ntwo\n");
    }
  });

  it("is no text that could be found", () => {
    expect(applyEdits(marked, [edit("\uFEFF", "x", true)])).toMatchObject({ kind: "no-match" });
  });
});
