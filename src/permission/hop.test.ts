/**
 * Owns the hops that a call may make after its first host. Leaves redirects to net/.
 * Rule: what denies holds for each, and an allow rule lets a call no further than it says.
 */
import { expect, it } from "vitest";
import { makeFakeRoot } from "../../test/support/judged-tree.ts";
import type { Rules } from "../contract/decision.ts";
import { openPermission } from "./permission.ts";

function hop(rules: Rules, host: string, by: "rule" | "mode" | "approver", port = 443) {
  const permission = openPermission({ mode: "full-access", rules, root: makeFakeRoot() });
  return permission.mayConnect({ tool: "webfetch", host, port, decision: { by } });
}

it("holds every hop to the rules that deny, whoever let the call through", () => {
  const rules = { deny: ["connects(*.evil.org)"] };
  for (const by of ["rule", "mode", "approver"] as const)
    expect(hop(rules, "cdn.Evil.org.", by)).toBe(
      "the rule deny connects(*.evil.org) forbids cdn.evil.org:443",
    );
  expect(hop(rules, "example.com", "mode")).toBeUndefined();
  expect(hop({ deny: ["webfetch(a.org)"] }, "a.org", "mode")).toContain("forbids a.org:443");
  expect(hop({ deny: ["browse(a.org)"] }, "a.org", "mode")).toBeUndefined();
});

it("names a host that no rule allows where a rule let the call through", () => {
  const rules = { allow: ["connects(example.com)", "connects(*.example.net:443)"] };
  expect(hop(rules, "example.com", "rule", 8080)).toBeUndefined();
  expect(hop(rules, "a.example.net", "rule")).toBeUndefined();
  expect(hop(rules, "a.example.net", "rule", 80)).toBe("no rule allows a.example.net:80");
  expect(hop(rules, "other.org", "rule")).toBe("no rule allows other.org:443");
  expect(hop(rules, "other.org", "mode")).toBeUndefined();
  expect(hop({ allow: ["webfetch"] }, "other.org", "rule")).toBeUndefined();
});

it("goes to no host that a rule asks for, unless a person has answered for the call", () => {
  const rules = { ask: ["connects(intra.example.com)"] };
  expect(hop(rules, "intra.example.com", "mode")).toContain("asks for intra.example.com:443 first");
  expect(hop(rules, "intra.example.com", "approver")).toBeUndefined();
});

it("reads addresses as the URL standard does", () => {
  expect(hop({ deny: ["connects([::1])"] }, "::1", "mode")).toContain("forbids [::1]:443");
});
