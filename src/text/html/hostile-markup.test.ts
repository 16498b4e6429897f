/**
 * Owns the proof that no markup makes a page slow, deep, or longer than there is room for.
 * Leaves what pages say to test/web/. Rule: the guard is a hundredfold of what an idle machine takes, for tests share one; a
 * conversion that is worse than linear takes hours.
 */
import { describe, expect, it } from "vitest";
import { parseTree } from "./parse-tree.ts";
import { renderPage } from "./render-page.ts";
import { stripMarkup } from "./strip-markup.ts";

const SIZE = 524_288;
const GUARD_MS = 60_000;

const fill = (unit: string): string => unit.repeat(Math.floor(SIZE / unit.length));

const PAGES: Readonly<Record<string, string>> = {
  "20,000 nested divisions": `${"<div>".repeat(20_000)}hello${"</div>".repeat(20_000)}bye`,
  "nested lists": fill("<ul><li>x"),
  "nested tables": fill("<table><tr><td>x"),
  "nested quotes": fill("<blockquote>x"),
  "nested summaries": fill("<details><summary>x"),
  "nested definitions": fill("<dl><dt>x"),
  "unclosed bold in paragraphs": fill("<p>x<b a=1>"),
  "bold that is closed by others": `${"<b>".repeat(80_000)}${"</i>".repeat(80_000)}x`,
  "stray end tags": fill("</table>"),
  "attributes without an end": `<a ${"x='' ".repeat(100_000)}`,
  "quotes without an end": fill("<a x='"),
  "blanks in a tag": `<a${" ".repeat(SIZE)}`,
  "comments without an end": fill("<!--"),
  "programs without an end": fill("<script>"),
  "titles without an end": fill("<title>"),
  references: fill("&amp"),
  "no references": fill("&a"),
  "links to a long base": `<base href="https://x.example/${"a".repeat(1_900)}/">${fill("<a href=x>y</a>")}`,
  "links to a longer base": `<base href="https://x.example/${"a".repeat(100_000)}/">${fill("<a href=x>y</a>")}`,
  "cells that span": `<table><tr>${"<td>".repeat(50)}<td rowspan=1000>x${"<tr><td colspan=1000 rowspan=1000>zz".repeat(10_000)}`,
  "columns without end": `<table><tr>${fill("<td>x")}`,
  "rows without end": `<table>${fill("<tr><td>x<td>y")}`,
  "ticks in code": `<p><code>${fill("` ")}</code><pre>${"```\n".repeat(50_000)}`,
  "indented lines": `${"<ul><li>".repeat(90)}${fill("x<br>")}`,
  "terms without definitions": `<dl>${fill("<dt>x")}`,
  "main parts": fill("<main>x"),
  "line breaks between characters without blanks": `日${"\n".repeat(SIZE)}本`,
  "a long style": `<p style="${" ;".repeat(SIZE / 2)}">x`,
  "a long refresh": `<meta http-equiv=refresh content="${"0".repeat(SIZE)}">`,
  "a long class": `<div class="${"ad-".repeat(SIZE / 3)}">x</div>`,
};

describe("a page of half a megabyte", () => {
  it.each(Object.entries(PAGES))(
    "of %s is converted soon, within its bound",
    (_name, html) => {
      const started = performance.now();
      for (const format of ["markdown", "text", "links"] as const) {
        const page = renderPage({ html, url: "https://site.example/a/b", format, maxChars: 200_000 });
        expect(page.text.length).toBeLessThanOrEqual(200_000);
        expect(page.text.isWellFormed()).toBe(true);
      }
      expect(stripMarkup(html, 200_000).text.length).toBeLessThanOrEqual(200_000);
      expect(performance.now() - started).toBeLessThan(GUARD_MS);
    },
    GUARD_MS * 2,
  );

  it("keeps its text where it is nested too deep, and tells how much was flattened", () => {
    const page = renderPage({
      html: PAGES["20,000 nested divisions"] ?? "",
      url: "https://site.example/",
      format: "markdown",
      maxChars: 1_000,
    });
    expect(page.text).toBe("hello\n\nbye");
    expect(page.flattened).toBeGreaterThan(19_000);
  });

  it("is never deeper than a walk may be", () => {
    let depth = 0;
    let element: unknown = parseTree("<div>".repeat(20_000)).root;
    while (typeof element === "object" && element !== null) {
      depth++;
      element = (element as { children: unknown[] }).children.find((child) => typeof child !== "string");
    }
    expect(depth).toBeLessThanOrEqual(202);
  });

  it("is cut between characters, and says so", () => {
    for (let maxChars = 1; maxChars < 12; maxChars++) {
      const page = renderPage({
        html: "<p>😀😀<p>😀😀😀",
        url: "https://site.example/",
        format: "text",
        maxChars,
      });
      expect(page.text.isWellFormed()).toBe(true);
      expect(page.text.length).toBeLessThanOrEqual(maxChars);
      expect(page.isCut).toBe(true);
    }
  });
});
