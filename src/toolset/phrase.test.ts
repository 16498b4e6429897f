import { describe, expect, it } from "vitest";
import { SAMPLES } from "../../test/support/refusal-samples.ts";
import { findSuggestedCalls } from "../../test/support/suggested-calls.ts";
import { type Refusal, type RefusalCode, type RefusalFacts, refuse } from "../contract/refusal.ts";
import { nameTools } from "./names.ts";
import { phraseRefusal } from "./phrase.ts";

const names = nameTools("file_", ["read", "list", "grep", "edit", "write"]);
const hints = { title: "t", destructiveHint: false, idempotentHint: false, openWorldHint: false };
const reader = { name: "read", annotations: { ...hints, readOnlyHint: true } };
const changer = (name: string) => ({ name, annotations: { ...hints, readOnlyHint: false } });

const CODES = Object.keys(SAMPLES) as RefusalCode[];
const sample = (code: RefusalCode): Refusal => refuse(code, SAMPLES[code][0] as never);

describe("the text of a refusal", () => {
  it.each(CODES)("says what is wrong and what would work: %s", (code) => {
    const text = phraseRefusal(sample(code), { names, tool: reader });
    const [, ...words] = SAMPLES[code];
    for (const word of words) expect(text).toContain(word);
    expect(text.isWellFormed()).toBe(true);
  });

  it.each(CODES)("says in a tool that changes something that nothing was changed: %s", (code) => {
    const certain = ![
      "call-cancelled",
      "fault",
      "closed",
      "tool-unknown",
      "tool-failed",
      "command-failed",
      "command-timed-out",
      "worker-lost",
    ].includes(code);
    expect(
      phraseRefusal(sample(code), { names, tool: changer("edit") }).includes("Nothing was changed."),
    ).toBe(certain);
    if (code !== "fault")
      expect(phraseRefusal(sample(code), { names, tool: reader })).not.toContain("Nothing was changed");
  });

  it("claims of a command that was cut off no more than that what it had changed stays", () => {
    for (const code of ["call-cancelled", "fault"] as const) {
      const text = (name: string) => phraseRefusal(sample(code), { names, tool: changer(name) });
      expect(text("edit")).toContain("Each file is as it was or wholly changed; look before");
      expect(text("bash")).toContain("What the command had changed by then stays; look before");
      expect(text("jobs")).toContain("A job is as it was or stopped; look before");
    }
  });

  it("offers a literal search in grep, where it can be had, and RE2 only where patterns are regular expressions", () => {
    const refusal = sample("pattern-unsupported");
    const text = (name: string) => phraseRefusal(refusal, { names, tool: { ...reader, name } });
    expect(text("grep")).toContain("literal: true");
    expect(text("read")).not.toContain("literal: true");
    expect(text("glob")).not.toContain("RE2");
  });

  it("does not say so where part of a tree may be gone", () => {
    for (const code of ["path-denied", "path-changed", "path-protected"] as const) {
      const refusal = sample(code);
      const facts = { ...refusal.facts, done: "2 entries of it were deleted" };
      const text = phraseRefusal({ ...refusal, facts } as Refusal, { names, tool: changer("delete") });
      expect(text).toContain("Before that, 2 entries of it were deleted; that stays so.");
      expect(text).not.toContain("Nothing was changed");
    }
  });

  it.each(CODES)("suggests only what is mounted: %s", (code) => {
    for (const mounted of [["read", "edit"], ["write"], []]) {
      const few = nameTools("x_", mounted);
      const text = phraseRefusal(sample(code), { names: few, tool: reader });
      for (const tool of ["read", "list", "grep", "glob", "edit", "write"]) {
        if (mounted.includes(tool)) continue;
        expect(findSuggestedCalls(text, [tool, `x_${tool}`]), text).toEqual([]);
      }
    }
  });

  it("says of a directory that was not read to its end that there are at least so many more", () => {
    const nearest = { path: "src", entries: ["a and 2 more", "b"], total: 50_000, isAtLeast: true } as const;
    const refusal = refuse("path-missing", { path: "src/c", nearest, sameName: [], similar: [] });
    expect(phraseRefusal(refusal, { names: nameTools("", ["list"]) })).toContain(
      "The nearest directory, src, has a and 2 more, b and at least 49998 more.",
    );
  });

  it("lists a directory with read where list is not mounted", () => {
    const few = nameTools("", ["read", "edit"]);
    expect(phraseRefusal(sample("path-is-directory"), { names: few, tool: changer("edit") })).toContain(
      'read {"path":"src"}',
    );
  });

  it("keeps a name with line breaks and control characters on its line, and a suggested call what it is", () => {
    const path = "a\nERROR: b\u001b[2J\u2028\u0085\tc";
    const facts = { path, by: "git" as const };
    expect(phraseRefusal(refuse("path-protected", facts), { names, tool: reader })).toMatch(
      /^a\\nERROR: b\\u001b\[2J\\u2028\\u0085\\tc is part of/,
    );
    const range = phraseRefusal(refuse("range-outside", { path, offset: 9, lines: 1 }), {
      names,
      tool: reader,
    });
    expect(range).not.toMatch(/[\p{Cc}\u2028]/u);
    expect(findSuggestedCalls(range, names.mounted)[0]?.args).toEqual({ path, offset: 1 });
  });

  it("never hints at the call just made", () => {
    const hint = (facts: RefusalFacts["range-outside"]) =>
      findSuggestedCalls(
        phraseRefusal(refuse("range-outside", facts), { names, tool: reader }),
        names.mounted,
      )[0]?.args;
    expect(hint({ path: "b", offset: 0, lines: 3 })).toEqual({ path: "b", offset: 1 });
    expect(hint({ path: "b", offset: -1, lines: 0 })).toEqual({ path: "b" });
    expect(hint({ path: "b", offset: 11, lines: 10 })).toEqual({ path: "b", offset: 1 });
    expect(hint({ path: "b", offset: 4, lines: 9, column: { asked: 50, characters: 7 } })).toEqual({
      path: "b",
      offset: 4,
    });
  });

  it("tells where a new text already stands", () => {
    const text = phraseRefusal(
      refuse("edit-no-match", { path: "b", entry: "edits[0]", entries: 1, alreadyAt: 4 }),
      { names, tool: changer("edit") },
    );
    expect(text).toBe(
      "edits[0]: its old_text does not occur in b. Nothing was changed. Its new_text already stands at line 4: it may be done.",
    );
  });

  it("bounds every list and every line", () => {
    const many = Array.from({ length: 500 }, (_, index) => `${index}${"y".repeat(300)}`);
    const places = many.map((text, line) => ({ line, text: `${text}😀`.repeat(3) })).slice(0, 20);
    const text = phraseRefusal(
      refuse("edit-ambiguous", { path: "b", entry: "edits[0]", places, total: 500 }),
      { names, tool: reader },
    );
    expect(text.length).toBeLessThan(5_000);
    expect(text.isWellFormed()).toBe(true);
    const missing = phraseRefusal(
      refuse("input-invalid", {
        tool: "x",
        problems: many.map((path) => ({ path, message: "m" })),
        takes: many,
      }),
      { names, tool: reader },
    );
    expect(missing).toContain("and 480 more problems");
  });
});
