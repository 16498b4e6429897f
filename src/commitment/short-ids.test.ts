import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TERMS } from "../../test/commitments/histories.ts";
import { applyEvent, type Projection } from "./project.ts";
import { resolveId, shortenIds } from "./short-ids.ts";

function projectionOf(ids: readonly string[]): Projection {
  const projection: Projection = new Map();
  for (const [at, commitment] of ids.entries())
    applyEvent(projection, {
      kind: "opened",
      terms: { ...TERMS, objective: `promise ${at}` },
      agentId: "main",
      root: "/r",
      commitment,
      atMs: 0,
      seq: at + 1,
      actor: "test",
    });
  return projection;
}

describe("the short form of an id", () => {
  it("has eight characters, or as many as tell it from every other", () => {
    const ids = ["aaaaaaaaaaaa1", "aaaaaaaaaaaa2", "bbbbbbbbbbbb", "aaaaaaaab"];
    expect([...shortenIds(ids).values()].sort()).toEqual([
      "aaaaaaaaaaaa1",
      "aaaaaaaaaaaa2",
      "aaaaaaaab",
      "bbbbbbbb",
    ]);
    expect(shortenIds([])).toEqual(new Map());
  });

  it("names the one that it was made of, the shortest that does", () => {
    const id = fc.string({ unit: fc.constantFrom("a", "b", "-"), minLength: 8, maxLength: 14 });
    fc.assert(
      fc.property(fc.uniqueArray(id, { minLength: 1, maxLength: 30 }), (ids) => {
        const projection = projectionOf(ids);
        for (const [whole, short] of shortenIds(ids)) {
          expect(resolveId(projection, short)).toEqual({ id: whole });
          expect(resolveId(projection, whole)).toEqual({ id: whole });
          if (short.length > 8)
            expect(ids.filter((one) => one.startsWith(short.slice(0, -1))).length).toBeGreaterThan(1);
        }
      }),
    );
  });

  it("lists the candidates where it is the beginning of several, each by what tells it from the others", () => {
    const projection = projectionOf(["aaaaaaaa11", "aaaaaaaa22", "bbbbbbbb"]);
    expect(resolveId(projection, "aaaa")).toEqual({
      kind: "ambiguous",
      candidates: [
        { id: "aaaaaaaa1", objective: "promise 0" },
        { id: "aaaaaaaa2", objective: "promise 1" },
      ],
    });
  });

  it("is unknown where nothing begins so, and offers a near one", () => {
    const projection = projectionOf(["c0ffee00", "deadbeef"]);
    expect(resolveId(projection, "c0ffee01")).toEqual({ kind: "unknown", nearest: ["c0ffee00"] });
    for (const odd of ["", "zzz", "__proto__", "constructor", "\0", "😀", "x".repeat(100_000)])
      expect(resolveId(projection, odd)).toMatchObject({ kind: "unknown" });
  });
});
