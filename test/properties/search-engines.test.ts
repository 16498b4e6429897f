/**
 * Owns the promise that nobody can tell from an answer which engine searched: generated trees × generated patterns,
 * the same bytes from both. Leaves what is right to the tests of grep. Rule: each engine is held to with the option,
 * and which one ran is read from the details.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { mount } from "../../src/index.ts";
import { findRipgrepNow } from "../../src/process/programs.ts";

const TREES = process.env.HAFT_LONG === "1" ? 400 : 40;
const QUESTIONS_A_TREE = 5;

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

const tree = fc.record({
  files: fc.array(fc.record({ folder, name, content }), { minLength: 1, maxLength: 14 }),
  ignore: fc.array(fc.record({ folder, rules }), { maxLength: 3 }),
  links: fc.array(fc.tuple(folder, fc.constantFrom("..", "a.ts", "../src", "missing")), { maxLength: 2 }),
});
type Tree = typeof tree extends fc.Arbitrary<infer T> ? T : never;

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
const question = fc.record({
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

const around = realpathSync(mkdtempSync(join(tmpdir(), "haft-engines-")));
afterAll(() => rmSync(around, { recursive: true, force: true }));
let made = 0;

function makeTree({ files, ignore, links }: Tree): string {
  const root = join(around, String(made++));
  mkdirSync(root);
  const put = (path: Buffer | string, act: (path: Buffer | string) => void) => {
    try {
      mkdirSync(dirname(path.toString("latin1")), { recursive: true });
      act(path);
    } catch {
      // A file stands where a folder was to be, or the other way round: then the tree goes without.
    }
  };
  for (const file of files)
    put(Buffer.concat([Buffer.from(`${root}/${file.folder}`), file.name]), (path) =>
      writeFileSync(path, file.content),
    );
  for (const { folder, rules } of ignore)
    put(`${root}/${folder}.gitignore`, (path) => writeFileSync(path, rules));
  for (const [folder, target] of links) put(`${root}/${folder}link`, (path) => symlinkSync(target, path));
  return root;
}

const ripgrep = findRipgrepNow("/nowhere");

describe.skipIf(ripgrep === undefined)("two engines", () => {
  if (ripgrep === undefined) console.log("skipped: no ripgrep is found");
  let byRipgrep = 0;
  let matching = 0;

  it(`answer alike: ${TREES * QUESTIONS_A_TREE} questions`, async () => {
    await fc.assert(
      fc.asyncProperty(
        tree,
        fc.array(question, { minLength: QUESTIONS_A_TREE, maxLength: QUESTIONS_A_TREE }),
        fc.constantFrom({}, { extraIgnore: ["*.ts", "!a.ts"] }, { limits: { lineWindow: 12, grepMax: 5 } }),
        async (tree, questions, options) => {
          const root = makeTree(tree);
          const builtin = mount({ root, ripgrep: "never", tools: ["grep"], ...options });
          const other = mount({ root, ripgrep: "always", tools: ["grep"], ...options });
          try {
            for (const asked of questions) {
              const args = JSON.stringify(asked);
              const expected = await builtin.call("grep", args);
              const got = await other.call("grep", args);
              expect(got.content, args).toBe(expected.content);
              if (got.isError || expected.isError) {
                expect(got.isError).toBe(expected.isError);
                continue;
              }
              expect(expected.details.engine).toBe("builtin");
              expect({ ...got.details, engine: "builtin" }).toEqual(expected.details);
              expect(got.notes).toEqual(expected.notes);
              if (got.details.engine === "ripgrep") byRipgrep++;
              if (got.details.files > 0) matching++;
            }
          } finally {
            await Promise.all([builtin.close(), other.close()]);
            rmSync(root, { recursive: true, force: true });
          }
        },
      ),
      {
        numRuns: TREES,
        ...(process.env.HAFT_SEED === undefined ? {} : { seed: Number(process.env.HAFT_SEED) }),
      },
    );
    // Some patterns cannot be looked for line by line; most can, or the comparison says little.
    expect(byRipgrep).toBeGreaterThan((TREES * QUESTIONS_A_TREE) / 3);
    expect(matching).toBeGreaterThan((TREES * QUESTIONS_A_TREE) / 10);
  }, 1_800_000);

  it.each([
    "\\bété\\b",
    "\\b-",
    "é\\b",
    "\\b\\w\\b",
    "foo\\B",
    "\\B.\\B",
    "\\B\\.",
    "o\\b$",
    "$",
    "o$\\b",
    "^foo$",
    "^\\s*$",
    "\\r$",
    "\\r",
    ".$",
    "\\x00",
    "[^\\x01]",
    "\\p{Lu}",
    "(?i)\\bk\\b",
    "(?i)ſ",
    "\\w{200}",
    "(?:\\w\\d?){300}",
    "[^a]{50}",
    "x{0}foo",
    "(?:foo|)bar",
  ])("answer alike where their tables, line endings and broken bytes could tell: %s", async (pattern) => {
    const root = makeTree({
      files: [
        "été foo",
        "xété",
        "une été.\r\n",
        "a é-b",
        "k K K ſ S",
        "foo\r\n",
        "foo\r",
        "\ufefffoo",
        "\ufeff\r\nfoo",
        "fooé",
        "\u0378 \u1c89 \u{1f9ff}",
        "a\r\r\nb\n\n",
        "ab1".repeat(400),
        "",
      ]
        .map((content) => Buffer.from(content))
        .concat(Buffer.from("foo\xff\xff.", "latin1"), Buffer.from("\xff\xfffoo\xe2\x82-\xff", "latin1"))
        .map((content, index) => ({ folder: "", name: Buffer.from(`f${index}`), content })),
      ignore: [],
      links: [],
    });
    const tools = (["never", "always"] as const).map((option) =>
      mount({ root, ripgrep: option, tools: ["grep"] }),
    );
    const [own, other] = await Promise.all(tools.map((one) => one.call("grep", { pattern })));
    expect(other?.content).toBe(own?.content);
    await Promise.all(tools.map((one) => one.close()));
  });
});
