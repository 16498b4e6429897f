/** Results that a host bounds far below the default still get somewhere, and pages of them rebuild the file. */
import { expect, it } from "vitest";
import { expectDone, makeRoot, open } from "./session-fixture.ts";

const FILE = Array.from({ length: 40 }, (_, n) => `this is line number ${n + 1} of the file\n`).join("");

it.each([200, 300, 500, 700, 900])(
  "a resultMax of %i is kept, and a file is read in few pages",
  async (resultMax) => {
    const session = await open(makeRoot({ "a.txt": FILE }), { limits: { resultMax } });
    let text = "";
    let next: Record<string, unknown> | undefined = { path: "a.txt" };
    let pages = 0;
    while (next !== undefined) {
      const content: string = expectDone(await session.call("read", next)).content;
      expect(content.length).toBeLessThanOrEqual(resultMax);
      pages += 1;
      for (const [, row = ""] of content.matchAll(/^\d+\t(.*)$/gm)) text += row;
      next = JSON.parse(/next: read (\{.*\})\]/.exec(content)?.[1] ?? "null") ?? undefined;
      if (next?.column === undefined) text += "\n";
    }
    expect(text.replaceAll("\n", "")).toBe(FILE.replaceAll("\n", ""));
    // Before, each page of these showed four characters.
    expect(pages).toBeLessThan(FILE.length / 16);
  },
);
