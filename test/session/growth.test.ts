/**
 * A long session: what a call leaves behind in the memory of the host is its id and little more, where the ledger is
 * on the disk; in memory, the ledger is what it holds, and equal results are held once.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { makeRoot } from "./session-fixture.ts";

const [FIRST, SECOND] = process.env.HAFT_LONG === "1" ? [2_000, 20_000] : [600, 2_000];
const PROGRAM = fileURLToPath(new URL("programs/grow.mjs", import.meta.url));

/** Bytes of the heap a call, between the first calls and many more; results have thousands. */
function measureGrowth(ledger: "disk" | "memory"): { perCall: number; listeners: number } {
  const line = `${"word ".repeat(8_000)}\n`;
  const files = Object.fromEntries([0, 1, 2, 3, 4].map((n) => [`f${n}.txt`, `${n} some text\n`.repeat(500)]));
  const root = makeRoot({ ...files, "wide.txt": line });
  const place = ledger === "disk" ? join(root, "..", "ledger.db") : "memory";
  const args = ["--expose-gc", PROGRAM, root, place, String(FIRST), String(SECOND)];
  const { before, after, listeners } = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
  return { perCall: (after - before) / (SECOND - FIRST), listeners };
}

it.each([
  // Less than the smallest text that a call of these keeps; most of it is what the engine keeps of code that has run.
  ["disk", 2_000],
  // Two entries, of which some have bytes of their own.
  ["memory", 8_000],
] as const)(
  "a session with its ledger (%s) grows by less than %i bytes a call",
  { timeout: 600_000 },
  (where, most) => {
    const { perCall, listeners } = measureGrowth(where);
    expect(perCall).toBeLessThan(most);
    expect(listeners).toBeLessThan(10);
  },
);
