import { describe, expect, it } from "vitest";
import { decodeReferences } from "./character-references.ts";

describe("character references", () => {
  it.each([
    ["&amp;&lt;&gt;&quot;&apos;", "&<>\"'"],
    ["&nbsp;", "\u00a0"],
    ["&hellip; &mdash; &rsquo;", "… — ’"],
    ["&CounterClockwiseContourIntegral;", "∳"],
    ["&NotEqualTilde;", "≂̸"],
    ["&#8230; &#x2026; &#X2026;", "… … …"],
    ["&#8230", "…"],
    ["&#x1F600;", "😀"],
    ["&copy 2026, &copy2026", "© 2026, ©2026"],
    ["&notit;", "¬it;"],
    ["&notin;", "∉"],
    ["&bogus; &; & &&", "&bogus; &; & &&"],
    ["&hellip no semicolon", "&hellip no semicolon"],
    ["&#0; &#xD800; &#x110000; &#99999999999;", "\ufffd \ufffd \ufffd \ufffd"],
    ["&#x80; &#150;", "€ –"],
    ["&amp;amp;", "&amp;"],
  ])("in text: %s", (written, read) => {
    expect(decodeReferences(written, { inAttribute: false })).toBe(read);
  });

  it.each([
    ["?a=1&copy=2", "?a=1&copy=2"],
    ["?a=1&copyx", "?a=1&copyx"],
    ["?a=1&amp;b=2", "?a=1&b=2"],
    ["?a&lt", "?a<"],
  ])("in attributes: %s", (written, read) => {
    expect(decodeReferences(written, { inAttribute: true })).toBe(read);
  });
});
