import { join } from "node:path";
import { describe, expect, it } from "vitest";

/** As built: a thread cannot be started from TypeScript. */
const BUILT = join(import.meta.dirname, "..", "..", "dist", "worker-entry", "convert-page.js");
const { convertPage } = (await import(BUILT)) as typeof import("./convert-page.ts");

const page = (html: string) => ({
  html,
  url: "http://host.test/",
  format: "markdown" as const,
  maxChars: 100_000,
});
const NEVER = new AbortController().signal;

describe("converting a page in the worker", () => {
  it("gives its text", async () => {
    const converted = await convertPage(page("<title>T</title><p>one <b>two</b>"), NEVER);
    expect(converted).toMatchObject({ kind: "converted", page: { title: "T", text: "one **two**" } });
  });

  it("leaves the process free meanwhile: nothing else of the worker waits", async () => {
    const hostile = `${"<table><tr><td><div><ul><li>".repeat(15_000)}x`.slice(0, 524_288);
    let longest = 0;
    let last = performance.now();
    const beat = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 20);
    const converted = await convertPage(page(hostile), NEVER);
    clearInterval(beat);
    expect(["converted", "not-converted"]).toContain(converted.kind);
    // A generous guard: a conversion on this thread would take all of its own time.
    expect(longest).toBeLessThan(900);
  });

  it("ends at once where the call is cancelled", async () => {
    const abort = new AbortController();
    const running = convertPage(page("<div>".repeat(100_000)), abort.signal);
    abort.abort();
    expect(await running).toEqual({ kind: "not-converted", why: "was cancelled" });
  });
});
