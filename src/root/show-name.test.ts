import { expect, test } from "vitest";
import { showName, showOddCharacters } from "./show-name.ts";

test.each([
  ["plain.txt", "plain.txt"],
  [Buffer.from("日本語😀"), "日本語😀"],
  [Buffer.from([0x6e, 0xe9, 0x2e, 0x74]), "n\\xE9.t"],
  [Buffer.concat([Buffer.from("é"), Buffer.from([0xc3]), Buffer.from("x")]), "é\\xC3x"],
  [Buffer.from([0xf0, 0x9f, 0x98]), "\\xF0\\x9F\\x98"],
  [Buffer.from([0xed, 0xa0, 0x80]), "\\xED\\xA0\\x80"],
])("%j is shown as %s", (name, shown) => {
  expect(showName(name)).toBe(shown);
});

test("odd characters are made visible, common ones are left alone", () => {
  expect(showOddCharacters("a b\u202fc/cafe\u0301 é\u200b.txt")).toBe(
    "a b<U+202F>c/cafe<U+0301> é<U+200B>.txt",
  );
});
