/** Owns what a terminal is spared of a text that a tool showed. */
import { expect, it } from "vitest";
import { safeFor } from "./print-safely.ts";

it("a terminal gets no control character and no text that is turned round, a pipe gets every byte", () => {
  const text = "a\u001b[2Jb\u009b\u202egpj\r\nnext\tcolumn";
  expect(safeFor({ isTTY: true }, text)).toBe("a\\u001b[2Jb\\u009b\\u202egpj\r\nnext\tcolumn");
  expect(safeFor({}, text)).toBe(text);
});
