import { expect, test } from "vitest";
import { keepOnOneLine } from "./one-line.ts";

test.each([
  ["plain é 日本 😀.txt", "plain é 日本 😀.txt"],
  ["a\nb\rc\td", "a\\nb\\rc\\td"],
  ["\u0000\u001b\u007f\u0085\u2028\u2029", "\\u0000\\u001b\\u007f\\u0085\\u2028\\u2029"],
  ["gpj.\u202eexe", "gpj.\\u202eexe"],
  [
    "\u202a\u202b\u202c\u202d\u2066\u2067\u2068\u2069",
    "\\u202a\\u202b\\u202c\\u202d\\u2066\\u2067\\u2068\\u2069",
  ],
])("%j is kept on one line, in its order, as %s", (text, shown) => {
  expect(keepOnOneLine(text)).toBe(shown);
});

test("what it makes is what JSON reads back", () => {
  const name = "a\nb\u001b\u202e\u2066\u0085c";
  expect(JSON.parse(`"${keepOnOneLine(name)}"`)).toBe(name);
});

test("a Persian name keeps its joiners, an Arabic one its marks", () => {
  expect(keepOnOneLine("می\u200cخواهم\u200f")).toBe("می\u200cخواهم\u200f");
});
