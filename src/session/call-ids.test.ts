import { expect, it } from "vitest";
import { openCallIds } from "./call-ids.ts";

it("keeps a provider's id while it is fresh, and makes one where it is not", () => {
  const ids = openCallIds();
  expect(ids.give("toolu_01AbC")).toBe("toolu_01AbC");
  expect(ids.give("functions.bash:0|fc_1")).toBe("functions.bash:0|fc_1");
  expect(ids.give("toolu_01AbC")).toBe("call_1");
  expect(ids.give(undefined)).toBe("call_2");
  expect(ids.give("call_3")).toBe("call_3");
  expect(ids.give(undefined)).toBe("call_4");
});

it("takes no id that could be mistaken or break a line", () => {
  const ids = openCallIds();
  const made = ["", "a/b", "a b", "a\nb", "é", "x".repeat(161), 7, null, {}].map((wished) =>
    ids.give(wished),
  );
  expect(made).toEqual(Array.from({ length: 9 }, (_, index) => `call_${index + 1}`));
});

it("gives none that an earlier process gave", () => {
  const ids = openCallIds(["call_1", "call_2", "call_4"]);
  expect(ids.give("call_2")).toBe("call_5");
  expect(ids.give(undefined)).toBe("call_6");
});
