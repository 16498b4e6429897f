import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readJson } from "./json-repair.ts";

const strict = { unknownEscapes: "refuse" } as const;
const loose = { unknownEscapes: "literal" } as const;

/** Through JSON, so that objects without a prototype compare equal to ordinary ones. */
function readValue(text: string, rules: Parameters<typeof readJson>[1] = strict): unknown {
  const reading = readJson(text, rules);
  if (reading.kind !== "value") expect.fail(`${text} was ${JSON.stringify(reading)}`);
  return JSON.parse(JSON.stringify(reading.value));
}

describe("reading JSON that is not quite JSON", () => {
  it.each([
    ["plain JSON", '{"a":[1,-2.5e3,"x\\u00e9\\n",true,null]}', { a: [1, -2500, "xé\n", true, null] }],
    ["a byte order mark", '\uFEFF{"a":1}', { a: 1 }],
    ["a code fence", '```json\n{"a":1}\n```', { a: 1 }],
    ["a code fence on one line", '```{"a":1}```', { a: 1 }],
    ["a code fence that is not closed", '```json\n{"a":1}', { a: 1 }],
    ["single quotes", "{'a': 'it\\'s \"x\"'}", { a: 'it\'s "x"' }],
    ["trailing commas", '{"a":[1,2,],}', { a: [1, 2] }],
    ["bare keys", "{a: 1, $b_2: 2, -i: 3}", { a: 1, $b_2: 2, "-i": 3 }],
    ["Python literals", '{"a":True,"b":False,"c":None}', { a: true, b: false, c: null }],
    ["comments", '{ // one\n"a": /* two */ 1, # three\n"b":2 }', { a: 1, b: 2 }],
    ["raw newlines and tabs in strings", '{"a":"x\ny\tz\r\n"}', { a: "x\ny\tz\r\n" }],
    ["an object encoded twice", JSON.stringify('{"a":1}'), { a: 1 }],
    ["an object encoded three times", JSON.stringify(JSON.stringify('{"a":1}')), { a: 1 }],
    ["an object encoded twice in a fence", `\`\`\`\n${JSON.stringify("{'a': 1}")}\n\`\`\``, { a: 1 }],
    ["comment marks inside strings", "{'a': 'http://x/#y /* z */'}", { a: "http://x/#y /* z */" }],
    ["braces inside strings", "{'a': '}],{[', b: 1,}", { a: "}],{[", b: 1 }],
  ])("takes %s", (_what, text, value) => {
    expect(readValue(text)).toEqual(value);
  });

  it.each([
    ["in a string", '{"path":"a","content":"hel'],
    ["in a string after a backslash", '{"content":"hel\\'],
    ["in a unicode escape", '{"content":"\\u00'],
    ["after a string", '{"path":"a"'],
    ["after a comma", '{"path":"a",'],
    ["after a key", '{"path"'],
    ["after a colon", '{"path":'],
    ["in a bare key", "{path"],
    ["in a word", '{"a":tru'],
    ["in a number", '{"a":-'],
    ["after a number", '{"a":12'],
    ["in an array", "[1,2"],
    ["in a comment", '{"a":1 /* x'],
    ["in a fence", '```json\n{"a":"x'],
    ["in a fence that is closed", '```json\n{"a":"x\n```'],
    ["in the text that is encoded", JSON.stringify('{"a":"x')],
    ["in single quotes", "{'a':'x"],
  ])("never completes a text that ends too early: %s", (_where, text) => {
    expect(readJson(text, strict)).toEqual({ kind: "truncated" });
    expect(readJson(text, loose)).toEqual({ kind: "truncated" });
  });

  it("finds every proper prefix of an object truncated, in any spelling", () => {
    const texts = [
      '{"path":"a b","n":[1,20,{"x":true}],"s":"q\\"\\u00e9"}',
      "{'path': 'a', n: [1, 20, None,], /* c */ s: 'x\ny',}",
    ];
    for (const text of texts)
      for (let end = 1; end < text.length; end++)
        expect(readJson(text.slice(0, end), strict).kind, text.slice(0, end)).toBe("truncated");
  });

  it.each([
    ['{"a":"C:\\dev"}', "\\d is no JSON escape", 9],
    ['{"a":"\\x41"}', "\\x is no JSON escape", 7],
    ['{"a":"it\\\'s"}', "\\' is no JSON escape", 9],
    ['{"a":"\\u12g4"}', "\\u is no JSON escape", 7],
    ['{"a":"say "hi" now"}', 'a quote inside a string is written \\"', 12],
    ["{'a':'it's'}", "a quote inside a string is written", 10],
    ['{"a":1}}', "more text after the value", 8],
    ['{"a":1}{"b":2}', "more text after the value", 8],
    ["{a: hello}", '"hello" is no JSON value', 5],
    ['{"a":1 "b":2}', '"," or "}" is expected', 8],
    ['{"a":1,,"b":2}', "a name in quotes is expected", 8],
    ["{a:1,a:2}", '"a" is given twice', 6],
    ["{'a':'😀' x}", '"," or "}" is expected', 10],
    ["hello", "is no JSON value", 1],
    ["{'a': 007}", "is no JSON value", 7],
  ])("refuses %s with its position", (text, message, character) => {
    const reading = readJson(text, strict);
    if (reading.kind !== "broken") expect.fail(JSON.stringify(reading));
    expect(reading.message).toContain(message);
    expect(reading.message).toContain(`(at character ${character}: `);
  });

  it("takes an unknown escape literally where nothing is changed, and names it", () => {
    const reading = readJson('{"pattern":"\\d+\\.x\\n"}', loose);
    if (reading.kind !== "value") expect.fail(JSON.stringify(reading));
    expect(reading.escapes).toEqual(["\\d", "\\."]);
    expect((reading.value as { pattern: string }).pattern).toBe("\\d+\\.x\n");
  });

  it("does not take a text for an encoded one unless it holds one", () => {
    expect(readValue('"hello"')).toBe("hello");
    expect(readValue('"12"')).toBe("12");
  });

  it("gives `__proto__` as an ordinary name", () => {
    const reading = readJson("{'__proto__': {'x': 1}}", strict);
    if (reading.kind !== "value") expect.fail(JSON.stringify(reading));
    expect(Object.keys(reading.value as object)).toEqual(["__proto__"]);
    expect((reading.value as { x?: unknown }).x).toBeUndefined();
  });

  it("refuses endless nesting instead of overflowing", () => {
    expect(readJson("[".repeat(100_000), strict)).toMatchObject({ kind: "broken" });
    expect(readJson("{a:".repeat(100_000), strict)).toMatchObject({ kind: "broken" });
  });

  it("reads megabytes of blanks, digits and quotes in one pass", () => {
    expect(readJson(`{'a':1,${" ".repeat(3_000_000)}}`, strict).kind).toBe("value");
    expect(readJson(`{'a':${"1".repeat(1_000_000)}x}`, strict).kind).toBe("broken");
    expect(readJson("`".repeat(1_000_000), strict).kind).toBe("broken");
    expect(readJson(`{'a':'${"\n".repeat(3_000_000)}'}`, strict).kind).toBe("value");
  });

  it("reads whatever JSON writes, also with a trailing comma that sends it by hand", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string().filter((key) => key !== "__proto__"),
          fc.jsonValue(),
        ),
        (value) => {
          const text = JSON.stringify(value);
          expect(readValue(text)).toEqual(JSON.parse(text));
          if (text === "{}") return;
          expect(readValue(`${text.slice(0, -1)},}`)).toEqual(JSON.parse(text));
        },
      ),
      { numRuns: 300 },
    );
  });

  it("gives one of three answers for any text at all", () => {
    const piece = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      '"',
      "'",
      ":",
      ",",
      "\\",
      "/*",
      "//",
      "#",
      "```",
      "a",
      "1",
      "-",
      "\n",
      "None",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        expect(["value", "broken", "truncated"]).toContain(readJson(pieces.join(""), loose).kind);
      }),
      { numRuns: 2_000 },
    );
  });
});
