/**
 * Owns the single rules of readable text, each by the smallest page that shows it.
 * Leaves whole pages to test/web/pages.test.ts, hostile ones to hostile-markup.test.ts.
 */
import { describe, expect, it } from "vitest";
import type { PageFormat, PageText } from "../../contract/page.ts";
import { renderPage } from "./render-page.ts";

function render(html: string, format: PageFormat = "markdown"): PageText {
  return renderPage({ html, url: "https://site.example/a/b?q=1", format, maxChars: 10_000 });
}

const text = (html: string, format: PageFormat = "markdown"): string => render(html, format).text;

/** Enough to be a page. */
const PROSE = `<p>${"The quick brown fox jumps over the lazy dog. ".repeat(20)}</p>`;

describe("inline text", () => {
  it.each([
    ["a<b> b </b>c", "a **b** c"],
    ["<b></b><i> </i>x", "x"],
    ["<b><b>x</b></b>", "**x**"],
    ["x<br>y<br><br><br>z", "x\ny\n\nz"],
    ["<a href=/x>y</a>", "[y](https://site.example/x)"],
    ["<a href='?p=2'>y</a>", "[y](https://site.example/a/b?p=2)"],
    ["<a href='/a(b)'>y</a>", "[y](https://site.example/a%28b%29)"],
    ["<a href=#z>y</a> <a href='/a/b?q=1#z'>y</a>", "y y"],
    ["<a href='java\nscript:alert(1)'>y</a> <a href='data:,x'>z</a>", "y z"],
    ["<a href=https://x.example/>https://x.example/</a>", "https://x.example/"],
    ["<a href=/x><img src=i alt=Home></a>", "[Home](https://site.example/x)"],
    ["<a href=/x aria-label=Next><svg><title>arrow</title></svg></a>", "[Next](https://site.example/x)"],
    ["<img alt=''><img>x", "x"],
    ["<code>a `b`</code>", "`` a `b` ``"],
    ["<del>old</del> <ins>new</ins>", "~~old~~ new"],
    ["x<sup>2</sup> y<sub>n</sub> z<sup>th</sup>", "x² yₙ zth"],
    ["<q>so</q>", "“so”"],
    ["<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>", "漢(かん)"],
    ["soft&shy;hyphen zero&#8203;width", "softhyphen zerowidth"],
    ["a&nbsp;b", "a b"],
    ["\u0007bell\u001b[31m", "bell[31m"],
  ])("%s", (html, expected) => {
    expect(text(html)).toBe(expected);
  });
});

describe("blocks", () => {
  it.each([
    ["<h3>a <b>b</b><br>c</h3>", "### a b c"],
    ["<h1></h1><p>x", "x"],
    ["<title>never ended<p>x", "never ended\n\nx"],
    ["<textarea>never ended<p>x", "never ended\n\nx"],
    ["<xmp>a <b> c</xmp>x", "```\na <b> c\n```\n\nx"],
    ["<p># x<p>1. y<p>- z<p>&gt; q<p>---", "\\# x\n\n1\\. y\n\n\\- z\n\n\\> q\n\n\\---"],
    ["<ul><li>a<ul><li>b</ul><li>c</ul>", "- a\n  - b\n- c"],
    ["<ul><li><p>a<p>b<li>c</ul>", "- a\n\n  b\n\n- c"],
    ["<ol start=9><li>a<li value=20>b<li>c</ol>", "9. a\n20. b\n21. c"],
    ["<ol reversed><li>a<li>b</ol>", "2. a\n1. b"],
    ["<ul><ul><li>a</ul></ul>", "- a"],
    ["<ol><li><pre>x\n  y</pre></ol>", "1. ```\n   x\n     y\n   ```"],
    ["<blockquote>a<blockquote>b</blockquote></blockquote>", "> a\n>\n> > b"],
    ["<pre class='language-c++'>x</pre>", "```c++\nx\n```"],
    ["<div class='highlight-source-js'><pre>x</pre></div>", "```js\nx\n```"],
    ["<pre>a<br>b<div>c</div>d</pre>", "```\na\nb\nc\nd\n```"],
    ["<details><summary>More</summary>text</details>", "**More**\n\ntext"],
    ["<a href=/x><h2>T</h2><p>s</p></a>", "## [T](https://site.example/x)\n\ns"],
  ])("%s", (html, expected) => {
    expect(text(html)).toBe(expected);
  });
});

describe("tables", () => {
  it.each([
    ["a head", "<tr><th>a<th>b<tr><td>1<td>2", "| a | b |\n| --- | --- |\n| 1 | 2 |"],
    ["no head", "<tr><td>1<td>2<tr><td>3<td>4", "|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |"],
    ["bars", "<tr><th>a<th>b<tr><td>1|2<td>3", "| a | b |\n| --- | --- |\n| 1\\|2 | 3 |"],
    [
      "spans",
      "<tr><th>a<th colspan=2>b<tr><td rowspan=2>1<td>2<td>3<tr><td>4<td>5",
      "| a | b |  |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n| 1 | 4 | 5 |",
    ],
    [
      "a caption",
      "<caption>C</caption><tr><th>a<th>b<tr><td>1<td>2",
      "**C**\n\n| a | b |\n| --- | --- |\n| 1 | 2 |",
    ],
    [
      "a mark that is drawn",
      "<tr><th>a<th>b<tr><td><a href=/up><div></div></a><td>1",
      "| a | b |\n| --- | --- |\n|  | 1 |",
    ],
    ["missing cells", "<tr><th>a<th>b<tr><td>1", "| a | b |\n| --- | --- |\n| 1 |  |"],
    ["empty rows", "<tr><th>a<th>b<tr><td><td><tr><td>1<td>2", "| a | b |\n| --- | --- |\n| 1 | 2 |"],
  ])("of data with %s", (_name, rows, expected) => {
    expect(text(`<table>${rows}</table>`)).toBe(expected);
  });

  it("that only place things give them in order", () => {
    expect(text("<table><tr><td><h2>A</h2>x<td><table><tr><th>a<th>b<tr><td>1<td>2</table></table>")).toBe(
      "## A\n\nx\n\n| a | b |\n| --- | --- |\n| 1 | 2 |",
    );
  });

  it("as text have bars alone", () => {
    expect(text("<table><tr><th>a<th>b<tr><td>1<td>2</table>", "text")).toBe("a | b\n1 | 2");
  });
});

describe("what is left out", () => {
  it.each([
    ["<p hidden>h</p>", "1 hidden part"],
    ["<p style='color: red; DISPLAY : NONE'>h</p>", "1 hidden part"],
    ["<div style='visibility:hidden'>h</div>", "1 hidden part"],
    ["<nav>h</nav>", "1 navigation block"],
    ["<div role=navigation>h</div>", "1 navigation block"],
    ["<footer>h</footer>", "1 page footer"],
    ["<aside>h</aside>", "1 sidebar"],
    ["<div class='cookie-banner'>h</div>", "1 notice"],
    ["<div id=google_ads class=ads>h</div>", "1 advertisement"],
    ["<form><label>h</label><input><select><option>h</select></form>", "1 form (2 fields)"],
    ["<iframe src=x>h</iframe>", "1 embedded frame or media"],
    ["<script>h</script><script>h</script>", "2 scripts"],
    ["<img src=x>", "1 image without description"],
  ])("%s", (html, expected) => {
    const page = render(`${PROSE}${html}`);
    expect(page.leftOut).toEqual([expected]);
    expect(page.text).not.toMatch(/h$/);
  });

  it("is nothing where hardly anything else would be there", () => {
    expect(text("<div class=sidebar><p>All that this page says, it says in a sidebar.</div>")).toContain(
      "All that this page says",
    );
    expect(text("<form><p>A page in a form, as old servers make them.</p><input></form>")).toContain(
      "A page",
    );
  });

  it.each([
    `<div class="related-work"><p>${"Earlier authors tied it otherwise. ".repeat(5)}</p></div>`,
    "<table class=market-share><tr><th>Rope<th>Share<tr><td>Hemp, laid by hand in the old way<td>40 %</table>",
    `<section class="cookies"><p>${"Bake them for twelve minutes. ".repeat(30)}</p></section>`,
  ])("is no part that says something of the subject: %s", (html) => {
    expect(render(`${PROSE}${PROSE}${html}`).leftOut).toEqual([]);
  });

  it("is not the main part for a class of its own", () => {
    expect(text(`<div class="newsletter">${PROSE}</div><p>x`)).toContain("quick brown fox");
  });
});

describe("a page that needs JavaScript", () => {
  it.each([
    ["<div id=root></div><script src=x></script>", true],
    ["<noscript>Please enable JavaScript.</noscript><p>Loading…</p><script></script>", true],
    ["<h1>Just a moment...</h1><p>Enable JavaScript and cookies to continue</p>", true],
    ["<p>Short, and a page all the same.</p><script src=stats.js></script>", false],
    [`${PROSE}<p>This course teaches you how to enable JavaScript.</p><script></script>`, false],
    ["<p></p>", false],
  ])("is known: %s", (html, expected) => {
    expect(render(html).needsJavaScript).toBe(expected);
  });
});

describe("what a page says of itself", () => {
  it("is its title, on one line and cut", () => {
    expect(render("<title>\n A \u202e&amp;\n B </title>").title).toBe("A \u202e& B");
    expect([...(render(`<title>${"😀".repeat(500)}</title>`).title ?? "")]).toHaveLength(200);
    expect(render("<svg><title>drawing</title></svg><h1>Heading</h1>").title).toBe("Heading");
  });

  it("is where it sends its reader on", () => {
    expect(render(`<meta http-equiv="Refresh" content="0; URL='../next'">x`).refreshTo).toBe(
      "https://site.example/next",
    );
    expect(render(`<meta http-equiv=refresh content="30">x`).refreshTo).toBeUndefined();
  });
});
