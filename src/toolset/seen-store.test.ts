import { describe, expect, it } from "vitest";
import type { SeenRange, ToolOutput } from "../contract/output.ts";
import { openSeenStore } from "./seen-store.ts";

const range = (start: number, end: number, hash = "h"): SeenRange => ({ start, end, hash, endsFile: false });
const output: ToolOutput = { isError: false, content: "x", images: [], details: {}, notes: [] };

describe("what was shown", () => {
  it("counts only once it is committed", () => {
    const store = openSeenStore();
    const sight = { file: "/f", ranges: [range(0, 5)], replace: false };
    store.keep(output, [sight]);
    expect(store.seen("/f")).toEqual([]);
    store.commit(store.sightsOf(output));
    expect(store.seen("/f")).toEqual([range(0, 5)]);
    expect(store.sightsOf({ ...output })).toEqual([]);
  });

  it("gathers ranges, each once, and forgets them when a change replaces them", () => {
    const store = openSeenStore();
    store.commit([{ file: "/f", ranges: [range(0, 5), range(5, 9)], replace: false }]);
    store.commit([{ file: "/f", ranges: [range(0, 5), range(0, 5, "other")], replace: false }]);
    expect(store.seen("/f")).toEqual([range(0, 5), range(5, 9), range(0, 5, "other")]);
    store.commit([{ file: "/f", ranges: [range(0, 7)], replace: true }]);
    expect(store.seen("/f")).toEqual([range(0, 7)]);
    store.commit([{ file: "/f", ranges: [], replace: true }]);
    expect(store.seen("/f")).toEqual([]);
  });

  it("is bounded: what was seen longest ago is forgotten", () => {
    const store = openSeenStore();
    for (let file = 0; file < 5_000; file++) {
      store.commit([{ file: `/${file}`, ranges: [range(0, 1)], replace: false }]);
      store.commit([{ file: "/kept", ranges: [range(0, 1)], replace: false }]);
    }
    expect(store.seen("/0")).toEqual([]);
    expect(store.seen("/4999")).toHaveLength(1);
    expect(store.seen("/kept")).toHaveLength(1);
    for (let part = 0; part < 3_000; part++)
      store.commit([{ file: "/f", ranges: [range(part, part + 1)], replace: false }]);
    expect(store.seen("/f").length).toBeLessThanOrEqual(2_048);
    expect(store.seen("/f").at(-1)).toEqual(range(2_999, 3_000));
  });
});
