/**
 * Owns the tools of a host's own that the tests of this folder mount, and a root for them.
 * Leaves what is expected of them to the tests. Rule: written as a host would write them, by what the package exports.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { defineTool, isRefusal, refuse } from "../../src/index.ts";

export function makeRoot(): string {
  const root = mkdtempSync(join(tmpdir(), "haft-own-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, "notes.txt"), "one two\nthree\n");
  return root;
}

/** Declares that it reads. */
export const countWords = defineTool({
  name: "count_words",
  description: "Counts the words of a file.",
  annotations: { title: "Count words", readOnlyHint: true, openWorldHint: false },
  input: z.object({ path: z.string().describe("The file."), least: z.int().min(1).optional() }),
  aliases: { path: ["file_path"] },
  access: ({ path }) => ({ paths: [{ argument: "path", path, effect: "reads", mustExist: true }] }),
  async run({ path, least = 1 }, { files }) {
    const bytes = await files.read("path");
    if (isRefusal(bytes)) return bytes;
    const words = Buffer.from(bytes).toString().split(/\s+/);
    const count = words.filter((word) => word.length >= least).length;
    return { content: `${path}: ${count} words`, details: { count } };
  },
});

/** Declares that it writes. */
export const shout = defineTool({
  name: "shout",
  description: "Puts a file in capitals.",
  annotations: { openWorldHint: false },
  input: z.object({ path: z.string().describe("The file.") }),
  access: ({ path }) => ({ paths: [{ argument: "path", path, effect: "writes" }] }),
  async run({ path }, { files }) {
    const bytes = await files.read("path");
    if (isRefusal(bytes)) return bytes;
    const written = await files.write("path", Buffer.from(bytes).toString().toUpperCase());
    if (isRefusal(written)) return written;
    return { content: `${path}: shouted`, details: {} };
  },
});

/** Declares nothing. */
export const tickets = defineTool({
  name: "tickets",
  description: "Shows a ticket.",
  input: z.object({ id: z.int().describe("Its number.") }),
  async run({ id }, { names }) {
    if (id === 1) return { content: "ticket 1: the door is stuck", details: { id } };
    const hint = names.suggest("tickets", { id: 1 });
    return refuse("tool-failed", { message: `No ticket ${id}. ${hint} shows one.` });
  },
});
