/**
 * Owns a PDF document on its way through a session and over the protocol, read in the host and in the worker.
 * Leaves what is read of it to read-pdf.test.ts. Rule: wherever it is read, the same text, and none of it is lost.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectDone, makeRoot, open } from "../session/session-fixture.ts";
import { findSuggestedCalls } from "../support/suggested-calls.ts";
import { connect, textOf } from "../surfaces/start-server.ts";
import { buildPdf, write } from "./build-pdf.ts";

/** Pages of fifty lines: more than a session shows at once. */
const PAGES = 12;
const document = buildPdf(
  Array.from({ length: PAGES }, (_, page) => ({
    draw: write(
      Array.from({ length: 50 }, (_, line) => [
        72,
        760 - 14 * line,
        `Page ${page + 1}, line ${line + 1} of a text that is long enough to need a window`,
      ]),
    ),
  })),
);
const short = readFileSync(join(import.meta.dirname, "fixtures/two-columns.pdf"));

function makeDocuments(): string {
  const root = makeRoot();
  writeFileSync(join(root, "long.pdf"), document);
  writeFileSync(join(root, "short.pdf"), short);
  return root;
}

const limits = { readMax: 100_000, resultMax: 120_000 };
const call = { path: "long.pdf", limit: 2_000 };

async function readInSession(isolation: "none" | "worker") {
  const session = await open(makeDocuments(), { limits, isolation });
  const shown = expectDone(await session.call("read", call, { id: "toolu_1" })).content;
  const whole = session.ledger.result(`${session.id}/toolu_1`)?.content ?? "";
  const gap = /\n(\[result .*\])\n/.exec(shown)?.[1] ?? "";
  const [suggested] = findSuggestedCalls(gap, ["recall"]);
  const recalled = expectDone(await session.call("recall", suggested?.args)).content;
  const refused = await session.call("write", { path: "long.pdf", content: "new" });
  return { shown, whole, gap, recalled, refused: refused.content };
}

async function readAsClient(root: string, ...args: readonly string[]) {
  const { client } = await connect({ args: ["--root", root, ...args] });
  const pages: string[] = [];
  for (const path of ["short.pdf", "long.pdf"])
    pages.push(textOf(await client.callTool({ name: "read", arguments: { path } })));
  await client.close();
  return pages;
}

describe("a long document in a session", () => {
  it("has one gap, which recall fills; and all of it is the same from the worker", async () => {
    const here = await readInSession("none");
    const [head, tail] = here.shown.split(`${here.gap}\n`);
    const missing = here.recalled.slice(here.recalled.indexOf("\n") + 1);
    expect(`${head}${missing}${tail}`).toBe(here.whole);
    for (let page = 1; page <= PAGES; page++)
      expect(here.whole).toContain(`Page ${page}, line 50 of a text that is long enough to need a window`);
    expect(await readInSession("worker")).toEqual(here);
  });
});

describe("documents over the protocol", () => {
  it("are read alike by a server whose tools run in a worker", async () => {
    const root = makeDocuments();
    const [shorter, longer] = await readAsClient(root);
    expect(shorter).toContain("short.pdf: PDF as text, 1 page, ");
    expect(shorter).toContain("Reading Columns");
    expect(longer).toMatch(/\[lines \d+–623 follow; next: read \{"path":"long\.pdf","offset":\d+\}\]/);
    expect(await readAsClient(root, "--isolation", "worker")).toEqual([shorter, longer]);
  });
});
