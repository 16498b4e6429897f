/** Owns what a program printed for a terminal as plain text. Leaves where it is used to the tools. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldTerminal } from "./fold-terminal.ts";

const fold = (text: string): string => foldTerminal(text).text;

describe("foldTerminal", () => {
  it("gives a plain text back as it is", () => {
    const text = "one\ttwo\n\nüñí 😀\n";
    expect(foldTerminal(text)).toEqual({ text, sequences: false, redrawn: 0, symbols: false });
  });

  it("takes CRLF for a line ending and for no folding", () => {
    expect(foldTerminal("a\r\nb\r\r\nc\r\n")).toEqual({
      text: "a\nb\nc\n",
      sequences: false,
      redrawn: 0,
      symbols: false,
    });
  });

  it.each([
    ["colours", "\x1b[31mred\x1b[0m \x1b[1;38;5;208mx\x1b[m", "red x"],
    ["true colour with colons", "\x1b[38:2::255:0:0mx\x1b[39m", "x"],
    ["a title", "\x1b]0;title\x07text", "text"],
    ["a title that ends with ST", "\x1b]2;title\x1b\\text", "text"],
    ["a link", "\x1b]8;;https://x.test/\x1b\\here\x1b]8;;\x1b\\!", "here!"],
    ["a device string", "\x1bPq#0;2\x1b\\after", "after"],
    ["character sets and keypad modes", "\x1b(Bplain\x1b=\x1b>", "plain"],
    ["private modes", "\x1b[?25lhidden\x1b[?25h", "hidden"],
    ["a long payload for the clipboard", `\x1b]52;c;${"QUJD".repeat(5_000)}\x07after`, "after"],
    ["a bell within a device string", "\x1bPq\x07x\x1b\\after", "after"],
    ["an escape alone", "text\x1b", "text"],
    ["escapes in a row", "\x1b\x1b\x1b[31mx", "x"],
    ["the bell", "done\x07", "done"],
  ])("takes out %s", (_about, text, plain) => {
    const folded = foldTerminal(text);
    expect(folded.text).toBe(plain);
    expect(folded.text).not.toMatch(/[\x1b\x9b]/);
  });

  it.each([
    ["a title that never ends", "\x1b]0;open\nnext", "0;open\nnext"],
    ["a device string that never ends", "a\x1bPtext\nb\x1b\\", "atext\nb"],
    ["a device string that ends like a title", "\x1bPtext\x07more", "textmore"],
    ["an application string that never ends", "\x1b_text", "text"],
    ["a private message that never ends", "\x1b^text", "text"],
    ["a string that never ends", "\x1bXtext\r\nnext", "text\nnext"],
    ["a title that was broken off by another sequence", "\x1b]0;a\x1b[31mred\x1b[0m", "0;ared"],
    ["a title that was cancelled", "\x1b]0;a\x18b\x07", "0;a␘b"],
    ["colours without an end", "text\x1b[3", "text3"],
    ["colours broken off by a letter of no sequence", "\x1b[31é", "31é"],
    ["a character set without an end", "\x1b(\nx", "(\nx"],
    ["an escape before a remark", "\x1b  -- x", "  -- x"],
    ["the byte 0x90 of another encoding", "before \x90 after\nline2", "before <U+0090> after\nline2"],
    [
      "the other one-character forms",
      "\x9b31m\x9d0;x\x07 \x98a\x9c \x9eb \x9fc",
      "<U+009B>31m<U+009D>0;x <U+0098>a<U+009C> <U+009E>b <U+009F>c",
    ],
  ])("takes nothing but its beginning for a sequence: %s", (_about, text, plain) => {
    expect(fold(text)).toBe(plain);
  });

  it("loses nothing printable outside a sequence that ends", () => {
    const ended =
      /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\n\r\x18\x1a\x1b]*(?:\x07|\x1b\\)|[PX^_][^\n\r\x18\x1a\x1b]*\x1b\\|[ -/]{1,2}[0-~]|[0-OQ-WYZ\\`-~]|[[\]PX^_])/g;
    const piece = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 5 }),
      fc.constantFrom(
        ..."[]PX^_\\( \n0;m",
        "\x1b",
        "\x1b",
        "\x07",
        "\x18",
        "\x90",
        "\x9b",
        "\x9c",
        "\x1b\\",
        "\x1b[3",
        "\x1b]0;t",
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        // What moves or erases is left out: it says itself that something is to be written over.
        const text = pieces.join("").replace(/\x1b\[[^m\x1b\n]*[A-KST]/g, "");
        const keep = (one: string) =>
          one.replace(/<U\+00..>|[\u2400-\u2421\x00-\x08\x0b-\x1f\x7f-\x9f]/g, "");
        expect(keep(fold(text))).toBe(keep(text.replace(ended, "")));
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    ["a progress line", "\rstep 1/3\rstep 2/3\rstep 3/3\nend", "step 3/3\nend"],
    ["a shorter text over a longer one", "abcdef\rxy", "xycdef"],
    ["a line erased before it is redrawn", "downloading\r\x1b[Kdone", "done"],
    ["a line erased as a whole", "downloading\x1b[2K\rdone", "done"],
    ["a line that ends with its return", "50%\r100%\r", "100%"],
    ["backspaces", "abc\b\b\bxyz", "xyz"],
    ["letters in bold as manuals print them", "N\bNA\bAM\bME\bE", "NAME"],
    ["a spinner", "|\b/\b-\b\\\bok", "ok"],
    ["several lines redrawn from above", "a 1\nb 1\n\x1b[2A\x1b[Ka 2\n\x1b[Kb 2\n", "a 2\nb 2\n"],
    ["what is erased below", "a\nb\nc\x1b[2A\r\x1b[Jz", "z"],
    ["columns", "name\x1b[10Gvalue", "name     value"],
    ["a move to the left", "12345\x1b[2Dxx", "123xx"],
  ])("shows %s as it was last", (_about, text, plain) => {
    expect(fold(text)).toBe(plain);
  });

  it("counts the lines that were redrawn", () => {
    expect(foldTerminal("1\r2\r3\n4\nx\ry\n").redrawn).toBe(2);
    expect(foldTerminal("\x1b[31mred\x1b[0m\n").redrawn).toBe(0);
  });

  it("shows other controls as symbols", () => {
    expect(foldTerminal("a\0b\x7f\x0c\x85\n")).toMatchObject({ text: "a␀b␡␌<U+0085>\n", symbols: true });
  });

  it("writes over whole characters, never half of one", () => {
    expect(fold("😀😀\rx")).toBe("x😀");
  });

  it("gives well-formed text without controls for any text, and folding it again changes nothing", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "\x1b[",
        "\x1b]",
        "\x9b",
        "\r",
        "\b",
        "\n",
        "\x1b[2K",
        "\x1b[1A",
        "\x1b[9B",
        "\x1b[99C",
        "\x1b[J",
        "\x1b[1K",
        "😀",
        "\0",
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = fold(pieces.join(""));
        expect(text.isWellFormed()).toBe(true);
        expect(text).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
        expect(fold(text)).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ["escapes", "\x1b"],
    ["open sequences", "\x1b["],
    ["open strings", "\x1b]0;x"],
    ["returns", "\r"],
    ["returns after a character", "x\r"],
    ["moves up", "x\n\x1b[A"],
    ["moves up over a long line", `\x1b[9A\n`],
    ["moves to the right", "\x1b[999999999Cx\n"],
    ["columns", "\r\x1b[250Gx\n"],
    ["erasures to the left", "\x1b[200C\x1b[1Kx"],
    ["erasures below", "a\nb\x1b[J\x1b[A"],
  ])("stays linear and bounded for a megabyte of %s", (_about, piece) => {
    const text = `${"y".repeat(200_000)}\n${piece.repeat(Math.ceil(800_000 / piece.length))}`;
    const started = performance.now();
    expect(fold(text).length).toBeLessThan(4 * text.length);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
