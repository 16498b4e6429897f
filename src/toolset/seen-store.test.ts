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
  });

  it("holds a file of many pages whole, to a bound", () => {
    const store = openSeenStore();
    const part = (at: number) => range(at, at + 1);
    const see = (file: string, from: number, to: number) => {
      const ranges = Array.from({ length: to - from }, (_, index) => part(from + index));
      store.commit([{ file, ranges, replace: false }]);
    };
    for (let at = 0; at < 5_000; at++) store.commit([{ file: "/f", ranges: [part(at)], replace: false }]);
    expect(store.seen("/f")).toHaveLength(5_000);
    expect(store.seen("/f")[0]).toEqual(part(0));
    see("/f", 5_000, 20_000);
    expect(store.seen("/f")).toHaveLength(16_384);
    expect(store.seen("/f").at(-1)).toEqual(part(19_999));
  });

  it("forgets whole files where all together have too many ranges", () => {
    const store = openSeenStore();
    const many = Array.from({ length: 16_384 }, (_, at) => range(at, at + 1));
    for (let file = 0; file < 40; file++) store.commit([{ file: `/${file}`, ranges: many, replace: true }]);
    expect(store.seen("/0")).toEqual([]);
    expect(store.seen("/39")).toHaveLength(16_384);
    let kept = 0;
    for (let file = 0; file < 40; file++) kept += store.seen(`/${file}`).length;
    expect(kept).toBe(524_288);
  });
});
