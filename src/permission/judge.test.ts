/**
 * Owns the table of decisions about modes, the order of rules, and paths.
 * Leaves commands to shell-pattern.test.ts, hosts to host-pattern.test.ts, what a denial says to station.test.ts. Rule: as test/support/decision-rows.ts says.
 */
import { afterAll } from "vitest";
import { bash, checkDecisions } from "../../test/support/decision-rows.ts";
import { makeJudgedTree } from "../../test/support/judged-tree.ts";

const tree = makeJudgedTree();
afterAll(() => tree.remove());

const edit = { path: "src/a.ts", edits: [{ old_text: "alpha", new_text: "omega" }] };

checkDecisions(tree.root, "what a mode decides where no rule speaks", [
  ["ro", [], "read", { path: "src/a.ts" }, "allow"],
  ["ro", [], "list", {}, "allow"],
  ["ro", [], "glob", { pattern: "**" }, "allow"],
  ["ro", [], "grep", { pattern: "alpha" }, "allow"],
  ["ro", [], "recall", {}, "allow"],
  ["ro", [], "commitments", {}, "allow"],
  ["ro", [], "edit", edit, "deny"],
  ["ro", [], "write", { path: "new", content: "" }, "deny"],
  ["ro", [], "delete", { path: "src/a.ts" }, "deny"],
  ["ro", [], "move", { from: "src/a.ts", to: "b" }, "deny"],
  ["ro", [], "bash", bash("ls"), "deny"],
  ["ro", [], "jobs", {}, "deny"],
  ["ro", [], "webfetch", { host: "example.com" }, "ask"],
  ["ro", [], "browse", { host: "example.com" }, "ask"],
  ["ro", [], "deploy", {}, "deny"],
  ["ww", [], "read", { path: "src/a.ts" }, "allow"],
  ["ww", [], "edit", edit, "allow"],
  ["ww", [], "delete", { path: "src", recursive: true }, "allow"],
  ["ww", [], "move", { from: "src/a.ts", to: "b" }, "allow"],
  ["ww", [], "bash", bash("ls"), "ask"],
  ["ww", [], "jobs", {}, "allow"],
  ["ww", [], "webfetch", { host: "example.com" }, "ask"],
  ["ww", [], "deploy", {}, "ask"],
  ["ww", [], "measure", { path: "src/a.ts" }, "ask"],
  ["fa", [], "write", { path: "new", content: "" }, "allow"],
  ["fa", [], "bash", bash("rm -rf build > log; $(x)"), "allow"],
  ["fa", [], "browse", { host: "example.com" }, "allow"],
  ["fa", [], "deploy", {}, "allow"],
]);

checkDecisions(tree.root, "the order of rules", [
  ["fa", ["deny bash", "allow bash"], "bash", bash("ls"), "deny by bash"],
  ["fa", ["ask bash", "allow bash"], "bash", bash("ls"), "ask by bash"],
  ["fa", ["deny *", "ask *", "allow *"], "read", { path: "src/a.ts" }, "deny by *"],
  ["ro", ["allow *"], "deploy", {}, "allow by *"],
  ["ro", ["allow edit"], "edit", edit, "allow by edit"],
  ["ro", ["allow writes(src/**)"], "edit", edit, "allow by writes(src/**)"],
  ["ro", ["allow writes"], "write", { path: "x", content: "" }, "allow by writes"],
  ["ro", ["allow reads(**)"], "edit", edit, "deny"],
  ["ww", ["deny reads(src/**)"], "edit", edit, "deny by reads(src/**)"],
  ["ww", ["deny writes(src/**)"], "read", { path: "src/a.ts" }, "allow"],
  ["ww", ["ask reads(src/**)", "allow reads(src/**)"], "read", { path: "src/a.ts" }, "ask by reads(src/**)"],
  ["ww", ["allow writes(src/**)"], "measure", { path: "src/a.ts" }, "allow by writes(src/**)"],
  ["ww", ["allow reads(docs/**)"], "measure", { path: "src/a.ts" }, "ask"],
  ["ww", ["allow deploy"], "deploy", {}, "allow by deploy"],
  ["ww", ["allow runs(*)", "allow reads(**)", "allow connects(*)"], "deploy", {}, "ask"],
  ["ww", ["deny edit(src/**)"], "write", { path: "src/a.ts", content: "" }, "allow"],
  ["ww", ["deny edit(src/**)"], "edit", edit, "deny by edit(src/**)"],
  ["ww", ["deny *(src/**)"], "edit", edit, "deny by *(src/**)"],
  ["ww", ["deny grep"], "read", { path: "src/a.ts", grep: "a" }, "deny by grep"],
  ["ww", ["deny grep"], "read", { path: "src/a.ts" }, "allow"],
  ["ww", ["deny jobs"], "jobs", {}, "deny by jobs"],
]);

checkDecisions(tree.root, "every effect of a call", [
  ["ro", ["allow writes(src/**)"], "move", { from: "src/a.ts", to: "docs/a.ts" }, "deny"],
  ["ro", ["allow writes(docs/**)"], "move", { from: "src/a.ts", to: "docs/a.ts" }, "deny"],
  [
    "ro",
    ["allow writes(src/**)", "allow writes(docs/**)"],
    "move",
    { from: "src/a.ts", to: "docs/a.ts" },
    "allow by writes(src/**), writes(docs/**)",
  ],
  ["ww", ["deny writes(docs/**)"], "move", { from: "src/a.ts", to: "docs/a.ts" }, "deny by writes(docs/**)"],
  ["ww", ["deny writes(src/**)"], "move", { from: "src/a.ts", to: "docs/a.ts" }, "deny by writes(src/**)"],
  ["ww", ["allow runs(git *)"], "bash", bash("git status && git log"), "allow by runs(git *)"],
  ["ww", ["allow runs(git *)"], "bash", bash("git status; rm x"), "ask"],
  [
    "ww",
    ["allow runs(git *)", "allow runs(npm test)"],
    "bash",
    bash("git status | npm test"),
    "allow by runs(git *), runs(npm test)",
  ],
]);

const SECRETS = ["deny reads(secrets/**)"];
const BY_SECRETS = "deny by reads(secrets/**)";

checkDecisions(tree.root, "a path however it is spelled", [
  ["fa", SECRETS, "read", { path: "secrets/key.pem" }, BY_SECRETS],
  ["fa", SECRETS, "read", { path: "./secrets/key.pem" }, BY_SECRETS],
  ["fa", SECRETS, "read", { path: ".//secrets///key.pem" }, BY_SECRETS],
  ["fa", SECRETS, "read", { path: "src/../secrets/key.pem" }, BY_SECRETS],
  ["fa", SECRETS, "read", { path: "secrets/deep/../key.pem" }, BY_SECRETS],
  ["fa", SECRETS, "read", { path: `${tree.root}/secrets/key.pem` }, BY_SECRETS],
  ["fa", SECRETS, "read", { path: "link/key.pem" }, BY_SECRETS],
  ["fa", SECRETS, "read", { path: "docs/key" }, BY_SECRETS],
  ["fa", SECRETS, "read", { path: "link/deep/more.pem" }, BY_SECRETS],
  ["fa", SECRETS, "read", { file_path: "secrets/key.pem" }, BY_SECRETS],
  ["fa", SECRETS, "list", { path: "secrets/deep/" }, BY_SECRETS],
  ["fa", SECRETS, "grep", { pattern: "a", path: "link/deep" }, BY_SECRETS],
  ["fa", SECRETS, "write", { path: "link/new", content: "" }, BY_SECRETS],
  ["fa", SECRETS, "write", { path: "secrets/a/b/c", content: "" }, BY_SECRETS],
  ["fa", SECRETS, "edit", { ...edit, path: "docs/key" }, BY_SECRETS],
  ["fa", SECRETS, "read", { path: "secrets2" }, "allow"],
  ["fa", SECRETS, "list", { path: "secrets" }, "allow"],
  ["fa", SECRETS, "delete", { path: "docs/key" }, "allow"],
  ["fa", SECRETS, "delete", { path: "link" }, "allow"],
  ["fa", ["deny reads(./secrets//**)"], "read", { path: "secrets/key.pem" }, "deny by reads(./secrets//**)"],
  [
    "fa",
    [`deny reads(${tree.root}/secrets/**)`],
    "read",
    { path: "secrets/key.pem" },
    `deny by reads(${tree.root}/secrets/**)`,
  ],
  ["fa", ["deny writes(docs/key)"], "delete", { path: "docs/key" }, "deny by writes(docs/key)"],
  ["fa", ["deny reads(secrets)"], "read", { path: "secrets/key.pem" }, "deny by reads(secrets)"],
  ["fa", ["deny reads(secrets/)"], "list", { path: "link" }, "deny by reads(secrets/)"],
  ["fa", ["deny reads(**/*.pem)"], "read", { path: "link/deep/more.pem" }, "deny by reads(**/*.pem)"],
  ["fa", ["deny reads(*.pem)"], "read", { path: "secrets/key.pem" }, "allow"],
  ["fa", ["deny reads(src/*)"], "read", { path: "src/deep/b.ts" }, "allow"],
  ["fa", ["deny reads(src/*)"], "read", { path: "src/a.ts" }, "deny by reads(src/*)"],
  ["fa", ["deny reads(SECRETS/**)"], "read", { path: "secrets/key.pem" }, "allow"],
  ["fa", ["deny reads(**/.env)"], "read", { path: ".env" }, "deny by reads(**/.env)"],
  ["fa", ["deny reads(**/.env)"], "read", { path: "config/.env" }, "deny by reads(**/.env)"],
  ["fa", ["deny reads(cafe\u0301/**)"], "read", { path: "caf\u00e9/menu" }, "deny by reads(cafe\u0301/**)"],
  ["fa", ["deny reads(caf\u00e9/**)"], "read", { path: "cafe\u0301/menu" }, "deny by reads(caf\u00e9/**)"],
  [
    "fa",
    ["deny writes(caf\u00e9/**)"],
    "write",
    { path: "cafe\u0301/x", content: "" },
    "deny by writes(caf\u00e9/**)",
  ],
  ["ro", ["allow writes(caf\u00e9/**)"], "write", { path: "cafe\u0301/x", content: "" }, "deny"],
  [
    "fa",
    ["deny reads(notes/with space.txt)"],
    "read",
    { path: "notes/with\u00a0space.txt" },
    "deny by reads(notes/with space.txt)",
  ],
  ["fa", ["deny reads(.)"], "list", {}, "deny by reads(.)"],
  ["fa", ["deny reads(**)"], "list", {}, "deny by reads(**)"],
  ["fa", ["deny reads(*)"], "list", {}, "allow"],
]);

checkDecisions(tree.root, "a rule that allows takes what it spells out", [
  ["ro", ["allow writes(src/*)"], "write", { path: "src/n", content: "" }, "allow by writes(src/*)"],
  ["ro", ["allow writes(src/*)"], "write", { path: "src/deep/n", content: "" }, "deny"],
  ["ro", ["allow writes(src/*)"], "write", { path: "src/../x", content: "" }, "deny"],
  ["ro", ["allow writes(src/**)"], "write", { path: "src/../docs/x", content: "" }, "deny"],
  [
    "ro",
    ["allow writes(src/**)"],
    "write",
    { path: "docs/source/new.ts", content: "" },
    "allow by writes(src/**)",
  ],
  ["ro", ["allow writes(docs/**)"], "write", { path: "docs/source/new.ts", content: "" }, "deny"],
  ["ro", ["allow writes(docs/**)"], "write", { path: "docs/key", content: "" }, "deny"],
  ["ro", ["allow writes(src)"], "write", { path: "src/n", content: "" }, "deny"],
  ["ro", ["allow writes(src/)"], "write", { path: "src/deep/n", content: "" }, "allow by writes(src/)"],
  [
    "ro",
    ["allow writes({src,docs}/**)"],
    "write",
    { path: "docs/n", content: "" },
    "allow by writes({src,docs}/**)",
  ],
  ["ro", ["allow writes({src/,empty})"], "write", { path: "empty/n", content: "" }, "deny"],
  ["ro", [String.raw`allow writes(app/\[id\]/**)`], "write", { path: "app/i/n", content: "" }, "deny"],
  [
    "ro",
    ["allow writes(app/[id]/**)"],
    "write",
    { path: "app/[id]/n", content: "" },
    "allow by writes(app/[id]/**)",
  ],
]);

checkDecisions(tree.root, "folders that go with all that is in them", [
  ["ww", SECRETS, "delete", { path: "secrets", recursive: true }, BY_SECRETS],
  ["ww", SECRETS, "move", { from: "secrets", to: "open" }, BY_SECRETS],
  [
    "ww",
    ["deny writes(src/deep/**)"],
    "delete",
    { path: "src", recursive: true },
    "deny by writes(src/deep/**)",
  ],
  ["ww", ["ask writes(**/*.ts)"], "delete", { path: "src", recursive: true }, "ask by writes(**/*.ts)"],
  ["ww", ["ask writes(**/*.md)"], "delete", { path: "src", recursive: true }, "allow"],
  [
    "ww",
    ["deny writes(moved/deep/**)"],
    "move",
    { from: "src", to: "moved" },
    "deny by writes(moved/deep/**)",
  ],
  ["ww", ["deny writes(moved/other/**)"], "move", { from: "src", to: "moved" }, "allow"],
  ["ww", ["deny writes(empty/**)"], "delete", { path: "empty", recursive: true }, "allow"],
  ["ww", ["deny writes(src)"], "delete", { path: "src/deep", recursive: true }, "deny by writes(src)"],
  ["ro", ["allow writes(src/**)"], "delete", { path: "src", recursive: true }, "deny"],
  [
    "ro",
    ["allow writes(src/**)"],
    "delete",
    { path: "src/deep", recursive: true },
    "allow by writes(src/**)",
  ],
  ["ro", ["allow writes(src/*)"], "delete", { path: "src/deep", recursive: true }, "deny"],
  ["ro", ["allow writes(src/)"], "delete", { path: "src", recursive: true }, "allow by writes(src/)"],
  [
    "ro",
    ["allow writes({src/,moved/})"],
    "move",
    { from: "src", to: "moved" },
    "allow by writes({src/,moved/})",
  ],
]);
