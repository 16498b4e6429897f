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
import { question, type Tree, tree } from "./search-trees.ts";

const TREES = process.env.HAFT_LONG === "1" ? 400 : 40;
const QUESTIONS_A_TREE = 5;

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
