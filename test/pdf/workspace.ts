/** Owns what tests of PDF documents share. Leaves building them to build-pdf.ts. Rule: a root of one document. */
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { WHERE } from "../support/where-tools-run.ts";
import { openWorkspace, type Workspace } from "../support/workspace.ts";

const FIXTURES = join(import.meta.dirname, "fixtures");

/** A root with the document `a.pdf`: bytes, or a fixture by its name. */
export function withDocument(document: Uint8Array | string): Workspace {
  const at = openWorkspace("", WHERE);
  if (typeof document === "string") copyFileSync(join(FIXTURES, document), join(at.root, "a.pdf"));
  else writeFileSync(join(at.root, "a.pdf"), document);
  return at;
}

/** The lines that are shown of `a.pdf`, without their numbers. */
export async function linesOf(
  at: Workspace,
  args: Readonly<Record<string, unknown>> = {},
): Promise<string[]> {
  const { content } = await at.does("read", { path: "a.pdf", ...args });
  return content
    .split("\n")
    .filter((line) => /^\d+\t/.test(line))
    .map((line) => line.replace(/^\d+\t/, ""));
}
