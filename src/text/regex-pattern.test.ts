import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { isRefusal } from "../contract/refusal.ts";
import { makeLineFinder } from "./line-finder.ts";
import { compilePattern, type PatternRequest, type SearchPattern } from "./regex-pattern.ts";
import { makeSpanFinder } from "./span-finder.ts";

function compile(pattern: string, options: Partial<PatternRequest> = {}): SearchPattern {
  const compiled = compilePattern({
    pattern,
    literal: false,
    ignoreCase: false,
    multiline: false,
    ...options,
  });
  if (isRefusal(compiled)) throw new Error(`${pattern}: ${compiled.facts.construct}`);
  return compiled;
}

function refusal(pattern: string) {
  const compiled = compilePattern({ pattern, literal: false, ignoreCase: false, multiline: false });
  return isRefusal(compiled) ? compiled.facts : undefined;
}

/** The matching lines of a text, as the text that would be shown. */
function linesOf(pattern: SearchPattern, text: string | Buffer): string[] {
  const bytes = Buffer.from(text);
  const found: string[] = [];
  for (const hit of makeLineFinder(pattern).find(bytes, 0, bytes.length)) {
    if (hit !== undefined) found.push(bytes.toString("utf8", hit.start, hit.end));
  }
  return found;
}

function spansOf(pattern: string, text: string, options: Partial<PatternRequest> = {}): string[] {
  const bytes = Buffer.from(text);
  const found: string[] = [];
  for (const span of makeSpanFinder(compile(pattern, { multiline: true, ...options })).find(bytes)) {
    if (span !== undefined) found.push(bytes.toString("utf8", span.start, span.end));
  }
  return found;
}

describe("a search pattern", () => {
  it.each([
    ["end$", "end\r\nend\nending", ["end", "end"]],
    ["^end$", "end\r\nend\r\r\n", ["end"]],
    ["d\\b$", "end\r\nend\n", ["end", "end"]],
    ["^$", "a\n\nb\r\n\r\n", ["", ""]],
    ["a.$", "ab\r\na\r\n", ["ab"]],
    ["a\\s$", "a \r\na\r\n", ["a "]],
    ["\\r$", "a\r\nb\n", ["a"]],
    ["interface{}", "interface{}\ninterface", ["interface{}"]],
    ["x{,3}", "x{,3}\nxxx", ["x{,3}"]],
    ["a{2}", "aa\na", ["aa"]],
    ["->", "x -> y", ["x -> y"]],
    ["\\Qa.b\\E+", "a.bb\naxb", ["a.bb"]],
    ["[]a]b", "]b\nxb", ["]b"]],
    ["[^\\d\\s]+", "12 3\n1x", ["1x"]],
    ["\\x41\\u0042\\x{43}", "ABC\nabc", ["ABC"]],
    ["(?i)straße", "STRASSE\nSTRAßE\nstraẞe", ["STRAßE", "straẞe"]],
    ["\\<foo\\>", "foo\nfoobar\nafoo", ["foo"]],
    ["(?x) a  b # both", "ab\na b", ["ab"]],
    ["(?s)a.b", "a\nb\naxb", ["axb"]],
  ])("%j finds what it should", (pattern, text, lines) => {
    expect(linesOf(compile(pattern), text)).toEqual(lines);
  });

  it.each([
    ["\\w+", "é\n-\nд\n_", ["é", "д", "_"]],
    ["\\bж\\b", "a ж b\nжж\nжa", ["a ж b"]],
    ["\\Bé", "café\né", ["café"]],
    ["^\\d$", "٣\nx", ["٣"]],
    ["a\\sb", "a\u00a0b\na\u2003b\nab", ["a\u00a0b", "a\u2003b"]],
    ["^.$", "😀\né\nab", ["😀", "é"]],
    ["\\p{Greek}", "aβ\nab", ["aβ"]],
    ["\\pL\\P{Lu}", "ab\naB\n11", ["ab"]],
    ["[α-ω]", "β\nb", ["β"]],
  ])("%j knows Unicode", (pattern, text, lines) => {
    expect(linesOf(compile(pattern), text)).toEqual(lines);
  });

  it.each([
    ["σ", "Σ\nς\nσ\ns", ["Σ", "ς", "σ"]],
    ["k", "K\n\u212a\nx", ["K", "\u212a"]],
    ["[à-é]", "À\nÉ\nA", ["À", "É"]],
    ["ДОМ", "дом", ["дом"]],
  ])("%j folds case by Unicode", (pattern, text, lines) => {
    expect(linesOf(compile(pattern, { ignoreCase: true }), text)).toEqual(lines);
  });

  it("never takes a byte that is no UTF-8 for a character", () => {
    const text = Buffer.from("caf\xe9 x\n\xe9\ncaf\xff\n", "latin1");
    expect(linesOf(compile("caf. x"), text)).toEqual([]);
    expect(linesOf(compile("^caf"), text)).toHaveLength(2);
    expect(linesOf(compile("f\\b"), text)).toHaveLength(2);
  });

  it.each([
    ["foo(?!bar)", "negative look-ahead"],
    ["(?=a)b", "look-ahead"],
    ["(?<=foo)baz", "look-behind"],
    ["(?<!a)b", "negative look-behind"],
    ["(a)\\1", "back-reference \\1"],
    ["(?P<n>a)(?P=n)", "back-reference"],
    ["\\k<n>", "back-reference"],
    ["(?>a+)b", "atomic group"],
    ["a++", "possessive quantifier"],
    ["a{2}+", "possessive quantifier"],
    ["(?(1)a|b)", "conditional"],
    ["a(?R)?b", "recursion"],
    ["a{1001}", "count above 1000"],
    ["((a{100}){100}){100}", "size"],
  ])("%j is refused by name", (pattern, construct) => {
    expect(refusal(pattern)?.construct).toContain(construct);
  });

  it.each([
    ["a++b", "a+b"],
    ["(?>a+)b*+", "(?:a+)b*"],
    ["a\\Rb", "a\\nb"],
    ["(?>a)(?=b)", undefined],
  ])("%j is refused with a rewrite that works", (pattern, rewrite) => {
    expect(refusal(pattern)?.rewrite).toBe(rewrite);
  });

  it.each([
    "f(",
    "[",
    "*x",
    "a)",
    "x{3,1}",
    "(?<",
    "\\",
    "[z-a]",
    "a**",
    "x{2}{2}",
    "x*{2}",
    "x{2}?{3,}",
    "(x{2}){2}{2}",
    "\\y",
    "(?P<a",
  ])("%j does not parse, is searched literally, and that is said", (pattern) => {
    const compiled = compile(pattern);
    expect(compiled.taken).toContain("searched literally");
    expect(linesOf(compiled, `nothing\n<${pattern}>\n`)).toEqual([`<${pattern}>`]);
  });

  it("takes a literal text as it is", () => {
    expect(linesOf(compile("a.b(", { literal: true }), "a.b(c\naxb(")).toEqual(["a.b(c"]);
    expect(linesOf(compile("É.", { literal: true, ignoreCase: true }), "é.\né")).toEqual(["é."]);
  });

  it("crosses lines where it spells out a line break, and says so", () => {
    const compiled = compile("a\\nb");
    expect(compiled.multiline).toBe(true);
    expect(compiled.taken).toContain("across lines");
  });

  it("is linear on patterns that blow up elsewhere", () => {
    const text = `${"a".repeat(50_000)}!\n`;
    for (const pattern of ["(a+)+$", "(a|aa)+$", "(a*)*b", "(.*a){20}b", "(?:a?){200}a{200}b"]) {
      expect(linesOf(compile(pattern), text)).toEqual([]);
    }
  }, 20_000);
});

describe("matches across lines", () => {
  it("are leftmost, prefer the first alternative, and do not overlap", () => {
    expect(spansOf("a|ab", "abab")).toEqual(["a", "a"]);
    expect(spansOf("ab|a", "aba")).toEqual(["ab", "a"]);
    expect(spansOf("a+?", "aaa")).toEqual(["a", "a", "a"]);
    expect(spansOf("<[\\s\\S]*?>", "<a\nb> <c>")).toEqual(["<a\nb>", "<c>"]);
    expect(spansOf("<[\\s\\S]*>", "<a\nb> <c>")).toEqual(["<a\nb> <c>"]);
  });

  it("take the line ending of the file for a line break", () => {
    expect(spansOf("a\\nb", "a\r\nb\na\nb")).toEqual(["a\r\nb", "a\nb"]);
    expect(spansOf("a$\\n^b", "a\r\nb")).toEqual(["a\r\nb"]);
    expect(spansOf("a\nb", "a\r\nb", { literal: true })).toEqual(["a\r\nb"]);
  });

  it("know the ends of the text", () => {
    expect(spansOf("\\Aa", "a\na")).toEqual(["a"]);
    expect(spansOf("a\\z", "a\na")).toEqual(["a"]);
    expect(spansOf("^$", "a\n\nb\n")).toEqual([""]);
  });
});

function makeRandom(seed: number) {
  let state = seed >>> 0;
  const next = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return { next, pick: <T>(items: readonly T[]): T => items[next(items.length)] as T };
}

type Random = ReturnType<typeof makeRandom>;

function makePattern(random: Random, depth: number): string {
  const atom = (): string => {
    if (depth > 0 && random.next(4) === 0) return `(?:${makePattern(random, depth - 1)})`;
    return random.pick([
      "a",
      "b",
      "c",
      "ab",
      ".",
      "[ab]",
      "[^a]",
      "\\w",
      "\\d",
      "\\s",
      "\\W",
      "^",
      "$",
      "\\b",
      "\\B",
      "x",
      "-",
      "é",
      "[a-c]",
      "\\.",
    ]);
  };
  const piece = () => {
    const part = atom();
    return /^(?:\^|\$|\\b|\\B)$/.test(part)
      ? part
      : part + random.pick(["", "", "", "", "*", "+", "?", "{2}", "{1,3}", "*?", "+?"]);
  };
  const sequence = () => Array.from({ length: 1 + random.next(4) }, piece).join("");
  return random.next(4) === 0 ? `${sequence()}|${sequence()}` : sequence();
}

function makeLine(random: Random): string {
  return Array.from({ length: random.next(8) }, () =>
    random.pick(["a", "b", "c", "a", "b", " ", "1", "-", "x", "."]),
  ).join("");
}

describe("the engine beside another linear one", () => {
  const cases = Number(process.env.HAFT_REGEX_CASES ?? 400);

  it(`finds the same lines on ${cases} generated patterns`, () => {
    for (let seed = 1; seed <= cases; seed++) {
      const random = makeRandom(seed * 104_729);
      const source = makePattern(random, 2);
      const lines = Array.from({ length: 12 }, () => makeLine(random));
      const ignoreCase = random.next(4) === 0;
      const oracle = RE2JS.compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
      const expected = lines.filter((line) => oracle.matcher(line).find());
      const ending = random.pick(["\n", "\r\n"]);
      const text = lines.map((line) => line + ending).join("");
      expect({ seed, source, found: linesOf(compile(source, { ignoreCase }), text) }).toEqual({
        seed,
        source,
        found: expected,
      });
    }
  }, 300_000);

  it(`finds the same matches on ${cases} generated patterns`, () => {
    for (let seed = 1; seed <= cases; seed++) {
      const random = makeRandom(seed * 15_485_863);
      const source = makePattern(random, 2);
      const text = Array.from({ length: 6 }, () => makeLine(random)).join("\n");
      const matcher = RE2JS.compile(source, RE2JS.MULTILINE).matcher(text);
      const expected: string[] = [];
      // An empty match right behind a match counts elsewhere; here each match starts a line of its own sort.
      for (let at = 0; at <= text.length && matcher.find(at); ) {
        const [start, end] = [matcher.start(), matcher.end()];
        if (!(start === text.length && (start === 0 || text[start - 1] === "\n")))
          expected.push(`${start}-${end}`);
        at = end > start ? end : start + 1;
      }
      const bytes = Buffer.from(text);
      const found: string[] = [];
      for (const span of makeSpanFinder(compile(source, { multiline: true })).find(bytes)) {
        if (span !== undefined) found.push(`${span.start}-${span.end}`);
      }
      expect({ seed, source, text, found }).toEqual({ seed, source, text, found: expected });
    }
  }, 300_000);
});
