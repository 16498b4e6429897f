/**
 * Owns the promise that arguments mean the same in every shape in which models send them, character by character.
 * Leaves single repairs to the tests of the gate. Rule: what a shape cannot carry is refused, never changed.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openWorkspace } from "../support/workspace.ts";

const SHAPES: Readonly<Record<string, (args: Readonly<Record<string, unknown>>) => unknown>> = {
  "an object": (args) => args,
  "JSON text": (args) => JSON.stringify(args),
  "indented JSON text": (args) => JSON.stringify(args, null, 2),
  "JSON text with blanks around": (args) => ` \n\t${JSON.stringify(args)}\r\n `,
  "JSON text in a code fence": (args) => `\`\`\`json\n${JSON.stringify(args, null, 2)}\n\`\`\``,
  "JSON text in a bare code fence": (args) => `\`\`\`\n${JSON.stringify(args)}\n\`\`\`\n`,
  "text encoded twice": (args) => JSON.stringify(JSON.stringify(args)),
  "JSON text with a trailing comma": (args) => `${JSON.stringify(args).slice(0, -1)},}`,
  "JSON text with bare keys": (args) =>
    `{${Object.entries(args)
      .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
      .join(", ")}}`,
  "JSON text with comments": (args) => `// the call\n${JSON.stringify(args).slice(0, -1)} /* end */ }`,
  "single quotes": (args) =>
    `{${Object.entries(args)
      .map(([key, value]) => `'${key}': ${singleQuoted(value)}`)
      .join(", ")}}`,
  "raw newlines and tabs in strings": (args) =>
    JSON.stringify(args).replace(
      /(?<!\\)((?:\\\\)*)\\([nt])/g,
      (_all, before: string, letter: string) => before + (letter === "n" ? "\n" : "\t"),
    ),
};

/** As Python writes a string: apostrophes escaped, double quotes bare. */
const singleQuoted = (value: unknown): string => {
  const inner = JSON.stringify(value);
  if (typeof value !== "string") return inner;
  return `'${inner.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
};

// What JSON, Python, code fences and comments make special, and characters that are cut in halves when counted wrongly.
const piece = fc.oneof(
  fc.constantFrom(
    "'",
    '"',
    "\\",
    "\\\\",
    "\n",
    "\t",
    "\r\n",
    "`",
    "```",
    "```json\n",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "//",
    "/*",
    "*/",
    "#",
    "None",
    "True",
    "null",
    "\\n",
    "\\u0041",
    "\u0000",
    "\u0007",
    "\u2028",
    "😀",
    "é",
    "\uFEFF",
    " ",
  ),
  fc.string({ maxLength: 6 }),
);
const content = fc.array(piece, { maxLength: 14 }).map((parts) => parts.join("").toWellFormed());

describe("arguments", () => {
  it.each(Object.keys(SHAPES))("carry any content as %s", { timeout: 120_000 }, async (name) => {
    const at = openWorkspace("");
    const shape = SHAPES[name];
    await fc.assert(
      fc.asyncProperty(content, async (text) => {
        const args = { path: "f", content: text, overwrite: true };
        await at.does("write", shape?.(args));
        expect(at.bytes("f").equals(Buffer.from(text))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it.each(Object.keys(SHAPES))("carry nested edits as %s", async (name) => {
    const at = openWorkspace("printf 'one two' > f");
    const edits = [
      { old_text: "one", new_text: 'it\'s "1"\n\\n' },
      { old_text: "two", new_text: "{'a': [1,]} // x" },
    ];
    await at.does("edit", SHAPES[name]?.({ path: "f", edits }));
    expect(at.text("f")).toBe(`${edits[0]?.new_text} ${edits[1]?.new_text}`);
  });

  it("cut off anywhere never write anything", { timeout: 120_000 }, async () => {
    const at = openWorkspace("");
    await fc.assert(
      fc.asyncProperty(
        content,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.constantFrom(...Object.keys(SHAPES)),
        async (text, part, name) => {
          const whole = SHAPES[name]?.({ path: "f", content: `x${text}` });
          fc.pre(typeof whole === "string");
          const body = String(whole).trimEnd();
          // The last closing brace is what makes a text whole; a fence or a quote behind it is no part of the object.
          const end = Math.floor(part * body.lastIndexOf("}"));
          const output = await at.call("write", body.slice(0, end));
          expect(output.isError, body.slice(0, end)).toBe(true);
          if (output.isError) expect(output.refusal.code).not.toBe("fault");
          expect(at.bash("ls -A")).toBe("");
        },
      ),
      { numRuns: 150 },
    );
  });
});
