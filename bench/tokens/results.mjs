/**
 * Owns a set of typical calls, and what their results cost beside the bytes that they are about.
 * Leaves counting to count.mjs. Rule: a made-up project that is the same on every run.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Code as it is written, more or less: 200 lines a file. */
function makeSource(seed) {
  return Array.from({ length: 40 }, (_, index) => {
    const name = `handle${seed}Case${index}`;
    return [
      `/** Case ${index} of module ${seed}: rounds a price to whole cents. */`,
      `export function ${name}(price: number, rate: number): number {`,
      `  const taxed = price * (1 + rate / ${index + 10});`,
      "  return Math.round(taxed * 100) / 100;",
      "}",
    ].join("\n");
  }).join("\n");
}

export function makeProject() {
  const root = mkdtempSync(join(tmpdir(), "haft-bench-tokens-"));
  mkdirSync(join(root, "src"));
  for (let file = 0; file < 20; file++)
    writeFileSync(join(root, "src", `module-${file}.ts`), makeSource(file));
  writeFileSync(join(root, "README.md"), "# A project\n\nIt computes prices.\n");
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

export const CALLS = [
  ["a file of 200 lines", "read", { path: "src/module-3.ts", limit: 200 }],
  ["20 lines of it", "read", { path: "src/module-3.ts", offset: 101, limit: 20 }],
  ["a folder of 20 files", "list", { path: "src" }],
  ["20 files by pattern", "glob", { pattern: "src/**/*.ts" }],
  ["20 matches in 20 files", "grep", { pattern: "Case7\\(" }],
  ["the files alone", "grep", { pattern: "Case7\\(", mode: "files" }],
  ["no match", "grep", { pattern: "nowhere" }],
  [
    "an edit of one line",
    "edit",
    {
      path: "src/module-3.ts",
      edits: [{ old_text: "rate / 14", new_text: "rate / 100" }],
    },
  ],
  [
    "an edit that misses",
    "edit",
    {
      path: "src/module-4.ts",
      edits: [{ old_text: "  const taxed = price + (1 + rate / 14);", new_text: "x" }],
    },
  ],
  ["a new file", "write", { path: "src/new.ts", content: "export const one = 1;\n" }],
  ["a path that is missing", "read", { path: "src/modul-3.ts" }],
  ["wrong arguments", "read", { file: "src/module-3.ts", limit: -1 }],
  ["a command that prints a line", "bash", { command: "echo done" }],
  ["a command that fails", "bash", { command: "ls nowhere" }],
  ["a command that prints 20,000 lines", "bash", { command: "seq 1 20000" }],
];
