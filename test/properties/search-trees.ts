/**
 * Owns the trees and the questions that both search engines are compared on.
 * Leaves comparing to search-engines.test.ts. Rule: most of it plain, so that much matches; the rest as odd as it comes.
 */
import fc from "fast-check";

const WORDS = [
  "foo",
  "Foo",
  "bar",
  "été",
  "ÉTÉ",
  "ſ",
  "K",
  "straße",
  "日本",
  "a_b",
  "42",
  "x",
  "-zed",
  "٣",
  "_",
  "🙂",
];
const BETWEEN = [
  " ",
  "  ",
  "\t",
  ".",
  "(",
  ")",
  "[",
  "{}",
  "-",
  "",
  ", ",
  "\u00a0",
  "\ufeff",
  "\r",
  "\u2028",
];

const line = fc
  .array(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(...BETWEEN)), { maxLength: 6 })
  .map((parts) => parts.flat().join(""));
const wholeText = fc
  .tuple(
    fc.array(fc.tuple(line, fc.constantFrom("\n", "\n", "\n", "\r\n", "\r\r\n")), { maxLength: 12 }),
    fc.option(line),
    fc.constantFrom(1, 1, 1, 1, 1, 3_000),
  )
  .map(
    ([lines, last, times]) =>
      lines
        .map((parts) => parts.join(""))
        .join("")
        .repeat(times) + (last ?? ""),
  );

const invalid = (bytes: Buffer) =>
  Buffer.concat([bytes, Buffer.from([0x66, 0xff, 0x6f, 0xe2, 0x82, 0x0a, 0xc3])]);
const ENCODINGS: readonly ((text: string) => Buffer)[] = [
  (text) => Buffer.from(text),
  (text) => Buffer.from(text),
  (text) => Buffer.from(text),
  (text) => Buffer.from(`\ufeff${text}`),
  (text) => Buffer.from(`\ufeff${text}`, "utf16le"),
  (text) => Buffer.from(`\ufeff${text}`, "utf16le").swap16(),
  (text) => Buffer.from(`\ufeff日本\ud800${text}`, "utf16le").subarray(0, -1),
  (text) => Buffer.from(text, "latin1"),
  (text) => invalid(Buffer.from(text)),
  (text) => Buffer.from(`${text}\0`),
  (text) => Buffer.from(`\0${text}`),
  (text) => Buffer.from(`${text}${"far away\n".repeat(20_000)}\0`),
];
const content = fc.tuple(wholeText, fc.constantFrom(...ENCODINGS)).map(([text, encode]) => encode(text));

const name = fc.constantFrom(
  Buffer.from("a.ts"),
  Buffer.from("b.ts"),
  Buffer.from("c.min.js"),
  Buffer.from(".hidden"),
  Buffer.from("target"),
  Buffer.from("[id].tsx"),
  Buffer.from("-n"),
  Buffer.from("é 日"),
  Buffer.from([0x6e, 0xe9]),
  Buffer.from("new\nline"),
  Buffer.from("keep.o"),
  Buffer.from("x.o"),
);
const folder = fc.constantFrom(
  "",
  "",
  "src/",
  "src/deep/",
  "dist/",
  "node_modules/e/",
  "target/",
  ".git/",
  "a.ts.d/",
  "a-b/",
);
const rules = fc
  .array(
    fc.constantFrom(
      "*.o",
      "!keep.o",
      "dist/",
      "/a.ts",
      "src/*",
      "!src/deep",
      "**/deep/**",
      "*.min.js",
      "*",
      "!*/",
      "a*",
      "\\-n",
      "[!a]*",
    ),
    { maxLength: 4 },
  )
  .map((lines) => Buffer.from(lines.join("\n")));

export const tree = fc.record({
  files: fc.array(fc.record({ folder, name, content }), { minLength: 1, maxLength: 14 }),
  ignore: fc.array(fc.record({ folder, rules }), { maxLength: 3 }),
  links: fc.array(fc.tuple(folder, fc.constantFrom("..", "a.ts", "../src", "missing")), { maxLength: 2 }),
});
export type Tree = typeof tree extends fc.Arbitrary<infer T> ? T : never;

const exotic = fc.constantFrom(
  ...WORDS.map((word) => word.replace(/[-_]/g, "\\$&").replace("\\_", "_")),
  ..."fo oo 4 é . \\. \\w \\W \\d \\D \\s \\S \\b \\B [a-f] [^a-z] [\\w.-] \\p{L} \\p{Lu} \\P{L} \\p{Greek} [[:upper:]] \\( \\x{e9} \\r \\t ^ $ \\A \\z \\< \\> (?:) (?i)foo \\x00 [^\\n]".split(
    " ",
  ),
);
const atom = fc.oneof(exotic, fc.constantFrom("foo", "oo", "bar", "4", "été", "x", "\\w", "\\s", "."));
const repeat = fc.constantFrom("", "", "", "", "*", "+", "?", "{2}", "{1,3}", "{0,2}", "+?", "{2,}");
const sequence = fc
  .array(fc.tuple(atom, repeat), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.map(([one, times]) => (times === "" ? one : `(?:${one})${times}`)).join(""));
const regex = fc.oneof(
  { weight: 4, arbitrary: sequence },
  { weight: 2, arbitrary: fc.tuple(sequence, sequence).map((both) => both.join("|")) },
  {
    weight: 1,
    arbitrary: fc.tuple(sequence, sequence, repeat).map(([a, b, times]) => `(?:${a}|${b})${times}${a}`),
  },
  { weight: 1, arbitrary: fc.tuple(sequence, sequence).map(([a, b]) => `\\b(${a}|${b})\\b`) },
  { weight: 1, arbitrary: fc.tuple(sequence, sequence).map(([a, b]) => `${a}$|^${b}$`) },
  { weight: 1, arbitrary: fc.tuple(sequence, sequence).map(([a, b]) => `${a}\\n${b}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "f(",
      "[",
      "*x",
      "interface{}",
      "-zed",
      "--pre=x",
      "foo$",
      "^$",
      "^",
      "\\d$",
      ";?$",
    ),
  },
);

const optional = <T>(of: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: of });
export const question = fc.record({
  pattern: regex,
  literal: optional(fc.boolean()),
  ignore_case: optional(fc.boolean()),
  multiline: optional(fc.boolean()),
  context: optional(fc.integer({ min: 0, max: 3 })),
  mode: optional(fc.constantFrom("content", "files", "count")),
  limit: optional(fc.integer({ min: 1, max: 9 })),
  glob: optional(
    fc.constantFrom(
      "*.ts",
      "**/*.ts",
      "!*.ts",
      "src/**",
      "{a,b}.ts",
      "*.{ts,js}",
      "deep/*",
      "[[]id].tsx",
      ".*",
    ),
  ),
  path: optional(fc.constantFrom("src", "dist", "src/deep", "node_modules", "a.ts", ".", "[id].tsx", "-n")),
});
