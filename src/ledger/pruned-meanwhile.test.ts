/** What is read while another process prunes it: whole, or not at all, and never a part as if it were the whole. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Ledger, openLedger } from "./ledger.ts";

let folder: string;
let mine: Ledger;
let other: Ledger;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "haft-pruned-"));
  const path = join(folder, "ledger.db");
  mine = openLedger({ path });
  other = openLedger({ path });
  for (const id of ["s1", "s2"]) fillSession(other, id);
});
afterEach(() => {
  mine.close();
  other.close();
  rmSync(folder, { recursive: true, force: true });
});

function fillSession(ledger: Ledger, id: string): void {
  const session = ledger.openSession({ id, agentId: "main", root: "/r", resume: true });
  for (let n = 0; n < 300; n++) {
    const callId = `c${n}`;
    session.started({ callId, name: "read", sent: "{}", args: { word: "needle" }, atMs: n });
    const content = `${id} ${n} needle\n`.repeat(n === 0 ? 9_000 : 40);
    const output = { isError: false as const, content, images: [], details: {}, notes: [] };
    session.ended({ callId, output, sights: [], oldBytes: [], atMs: n, durationMs: 1 });
  }
  session.close();
}

const REMOVED =
  /was removed from the ledger .* while it was read; haft ledger sessions lists those that are there/;

describe("a session that is pruned by another process while it is read", () => {
  it("ends its export with an error, after whole lines", () => {
    const lines: string[] = [];
    expect(() => {
      for (const line of mine.exportLines({ sessionIds: ["s1"] })) {
        lines.push(line);
        if (lines.length === 5) expect(other.prune({ ids: ["s1"] }).ids).toEqual(["s1"]);
      }
    }).toThrowError(REMOVED);
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty("kind");
  });

  it("gives no part of a result as if it were the whole", () => {
    const result = mine.result("s1/c0");
    expect(result?.readLines(1, 1)).toBe("s1 0 needle\n");
    other.prune({ ids: ["s1"] });
    expect(() => result?.content).toThrowError(REMOVED);
    expect(() => result?.readLines(8_000, 8_001)).toThrowError(REMOVED);
    expect(() => result?.readCharacters(0, 5)).toThrowError(REMOVED);
    expect(mine.result("s1/c0")).toBeUndefined();
  });

  it("is left out of a search, which goes on", () => {
    const found: string[] = [];
    for (const { id } of mine.search({ text: '"0 needle"' })) {
      if (found.length === 0) other.prune({ ids: ["s2"] });
      found.push(id);
    }
    expect(found.filter((id) => id.startsWith("s1/"))).toHaveLength(30);
    expect(found.filter((id) => id.startsWith("s2/"))).toHaveLength(1);
  });
});
