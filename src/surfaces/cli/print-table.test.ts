/**
 * Owns how a table is laid out. Leaves printing it to the commands. Rule: one odd cell makes no other row odd.
 */
import { describe, expect, it } from "vitest";
import { layTable } from "./print-table.ts";

const COLUMNS = [{ title: "CALL" }, { title: "N", align: "right" }, { title: "TEXT" }] as const;

describe("a table", () => {
  it("keeps each row on one line, whatever stands in it", () => {
    const [, row] = layTable(COLUMNS, [["a\nb\u001b[31m\u202e\0", "1", "x\r\ny"]], Number.POSITIVE_INFINITY);
    expect(row).toBe("a\\nb\\u001b[31m\\u202e\\u0000  1  x\\r\\ny");
  });

  it("does not become as wide as one cell that is longer than any should be", () => {
    const rows = [
      ["call_1", "1", "short"],
      ["x".repeat(1_000_000), "2", "long"],
      ["call_3", "3", "short"],
    ];
    const lines = layTable(COLUMNS, rows, Number.POSITIVE_INFINITY);
    expect(lines[1]).toBe("call_1  1  short");
    expect(lines[2]).toHaveLength(1_000_000 + "  2  long".length);
    const onTerminal = layTable(COLUMNS, rows, 80);
    expect(onTerminal.every((line) => line.length <= 80)).toBe(true);
  });

  it("takes more rows than a call takes arguments", () => {
    const rows = Array.from({ length: 200_000 }, (_, n) => [`call_${n}`, String(n), "x"]);
    expect(layTable(COLUMNS, rows, 80)).toHaveLength(200_001);
  });
});
