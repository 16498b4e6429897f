import { expect, test } from "vitest";
import type { Place } from "../contract/access.ts";
import { showBinary, showEntryPath } from "./show-path.ts";

const binary = (text: string) => Buffer.from(text).toString("latin1");
const place = (shown: string): Place => ({
  asked: shown,
  real: `/r/${shown}`,
  shown,
  link: "follow",
  contained: true,
});

test.each([
  ["plain.txt", "plain.txt"],
  [binary("é😀.txt"), "é😀.txt"],
  ["nl\nx\u001b[31m", "nl\\nx\\u001b[31m"],
  [binary("a\u0085b\u2028c\u202ed"), "a\\u0085b\\u2028c\\u202ed"],
  // Bytes that are not UTF-8 have no spelling in JSON: they stay what they are.
  ["n\xe9\x85\n.t", "n\\xE9\\x85\\n.t"],
])("%j is shown as %s", (path, shown) => {
  expect(showBinary(path)).toBe(shown);
});

test("a place with a line break in its name adds no line to what is below it", () => {
  expect(showEntryPath(place("d\n1"), "a\nb")).toBe("d\\n1/a\\nb");
  expect(showEntryPath(place("d\n1"), "")).toBe("d\\n1");
});
