/**
 * Owns the readable text of whole pages, one file each beside what is made of it, for a reviewer to read.
 * Leaves single rules to src/text/html/. Rule: `HAFT_WRITE_PAGES=1` writes the expected files anew; what changed is
 * then read before it is kept.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PageFormat, PageText } from "../../src/contract/page.ts";
import { renderPage } from "../../src/text/html/render-page.ts";
import { tellPage } from "./page-cases.ts";

const folder = join(import.meta.dirname, "pages");
const names = readdirSync(folder)
  .filter((file) => file.endsWith(".html"))
  .map((file) => file.slice(0, -".html".length));

const readPage = (name: string): string => readFileSync(join(folder, `${name}.html`), "utf8");

function render(name: string, format: PageFormat = "markdown"): PageText {
  return renderPage({
    html: readPage(name),
    url: `https://site.example/pages/${name}.html`,
    format,
    maxChars: 100_000,
  });
}

describe("the readable text of", () => {
  it("at least twenty shapes of pages is written down", () => {
    expect(names.length).toBeGreaterThanOrEqual(20);
    const orphans = readdirSync(folder).filter(
      (file) => !existsSync(join(folder, file.replace(/\.md$/, ".html"))),
    );
    expect(orphans).toEqual([]);
  });

  it.each(names)("%s", (name) => {
    const told = tellPage(render(name));
    if (process.env.HAFT_WRITE_PAGES === "1") writeFileSync(join(folder, `${name}.md`), told);
    expect(told).toBe(readFileSync(join(folder, `${name}.md`), "utf8"));
  });

  it.each(names)("%s without marks has the same words", (name) => {
    const wordsOf = (text: string): string[] => text.match(/\p{L}[\p{L}\p{N}]*/gu) ?? [];
    const plain = render(name, "text").text;
    // Addresses, languages of code and breaks in cells are marks.
    const marked = render(name)
      .text.replace(/\]\([^)\s]*\)/g, "]")
      .replace(/^(`{3,})[a-z]+$/gm, "$1")
      .replaceAll("<br>", " ");
    expect(wordsOf(plain)).toEqual(wordsOf(marked));
    expect(plain).not.toMatch(/\*\*|\]\(https?:/);
  });

  it.each(names)("%s does not depend on how its lines end", (name) => {
    const html = readPage(name);
    const request = {
      url: `https://site.example/pages/${name}.html`,
      format: "markdown",
      maxChars: 100_000,
    } as const;
    expect(renderPage({ ...request, html: html.replaceAll("\n", "\r\n") }).text).toBe(
      renderPage({ ...request, html }).text,
    );
  });
});

describe("the links of a page", () => {
  it("are told once each, absolute, those of its navigation too", () => {
    const { text, links } = render("article", "links");
    expect(text.split("\n")).toEqual([
      "- [The Harbour Post](https://site.example/)",
      "- [News](https://site.example/news)",
      "- [Crafts](https://site.example/crafts)",
      "- [About](https://site.example/about)",
      "- [Ines Marr](https://site.example/people/ines)",
      "- [jack](https://site.example/machines/jack.html)",
      "- [A list of them](https://example.org/walks?a=1&b=2)",
      "- [Share](https://social.example/share)",
      "- [Mail](mailto:?subject=x)",
      "- [Knots](https://site.example/a)",
      "- [Sails](https://site.example/b)",
      "- [Terms](https://site.example/terms)",
    ]);
    expect(links).toBe(12);
  });

  it("follow its base, include areas of pictures, and leave out what runs a program or stays in the page", () => {
    expect(render("documentation", "links").text).toContain(
      "- [oils](https://lantern.example/docs/3.x/oils#olive)",
    );
    const { text } = render("long-list-of-links", "links");
    expect(text).toContain("- [North](https://site.example/map/north)");
    expect(text).not.toMatch(/javascript|#top/);
    expect(text.match(/\/h\/aber/g)).toHaveLength(1);
  });
});
