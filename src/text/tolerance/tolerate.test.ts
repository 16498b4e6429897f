import { describe, expect, it } from "vitest";
import type { Encoding } from "../encodings.ts";
import { applyEdits } from "../replace.ts";

interface Outcome {
  readonly after?: string;
  readonly rule?: string;
  readonly lines?: readonly number[];
  readonly failure?: string;
}

function edit(
  before: string,
  oldText: string,
  newText: string,
  options: { strict?: boolean; encoding?: Encoding } = {},
): Outcome {
  const { strict = false, encoding = "utf-8" } = options;
  const edited = applyEdits({ bytes: Buffer.from(before), encoding, asciiOnly: false, bomBytes: 0, strict }, [
    { oldText, newText, replaceAll: false },
  ]);
  if ("kind" in edited) return { failure: edited.kind };
  const [landed] = edited.landed;
  return { after: edited.after.toString(), ...(landed && { rule: landed.rule, lines: landed.tolerated }) };
}

describe("a text that fits but for one named rule", () => {
  it("lands where only blanks at line ends differ, and keeps those of lines nobody touched", () => {
    const before = "keep  \npick me  \nnext\nend\t\n";
    expect(edit(before, "pick me\nnext", "pick me\nNEXT")).toEqual({
      after: "keep  \npick me  \nNEXT\nend\t\n",
      rule: "trailing-blanks",
      lines: [2],
    });
    expect(edit("a\nb\n", "a \nb\t\n", "a \nB\t\n")).toMatchObject({
      after: "a\nB\n",
      rule: "trailing-blanks",
    });
    expect(edit("x = 1  \ny\n", "x = 1\ny", "x = 2\ny")).toMatchObject({ after: "x = 2  \ny\n" });
  });

  it("lands where the sent text begins or ends inside a line", () => {
    expect(edit("foo(a,  \n  b); rest\n", "(a,\n  b)", "(a,\n  c)")).toMatchObject({
      after: "foo(a,  \n  c); rest\n",
    });
  });

  it("lands where the whole text is shifted, and shifts the new lines with it", () => {
    const before = "class A:\n    def f(self):\n        return 1\n";
    expect(edit(before, "def f(self):\n    return 1\n", "def f(self):\n    x = 2\n\n    return x\n")).toEqual(
      {
        after: "class A:\n    def f(self):\n        x = 2\n\n        return x\n",
        rule: "indentation",
        lines: [2, 3],
      },
    );
    expect(edit("if a:\n  b\n", "    if a:\n      b\n", "    if a:\n      c\n")).toMatchObject({
      after: "if a:\n  c\n",
    });
  });

  it("lands where spaces were sent for tabs, alone or with a shift", () => {
    const before = "\tif x:\n\t\ty = 1\n";
    expect(edit(before, "    if x:\n        y = 1\n", "    if x:\n        y = 2\n        z\n")).toMatchObject(
      {
        after: "\tif x:\n\t\ty = 2\n\t\tz\n",
        rule: "indentation",
      },
    );
    expect(edit(before, "if x:\n  y = 1\n", "if x:\n  y = 2\n")).toMatchObject({
      after: "\tif x:\n\t\ty = 2\n",
    });
    expect(edit("    a\n        b\n", "\ta\n\t\tb\n", "\ta\n\t\tc\n")).toMatchObject({
      after: "    a\n        c\n",
    });
  });

  it("lands where line numbers of several tools were pasted", () => {
    const before = "one\ntwo\nthree\n";
    for (const [old, fresh] of [
      ["2\ttwo\n3\tthree", "2\ttwo\n3\tTHREE"],
      ["     2\ttwo\n     3\tthree\n", "     2\ttwo\n     3\tTHREE\n"],
      ["     2→two\n     3→three", "     2→two\n     3→THREE"],
      ["00002| two\n00003| three", "00002| two\n00003| THREE"],
      ["2: two\n3: three", "two\nTHREE"],
      ["3:three", "3:THREE"],
    ] as const) {
      expect(edit(before, old, fresh)).toMatchObject({ after: "one\ntwo\nTHREE\n", rule: "line-numbers" });
    }
  });

  it("does not take a time for a line number, nor a number that its line does not have", () => {
    expect(edit("Meeting at 11:30\n", "12:30", "12:45")).toEqual({ failure: "no-match" });
    expect(edit("a\nb\n30\n", "12:30", "12:45")).toEqual({ failure: "no-match" });
    expect(edit("one\ntwo more\n", "2\ttwo", "2\tTWO")).toEqual({ failure: "no-match" });
  });

  it("lands where look-alike characters were sent, and keeps those of the file", () => {
    expect(edit("a = “x” ; b = “y”\n", 'b = "y"', 'b = "z"')).toMatchObject({
      after: "a = “x” ; b = “z”\n",
      rule: "look-alikes",
    });
    expect(edit("foo\u00a0bar\n", "foo bar", "foo baz")).toMatchObject({ after: "foo\u00a0baz\n" });
    expect(edit("cafe\u0301 = 1\n", "caf\u00e9 = 1", "caf\u00e9 = 2")).toMatchObject({
      after: "cafe\u0301 = 2\n",
    });
    expect(edit("a – b\nc – d\n", "a - b\nc - d", "a - b\nnew - line\nc - d")).toMatchObject({
      after: "a – b\nnew – line\nc – d\n",
    });
  });

  it("takes over a dash only between the same kind of neighbours", () => {
    expect(edit("a – b\n", "a - b", "a - b - c--")).toMatchObject({ after: "a – b – c--\n" });
    expect(edit("it’s\n", "it's", "it's 'ok'")).toMatchObject({ after: "it’s 'ok'\n" });
    expect(edit("a “b c\n", 'a "b c', 'a "b" c')).toMatchObject({ after: 'a “b" c\n' });
  });

  it("counts a place once that two rules explain by other bytes of the same lines", () => {
    expect(edit("a\t\r\n\r\nb\t&\r\n", "\n\nb\t", "")).toMatchObject({
      after: "a\t&\r\n",
      rule: "line-endings",
    });
  });

  it("does not guess which of a pair of quotes a new one is", () => {
    expect(edit("say “hi” now\n", 'say "hi” now', 'say "hi" now')).toMatchObject({ after: 'say “hi" now\n' });
  });

  it("takes a new text as it was sent where a line of it stands in the file so", () => {
    const table = edit("a | b\n1 | x\n", "1| a | b\n2| 1 | x", "a | b\n1 | x\n2 | y");
    expect(table).toMatchObject({ after: "a | b\n1 | x\n2 | y\n", rule: "line-numbers" });
    const log = edit("12:00 x\n12:01 y\n", "1:12:00 x\n2:12:01 y", "12:00 x\n12:01 z");
    expect(log).toMatchObject({ after: "12:00 x\n12:01 z\n", rule: "line-numbers" });
  });

  it("changes blanks at line ends where the new text does", () => {
    expect(edit("x \ny\n", "x\ny", "x  \ny")).toMatchObject({ after: "x  \ny\n", rule: "trailing-blanks" });
  });

  it("reads a tab as one step of what was sent, or of the file", () => {
    const tabs = "if a:\n\tif b:\n\t\tfoo();\n";
    expect(edit(tabs, "    foo();\n", "    foo();\n        bar();\n")).toMatchObject({
      after: `${tabs}\t\t\tbar();\n`,
    });
    const blanks = "    if b:\n        foo();\n";
    expect(edit(blanks, "\tfoo();\n", "\tfoo();\n\t\tbar();\n")).toMatchObject({
      after: `${blanks}            bar();\n`,
    });
    // A new line in blanks in a file of tabs: whether they would become tabs is open.
    const flush = edit("\\tfoo()\\n\\tbar()\\n", "foo()\\nbar()\\n", "foo()\\nif x:\\n    y()\\nbar()\\n");
    expect(flush).toEqual({ failure: "no-match" });
  });

  it("counts what differs in line endings alone as the exact text of a CRLF file", () => {
    expect(edit("x\r\ny\r\n-\r\nx  \r\ny\r\n", "x\ny\n", "x\nZ\n")).toMatchObject({
      after: "x\r\nZ\r\n-\r\nx  \r\ny\r\n",
      rule: "line-endings",
    });
  });

  it("gives a new line the ending of the line before it", () => {
    expect(edit("a  \r\nb\nc\nd\n", "a\nb\nc", "a\nb\nx\nc")).toMatchObject({ after: "a  \r\nb\nx\nc\nd\n" });
  });

  it("lands where HTML escapes were sent", () => {
    expect(
      edit("if (a < b && c) {}\n", "if (a &lt; b &amp;&amp; c)", "if (a &lt;= b &amp;&amp; c)"),
    ).toMatchObject({
      after: "if (a <= b && c) {}\n",
      rule: "html-escapes",
    });
  });

  it("lands where a literal \\n was sent for a newline", () => {
    expect(edit("a\r\nb\r\n", "a\\nb", "a\\nB")).toMatchObject({
      after: "a\r\nB\r\n",
      rule: "literal-newlines",
    });
  });

  it("lands where the final newline or one blank line is missing or too many", () => {
    expect(edit("a\nb", "b\n", "B\n")).toMatchObject({ after: "a\nB", rule: "final-newline" });
    expect(edit("a\nb", "b\n", "B\nc\n")).toMatchObject({ after: "a\nB\nc", rule: "final-newline" });
    expect(edit("a\n\nb\nc\n", "a\nb\n", "a\nB\n")).toMatchObject({
      after: "a\n\nB\nc\n",
      rule: "blank-line",
    });
    expect(edit("a\nb\nc\n", "a\n\nb\n", "a\n\nB\n")).toMatchObject({
      after: "a\nB\nc\n",
      rule: "blank-line",
    });
    expect(edit("a\nb\nc\n", "a\nb\n\n", "A\nb\n\n")).toMatchObject({
      after: "A\nb\nc\n",
      rule: "blank-line",
    });
  });

  it("lands with line endings of its own beside the one rule", () => {
    expect(edit("a  \r\nb\r\nc\r\n", "a\nb\n", "a\nB\nx\n")).toMatchObject({
      after: "a  \r\nB\r\nx\r\nc\r\n",
    });
  });
});

describe("a text that is refused", () => {
  it("needs two rules at once", () => {
    expect(edit("\tsay(“hi”)\n", '    say("hi")\n', '    say("ho")\n')).toEqual({ failure: "no-match" });
  });

  it("differs in one word", () => {
    expect(edit("const total = a + b;\n", "const total = a + c;", "x")).toEqual({ failure: "no-match" });
  });

  it("fits two places under tolerance, by one rule or by two", () => {
    expect(edit("f() \nf()\t\n", "f()\n", "g()\n")).toEqual({ failure: "ambiguous" });
    expect(edit("  a\n  b\nx\na \nb\n", "a\nb\n", "a\nc\n")).toEqual({ failure: "ambiguous" });
  });

  it("lost its relative indentation", () => {
    expect(edit("if a:\n    b\nc\n", "if a:\nb\n", "if a:\nd\n")).toEqual({ failure: "no-match" });
  });

  it("would leave the new text's indentation open", () => {
    // Taken away from a new line that has none, the shift says nothing.
    expect(edit("a\n", "    a\n", "    a\nlabel:\n")).toEqual({ failure: "no-match" });
  });

  it("was escaped, while the new text is half escaped and half not", () => {
    expect(edit("a < b\n", "a &lt; b", 'a < b; "&lt;"')).toEqual({ failure: "no-match" });
  });

  it("has a literal \\n, while the new text has one inside quotes", () => {
    expect(edit("a\nb\n", "a\\nb", 'a\\nprint("x\\n")\\nb')).toEqual({ failure: "no-match" });
  });

  it("has a literal \\n, while the new text has one in a regular expression", () => {
    expect(edit("a\nb\n", "a\\nb", "a\\nx = /p\\nq/\\nb")).toEqual({ failure: "no-match" });
  });

  it("was pasted with line numbers, while the new text has them on some lines only", () => {
    expect(edit("12:00 x\n", "1:12:00 x", "1:12:00 x\n12:05 y")).toEqual({ failure: "no-match" });
  });

  it("has a literal \\n among names that begin with a backslash, or in a path or a sentence", () => {
    const tex = "\\a{1}\\n\\newcommand{x}\\n\\b{2}";
    expect(edit("\\a{1}\n\\b{2}\n", "\\a{1}\\n\\b{2}", tex)).toEqual({ failure: "no-match" });
    expect(edit("a\nb\n", "a\\nb", "a\\ncd C:\\new\\nb")).toEqual({ failure: "no-match" });
    expect(edit("a\nb\n", "a\\nb", "a\\nb # split on \\n here")).toEqual({ failure: "no-match" });
  });

  it("had blanks at its end that stand in the middle of a line of the file", () => {
    expect(edit("foobar\n", "foo ", "foo = 1")).toEqual({ failure: "no-match" });
    expect(edit("foo();\nbar();\n", "foo();\n  ", "foo();\n  x")).toEqual({ failure: "no-match" });
    expect(edit("bar\nfoo()\n", "   \nfoo()\n", "x\nfoo()\n")).toEqual({ failure: "no-match" });
  });

  it("parts the lines between which the file has a blank line more, or one less", () => {
    const before = "import a\n\nrun(b)\n";
    expect(edit(before, "import a\nrun(b)\n", "from x import y\nfrom z import w\nrun(b)\n")).toEqual({
      failure: "no-match",
    });
    expect(edit("a\n\nb\n", "a\nb\n", "b\n")).toEqual({ failure: "no-match" });
    expect(edit("a\n\n\nb\n", "a\n\nb\n", "a\nb\n")).toEqual({ failure: "no-match" });
  });

  it("is blank", () => {
    expect(edit("a\n\n\nb\n", "  \n\t\n", "x")).toEqual({ failure: "no-match" });
  });

  it("meets strict edits", () => {
    for (const [before, old] of [
      ["a \nb\n", "a\nb"],
      ["a\r\nb\r\n", "a\nb"],
      ["\ta\n", "    a"],
    ] as const) {
      expect(edit(before, old, "x", { strict: true })).toEqual({ failure: "no-match" });
    }
  });
});

describe("a text that fits exactly", () => {
  it("is never folded or unescaped", () => {
    expect(edit("&lt; and <\n", "&lt;", "&gt;")).toMatchObject({ after: "&gt; and <\n", rule: "exact" });
    expect(edit('print("a\\n")\n', '"a\\n"', '"b\\n"')).toMatchObject({
      after: 'print("b\\n")\n',
      rule: "exact",
    });
  });
});
