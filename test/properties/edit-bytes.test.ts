/**
 * Owns the promise that an edit does what it says and not a byte more, for any text, in any encoding.
 * Leaves the tolerance ladder aside: texts are taken from the file itself. Rule: a naive reference is the judge.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type NaiveEdit, replaceNaively } from "../support/replace-naively.ts";
import { readTreeState } from "../support/tree-state.ts";
import { openWorkspace, type Workspace } from "../support/workspace.ts";

const character = fc.constantFrom(...'ab x{}$&\\"é字😀', "\t", "\uFEFF", "\u2028", "\r");
const line = fc.array(character, { maxLength: 12 }).map((parts) => parts.join(""));
const lfText = fc
  .array(line, { minLength: 1, maxLength: 12 })
  .map((lines) => lines.join("\n"))
  // A carriage return before a newline would be an ending of its own kind; the CRLF property has those.
  .map((text) => text.replaceAll("\r\n", "\n").replace(/^\uFEFF+/, "") || "a");

/** Edits whose old text is a stretch of the text: mostly there, mostly once. */
const editsOf = (text: string): fc.Arbitrary<NaiveEdit[]> => {
  const characters = [...text];
  const stretch = fc
    .tuple(fc.nat(characters.length - 1), fc.integer({ min: 1, max: 12 }))
    .map(([start, length]) => characters.slice(start, start + length).join(""));
  return fc.array(
    fc.record(
      { old_text: stretch, new_text: line, replace_all: fc.boolean() },
      { requiredKeys: ["old_text", "new_text"] },
    ),
    { minLength: 1, maxLength: 3 },
  );
};

const textWithEdits = lfText.chain((text) => fc.tuple(fc.constant(text), editsOf(text)));

type Encode = (text: string) => Buffer;
const ENCODINGS: readonly (readonly [string, Encode])[] = [
  ["UTF-8", (text) => Buffer.from(text)],
  [
    "UTF-8 with a byte order mark",
    (text) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)]),
  ],
  ["UTF-16LE", (text) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")])],
  ["UTF-16BE", (text) => Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, "utf16le").swap16()])],
];

/** Either the file is what the reference says, or the call is refused and nothing has changed. */
async function expectAsReference(
  at: Workspace,
  file: Buffer,
  expected: Buffer | undefined,
  edits: readonly NaiveEdit[],
) {
  writeFileSync(join(at.root, "f"), file);
  const before = readTreeState(at.base);
  const output = await at.tools.call("edit", { path: "f", edits });
  if (output.isError) {
    expect(readTreeState(at.base)).toEqual(before);
    expect(output.refusal.code, output.content).toMatch(/^edit-/);
    if (expected !== undefined) expect.fail(`refused what the reference does: ${output.content}`);
    return;
  }
  if (expected === undefined) expect.fail(`did what the reference refuses: ${output.content}`);
  expect(at.hex("f")).toBe(expected.toString("hex").toUpperCase());
}

describe("bytes outside an edit", () => {
  it.each(ENCODINGS)(
    "never change in a file of LF lines in %s",
    { timeout: 120_000 },
    async (_name, encode) => {
      const at = openWorkspace("", { strictEdits: true });
      await fc.assert(
        fc.asyncProperty(textWithEdits, async ([text, edits]) => {
          fc.pre(edits.every(({ old_text: asked, new_text: put }) => asked !== put));
          // Where a lone CR would come to stand before an LF, or be taken for half an ending, the line rules decide.
          fc.pre(
            edits.every(
              ({ old_text: asked, new_text: put }) => !/\r(\n|$)|^\n/.test(asked + put) && !/\r$/.test(put),
            ),
          );
          // In a file with a mark, a leading U+FEFF of a sent text is taken for the mark, and left out.
          const isMarked = encode("").length > 0;
          fc.pre(
            !isMarked ||
              edits.every(
                (edit) => !edit.old_text.startsWith("\uFEFF") && !edit.new_text.startsWith("\uFEFF"),
              ),
          );
          const after = replaceNaively(text, edits);
          fc.pre(after === undefined || !after.includes("\r\n"));
          await expectAsReference(at, encode(text), after === undefined ? undefined : encode(after), edits);
        }),
        { numRuns: 250 },
      );
    },
  );

  it("never change in a CRLF file, and new lines are CRLF too", { timeout: 120_000 }, async () => {
    const at = openWorkspace("");
    const plain = textWithEdits.filter(([text, edits]) => !JSON.stringify([text, edits]).includes("\\r"));
    await fc.assert(
      fc.asyncProperty(plain, fc.boolean(), async ([text, edits], sendsCrlf) => {
        fc.pre(edits.every(({ old_text: asked, new_text: put }) => asked !== put));
        const crlf = (each: string): string => each.replaceAll("\n", "\r\n");
        const terminated = `${text}\n`;
        const after = replaceNaively(terminated, edits);
        // Text that an earlier entry took away is the business of the tolerance ladder.
        fc.pre(after?.endsWith("\n") === true);
        const sent = sendsCrlf
          ? edits.map((edit) => ({ ...edit, old_text: crlf(edit.old_text), new_text: crlf(edit.new_text) }))
          : edits;
        await expectAsReference(
          at,
          Buffer.from(crlf(terminated)),
          after === undefined ? undefined : Buffer.from(crlf(after)),
          sent,
        );
      }),
      { numRuns: 250 },
    );
  });

  it("never change in files of mixed endings, lone CRs and bytes that are not UTF-8", {
    timeout: 120_000,
  }, async () => {
    const at = openWorkspace("");
    const around = fc
      .array(
        fc.oneof(
          fc.constantFrom("\n", "\r\n", "\r", "  \n", "\t\r\n", "x", "y"),
          fc.integer({ min: 128, max: 255 }).map((code) => String.fromCharCode(code)),
        ),
        { maxLength: 40 },
      )
      .map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(around, around, line, async (head, tail, put) => {
        // Latin-1 bytes around one ASCII marker that stands alone.
        const ascii = put.replace(/[^ -~]/g, "");
        const file = Buffer.from(`h${head}<MARK>${tail}`, "latin1");
        const wanted = Buffer.from(`h${head}${ascii}${tail}`, "latin1");
        writeFileSync(join(at.root, "f"), file);
        await at.edit("f", "<MARK>", ascii);
        expect(at.hex("f")).toBe(wanted.toString("hex").toUpperCase());
      }),
      { numRuns: 250 },
    );
  });

  it("give a patch that patch applies byte for byte, for UTF-8 files of any endings", {
    timeout: 120_000,
  }, async () => {
    const at = openWorkspace("mkdir ../p");
    const mixed = fc
      .array(fc.tuple(line, fc.constantFrom("\n", "\r\n")), { minLength: 1, maxLength: 30 })
      .map((parts) => parts.map(([text, ending]) => text + ending).join(""));
    await fc.assert(
      fc.asyncProperty(mixed, mixed, fc.boolean(), async (head, tail, isTerminated) => {
        const file = `h${head}<MARK>${isTerminated ? tail : `${tail}end`}`;
        writeFileSync(join(at.root, "f"), file);
        writeFileSync(join(at.base, "p/f"), file);
        const done = await at.edit("f", "<MARK>", "one\ntwo");
        writeFileSync(join(at.base, "p/d"), String(done.details.patch));
        at.bash("cd ../p && patch --binary -s -p1 < d && cmp f ../root/f && rm -f f.orig");
      }),
      { numRuns: 60 },
    );
  });
});
