/**
 * Owns which rules are none, and what is said of them. Leaves what good rules mean to the tables.
 * Rule: a rule that can never mean anything throws where it is given.
 */
import { describe, expect, it } from "vitest";
import { makeFakeRoot } from "../../test/support/judged-tree.ts";
import { OptionsError } from "../contract/errors.ts";
import { openPermission } from "./permission.ts";

function open(rules: object, mode: unknown = "workspace-write") {
  return openPermission({ mode: mode as never, rules, root: makeFakeRoot() });
}

describe("a rule that is none", () => {
  const wrong: readonly [unknown, RegExp][] = [
    ["", /NAME or NAME\(pattern\)/],
    [7, /NAME or NAME\(pattern\)/],
    ["writes(src/**", /NAME or NAME\(pattern\)/],
    ["writes src", /NAME or NAME\(pattern\)/],
    ["write s(x)", /NAME or NAME\(pattern\)/],
    ["Bash(ls)", /bash \(the nearest name\)/],
    ["wites(x)", /writes? \(the nearest name\)/],
    ["nothing_like_it", /begins with one of \*, reads, writes, connects, runs, read/],
    ["writes()", /a path or a glob/],
    ["writes(../x)", /without \.\./],
    ["writes(/etc/**)", /without a leading \//],
    ["reads(~/.ssh/**)", /without a leading \//],
    ["reads(!(a))", /a glob without !\(a\)/],
    ["runs()", /the words of a command/],
    ["runs(npm test > log)", /with > in quotes/],
    ["runs(echo $HOME)", /with \$ in quotes/],
    ["runs(a && b)", /with & in quotes/],
    ["runs(echo 'open)", /with ' in quotes/],
    ["connects(https://example.com)", /a host with or without a port/],
    ["connects(exa*.com)", /a host with or without a port/],
    ["connects(a@b.com)", /a host with or without a port/],
    ["connects(example.com:99999)", /a host with or without a port/],
    ["connects()", /a host with or without a port/],
    ["jobs(job_1)", /no brackets/],
  ];
  it.each(wrong)("%j is refused with what is expected", (rule, message) => {
    const attempt = () => open({ deny: ["reads(x)", rule] });
    expect(attempt).toThrow(OptionsError);
    expect(attempt).toThrow(/^option rules\.deny\[1\]: /);
    expect(attempt).toThrow(message);
  });

  it("is refused with its list where that is no list", () => {
    expect(() => open({ allow: "bash" })).toThrow("option rules.allow: expected an array of rules");
    expect(() => open({ dney: [] })).toThrow("rules.deny (the nearest name)");
    expect(() => open(["bash"])).toThrow("option rules: expected an object");
    expect(() => open({}, "yolo")).toThrow("option mode: expected one of read-only");
  });
});

describe("a rule that is good", () => {
  it("is kept as it was written", () => {
    const rules = { deny: ["reads( secrets/** )", " bash "], allow: ["runs(a (b))".replace("(b)", "'(b)'")] };
    expect(open(rules).rules()).toEqual({
      deny: ["reads( secrets/** )", "bash"],
      ask: [],
      allow: ["runs(a '(b)')"],
    });
  });

  it("may have a path outside where a host's own resolver leads there", () => {
    const root = { ...makeFakeRoot(), resolve: (path: string) => path };
    expect(() =>
      openPermission({ mode: "full-access", rules: { deny: ["reads(/etc/**)"] }, root }),
    ).not.toThrow();
  });
});
