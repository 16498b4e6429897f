/**
 * Owns the table of decisions about hosts, and about hops.
 * Leaves addresses to the network screen. Rule: as test/support/decision-rows.ts says.
 */
import { afterAll } from "vitest";
import { checkDecisions } from "../../test/support/decision-rows.ts";
import { makeJudgedTree } from "../../test/support/judged-tree.ts";

const tree = makeJudgedTree();
afterAll(() => tree.remove());

checkDecisions(tree.root, "hosts", [
  [
    "ww",
    ["allow connects(example.com)"],
    "webfetch",
    { host: "example.com" },
    "allow by connects(example.com)",
  ],
  [
    "ww",
    ["allow connects(example.com)"],
    "webfetch",
    { host: "EXAMPLE.com." },
    "allow by connects(example.com)",
  ],
  [
    "ww",
    ["allow connects(example.com)"],
    "webfetch",
    { host: "example.com:8443" },
    "allow by connects(example.com)",
  ],
  [
    "ww",
    ["allow connects(example.com:443)"],
    "webfetch",
    { host: "example.com:443" },
    "allow by connects(example.com:443)",
  ],
  ["ww", ["allow connects(example.com:443)"], "webfetch", { host: "example.com:8443" }, "ask"],
  ["ww", ["allow connects(example.com:443)"], "webfetch", { host: "example.com" }, "ask"],
  ["ww", ["allow connects(example.com)"], "webfetch", { host: "www.example.com" }, "ask"],
  ["ww", ["allow connects(example.com)"], "webfetch", { host: "example.com.evil.org" }, "ask"],
  ["ww", ["allow connects(example.com)"], "webfetch", { host: "example.com@evil.org" }, "ask"],
  [
    "ww",
    ["allow connects(example.com)"],
    "webfetch",
    { host: "user:pw@example.com:443" },
    "allow by connects(example.com)",
  ],
  [
    "ww",
    ["allow connects(*.example.com)"],
    "webfetch",
    { host: "a.b.Example.com" },
    "allow by connects(*.example.com)",
  ],
  ["ww", ["allow connects(*.example.com)"], "webfetch", { host: "example.com" }, "ask"],
  ["ww", ["allow connects(*.example.com)"], "webfetch", { host: "badexample.com" }, "ask"],
  ["ww", ["allow connects(*:443)"], "browse", { host: "x.org:443" }, "allow by connects(*:443)"],
  ["ww", ["allow connects(*:443)"], "browse", { host: "x.org:80" }, "ask"],
  ["ww", ["allow webfetch(example.com)"], "browse", { host: "example.com" }, "ask"],
  [
    "fa",
    ["deny connects(b\u00fccher.de)"],
    "webfetch",
    { host: "xn--bcher-kva.de" },
    "deny by connects(b\u00fccher.de)",
  ],
  [
    "fa",
    ["deny connects(xn--bcher-kva.de)"],
    "webfetch",
    { host: "B\u00dcCHER.de" },
    "deny by connects(xn--bcher-kva.de)",
  ],
  ["fa", ["deny connects(evil.org)"], "webfetch", { host: "evil.org.:443" }, "deny by connects(evil.org)"],
  ["fa", ["deny connects(evil.org:443)"], "webfetch", { host: "evil.org" }, "deny by connects(evil.org:443)"],
  ["fa", ["deny connects(evil.org)"], "webfetch", { host: "ok.org@evil.org" }, "deny by connects(evil.org)"],
  ["fa", ["deny connects(evil.org)"], "webfetch", { host: "no host" }, "deny by connects(evil.org)"],
  ["fa", ["deny connects([::1])"], "webfetch", { host: "[0:0:0:0:0:0:0:1]:80" }, "deny by connects([::1])"],
  ["fa", ["deny connects(127.0.0.1)"], "webfetch", { host: "0x7f.1:80" }, "deny by connects(127.0.0.1)"],
  [
    "fa",
    ["deny connects(127.0.0.1)"],
    "webfetch",
    { host: "[::ffff:127.0.0.1]" },
    "deny by connects(127.0.0.1)",
  ],
  ["fa", ["deny connects(evil.org)"], "webfetch", { host: "evil.org\uff0e" }, "deny by connects(evil.org)"],
  ["fa", ["ask webfetch"], "webfetch", { host: "x.org" }, "ask by webfetch"],
]);
