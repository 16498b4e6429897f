/**
 * The runtime decides what is done: each kind of criterion, what its evidence rests on, and what makes it void.
 */
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CommitmentInput } from "../../src/commitment/terms.ts";
import type { Answer } from "../../src/contract/decision.ts";
import { makeRoot } from "../session/session-fixture.ts";
import { openPromising, type Promising, refusalOf, termsOf } from "./fixture.ts";

type Given = CommitmentInput["criteria"][number];

async function evaluateOne(
  { commitments }: Promising,
  criterion: Partial<Given> & Pick<Given, "kind">,
  evidence: CommitmentInput["evidence"] = "observed",
) {
  const given = { statement: "so", ...criterion } as Given;
  const { shortId } = await commitments.open(termsOf({ evidence, criteria: [given] }));
  const report = await commitments.evaluate(shortId);
  const [one] = report.criteria;
  return { id: shortId, result: one?.result, why: one?.why, view: report.view };
}

const ROWS: readonly (readonly [string, Partial<Given> & Pick<Given, "kind">, string, RegExp | undefined])[] =
  [
    ["a file that is there", { kind: "file-exists", path: "a.txt" }, "passed", undefined],
    ["a file that is not", { kind: "file-exists", path: "no.txt" }, "failed", /^there is no no\.txt$/],
    ["a folder for a file", { kind: "file-exists", path: "src" }, "failed", /^src is a folder$/],
    ["a link inside", { kind: "file-exists", path: "link.txt" }, "passed", undefined],
    ["a link outside", { kind: "file-exists", path: "out.txt" }, "unknown", /^out\.txt is outside the root$/],
    ["a path outside", { kind: "file-exists", path: "../a.txt" }, "unknown", /is outside the root/],
    ["text that is there", { kind: "file-contains", path: "a.txt", text: "one" }, "passed", undefined],
    ["text over lines", { kind: "file-contains", path: "a.txt", text: "one\ntwo" }, "passed", undefined],
    [
      "text that is not",
      { kind: "file-contains", path: "a.txt", text: "x" },
      "failed",
      /does not contain it/,
    ],
    ["text in no file", { kind: "file-contains", path: "no.txt", text: "x" }, "failed", /there is no/],
    ["a pattern", { kind: "file-contains", path: "a.txt", pattern: "^t.o$" }, "passed", undefined],
    [
      "a pattern that is not",
      { kind: "file-contains", path: "a.txt", pattern: "^wo" },
      "failed",
      /does not contain/,
    ],
    [
      "text in an empty file",
      { kind: "file-contains", path: "empty.txt", text: "x" },
      "failed",
      /does not contain/,
    ],
    ["a command that succeeds", { kind: "shell", command: "grep -q one a.txt" }, "passed", undefined],
    [
      "a command that fails",
      { kind: "shell", command: "exit 3" },
      "failed",
      /^exit code 3, call .*\/call_1$/,
    ],
    ["a command that is none", { kind: "shell", command: "no-such-program" }, "unknown", /^exit code 127/],
    ["a file that is no program", { kind: "shell", command: "./a.txt" }, "unknown", /^exit code 126/],
    ["a command that is killed", { kind: "shell", command: "kill -9 $$" }, "unknown", /SIGKILL/],
    ["a command that does not parse", { kind: "shell", command: "if true; then" }, "unknown", /call_1$/],
    [
      "a command without end",
      { kind: "shell", command: "sleep 60", timeoutMs: 300 },
      "unknown",
      /in its time/,
    ],
    ["a command elsewhere", { kind: "shell", command: "test -f b.txt", cwd: "src" }, "passed", undefined],
    ["a command nowhere", { kind: "shell", command: "true", cwd: "nowhere" }, "unknown", /nowhere/],
    [
      "a command that changes what it tests",
      { kind: "shell", command: "echo x >> a.txt; grep -q x a.txt" },
      "unknown",
      /a\.txt has changed while/,
    ],
    [
      "paths that are not there",
      { kind: "shell", command: "true", paths: ["gone"] },
      "unknown",
      /gone, on which it rests/,
    ],
    ["a statement that nobody made", { kind: "statement" }, "unchecked", undefined],
    ["a call that nobody cited", { kind: "tool-call" }, "unchecked", undefined],
    ["a receipt that nobody has", { kind: "receipt" }, "unchecked", undefined],
    ["a person who was not asked", { kind: "attestation" }, "unchecked", undefined],
  ];

function makeTree(): string {
  const root = makeRoot({ "a.txt": "one\ntwo\n", "src/b.txt": "b\n", "empty.txt": "" });
  symlinkSync("a.txt", join(root, "link.txt"));
  symlinkSync("/etc/hostname", join(root, "out.txt"));
  return root;
}

describe("evaluating", () => {
  it.each(ROWS)("%s", async (_about, criterion, result, why) => {
    const found = await evaluateOne(await openPromising(makeTree()), criterion);
    expect([found.result, found.why ?? ""]).toEqual([result, expect.stringMatching(why ?? /^$/)]);
    expect(found.view.phase).toBe(result === "passed" ? "satisfying" : "active");
  });

  it("runs a command as a call of the session: in its ledger, under its permission", async () => {
    const root = makeTree();
    const asked: string[] = [];
    const approve = async ({ call }: { call: { args: unknown } }): Promise<Answer> => {
      asked.push(JSON.stringify(call.args));
      return { deny: "not today" };
    };
    const denied = await openPromising(root, { mode: "workspace-write", approve });
    const no = await evaluateOne(denied, { kind: "shell", command: "true" });
    expect(asked).toEqual(['{"command":"true"}']);
    expect(no).toMatchObject({ result: "unknown", why: expect.stringContaining("not today") });
    const none = await openPromising(root, { mode: "read-only" });
    expect(await evaluateOne(none, { kind: "shell", command: "true" })).toMatchObject({ result: "unknown" });
    const ruled = await openPromising(root, { mode: "workspace-write", rules: { allow: ["runs(true)"] } });
    const yes = await evaluateOne(ruled, { kind: "shell", command: "true" });
    expect(yes.result).toBe("passed");
    const call = `${ruled.session.id}/call_1`;
    expect(yes.view.criteria[0]?.evidence?.call).toBe(call);
    expect(ruled.session.ledger.find(call)).toMatchObject({
      name: "bash",
      state: "done",
      args: { command: "true" },
    });
    const without = await openPromising(root, { tools: ["read", "commitments"] as never });
    expect(await evaluateOne(without, { kind: "shell", command: "true" })).toMatchObject({
      result: "unknown",
      why: "this session has no bash to run its command",
    });
  });

  it("runs a command through the host's own wrappers and under a prefix too", async () => {
    const names: string[] = [];
    const promising = await openPromising(makeTree(), {
      prefix: "my_",
      use: [
        (next) => (call, options) => {
          names.push(call.name);
          return next(call, options);
        },
      ],
    });
    expect(await evaluateOne(promising, { kind: "shell", command: "true" })).toMatchObject({
      result: "passed",
    });
    expect(names).toEqual(["my_bash"]);
  });

  it("stops a command whose time is over, and leaves no job", async () => {
    const promising = await openPromising(makeTree());
    await evaluateOne(promising, { kind: "shell", command: "sleep 60", timeoutMs: 300 });
    const jobs = await promising.session.call("jobs", {});
    expect(jobs.content).not.toMatch(/running/);
  });

  it("looks at no file that a rule withholds", async () => {
    const promising = await openPromising(makeTree(), { rules: { deny: ["reads(a.txt)"] } });
    expect(await evaluateOne(promising, { kind: "file-contains", path: "a.txt", text: "one" })).toMatchObject(
      {
        result: "unknown",
        why: "a.txt is withheld by rule reads(a.txt)",
      },
    );
  });

  it("says what became outdated, by what, before it looks anew", async () => {
    const root = makeTree();
    const promising = await openPromising(root);
    const { commitments } = promising;
    const { id, view } = await evaluateOne(promising, { kind: "file-contains", path: "a.txt", text: "one" });
    expect(view.phase).toBe("satisfying");
    writeFileSync(join(root, "a.txt"), "two\n");
    const again = await commitments.evaluate(id);
    expect(again.criteria).toEqual([
      { criterion: "c1", result: "failed", why: "a.txt does not contain it", outdated: "a.txt has changed" },
    ]);
    expect(again.view.phase).toBe("active");
    const results = (await commitments.history(id)).flatMap((event) =>
      "result" in event ? event.result : [],
    );
    expect(results).toEqual(["passed", "outdated", "failed"]);
  });

  it("checks the named criteria alone, and refuses one that is not there", async () => {
    const { commitments } = await openPromising(makeTree());
    const criteria: Given[] = [
      { statement: "a", kind: "file-exists", path: "a.txt" },
      { statement: "b", kind: "file-exists", path: "src/b.txt" },
    ];
    const { shortId } = await commitments.open(termsOf({ criteria }));
    const { view } = await commitments.evaluate(shortId, { criteria: ["c2"] });
    expect(view.criteria.map(({ state }) => state)).toEqual(["unchecked", "passed"]);
    const refused = await refusalOf(
      commitments.evaluate(shortId, { criteria: ["c9"] }),
      "commitment-criterion",
    );
    expect(refused.facts).toMatchObject({ criterion: "c9", criteria: ["c1", "c2"] });
  });
});

/** What is done to the tree after a pass, and what is told of it. */
const CHANGES: readonly (readonly [string, (root: string) => void, string])[] = [
  ["its content changed", (root) => writeFileSync(join(root, "a.txt"), "one\ntwo\n\n"), "a.txt has changed"],
  ["it is gone", (root) => rmSync(join(root, "a.txt")), "a.txt is gone"],
  [
    "it became a folder",
    (root) => {
      rmSync(join(root, "a.txt"));
      mkdirSync(join(root, "a.txt"));
    },
    "a.txt is a folder now",
  ],
  [
    "it became a link to a copy of itself",
    (root) => {
      renameSync(join(root, "a.txt"), join(root, "copy.txt"));
      symlinkSync("copy.txt", join(root, "a.txt"));
    },
    "a.txt leads to copy.txt now",
  ],
  [
    "it became a link out of the root",
    (root) => {
      rmSync(join(root, "a.txt"));
      symlinkSync("/etc/hostname", join(root, "a.txt"));
    },
    "a.txt is outside the root",
  ],
];

describe("evidence", () => {
  it.each(
    CHANGES.flatMap(([about, change, told]) => [
      [about, { kind: "file-exists", path: "a.txt" }, change, told] as const,
      [about, { kind: "shell", command: "test -s a.txt" }, change, told] as const,
    ]),
  )("is void once %s: %j", async (_about, criterion, change, told) => {
    const root = makeTree();
    const promising = await openPromising(root);
    const { id, result } = await evaluateOne(promising, criterion);
    expect(result).toBe("passed");
    change(root);
    const refused = await refusalOf(
      promising.commitments.close(id, { verdict: "fulfilled" }),
      "commitment-unproven",
    );
    expect(refused.facts.lacking).toEqual([`c1 is outdated (${told})`]);
    expect(await promising.look()).toContain(`c1 outdated (${told})`);
  });

  it("holds again where the very same content is back", async () => {
    const root = makeTree();
    const promising = await openPromising(root);
    const { id } = await evaluateOne(promising, { kind: "file-exists", path: "a.txt" });
    writeFileSync(join(root, "a.txt"), "else\n");
    expect((await promising.commitments.find(id)) as object).toMatchObject({
      view: { criteria: [{ state: "outdated" }] },
    });
    writeFileSync(join(root, "a.txt"), "one\ntwo\n");
    expect((await promising.commitments.close(id, { verdict: "fulfilled" })).phase).toBe("closed");
  });

  it("rests on the folders that a criterion names", async () => {
    const root = makeTree();
    const promising = await openPromising(root);
    const { id, result } = await evaluateOne(promising, { kind: "shell", command: "true", paths: ["src"] });
    expect(result).toBe("passed");
    mkdirSync(join(root, "src/deep"));
    writeFileSync(join(root, "src/deep/c.txt"), "c\n");
    const refused = await refusalOf(
      promising.commitments.close(id, { verdict: "fulfilled" }),
      "commitment-unproven",
    );
    expect(refused.facts.lacking).toEqual(["c1 is outdated (src has changed)"]);
  });

  it("of a person's word rests on the paths that the criterion names", async () => {
    const root = makeTree();
    const { commitments } = await openPromising(root);
    const { shortId } = await commitments.open(
      termsOf({
        evidence: "attested",
        criteria: [{ statement: "read", kind: "attestation", paths: ["a.txt"] }],
      }),
    );
    await commitments.attest(shortId, { criterion: "c1", by: "Ada", words: "I have read it" });
    writeFileSync(join(root, "a.txt"), "rewritten\n");
    await refusalOf(commitments.close(shortId, { verdict: "fulfilled" }), "commitment-unproven");
  });
});

describe("what somebody else proves", () => {
  const criteria: Given[] = [
    { statement: "said", kind: "statement" },
    { statement: "called", kind: "tool-call", tool: "read" },
    { statement: "received", kind: "receipt", from: "ci" },
    { statement: "attested", kind: "attestation", by: "Ada" },
  ];

  it("is taken for criteria of its own kind alone", async () => {
    const { session, commitments } = await openPromising(makeTree());
    const { shortId } = await commitments.open(termsOf({ evidence: "asserted", criteria }));
    await session.call("read", { path: "a.txt" }, { id: "r1" });
    await commitments.assert(shortId, { criterion: "c1", words: "it is so" });
    await commitments.cite(shortId, { criterion: "c2", call: "r1" });
    await commitments.receive(shortId, { criterion: "c3", from: "ci", reference: "build 7" });
    const view = await commitments.attest(shortId, { criterion: "c4", by: "Ada", words: "I saw it" });
    expect(view.criteria.map(({ state, strength }) => `${state} ${strength}`)).toEqual([
      "passed asserted",
      "passed cited",
      "passed attested",
      "passed attested",
    ]);
    const wrong = await refusalOf(
      commitments.assert(shortId, { criterion: "c4", words: "me too" }),
      "commitment-criterion",
    );
    expect(wrong.facts).toMatchObject({ kind: "attestation", criteria: ["c1"] });
    await refusalOf(
      commitments.attest(shortId, { criterion: "c9", by: "Ada", words: "x" }),
      "commitment-criterion",
    );
    await refusalOf(commitments.assert(shortId, { criterion: "c1", words: " " }), "commitment-invalid");
    expect((await commitments.close(shortId, { verdict: "fulfilled" })).closing?.verdict).toBe("fulfilled");
  });

  it.each([
    ["a call that is not there", "c2", "nope", "unknown", /there is no call .*\/nope in the ledger/],
    ["a call that was refused", "c2", "bad", "failed", /did not come out well/],
    ["a call of another tool", "c2", "other", "failed", /is one of list, and one of read is asked for/],
  ])("is no proof: %s", async (_about, criterion, call, state, why) => {
    const { session, commitments } = await openPromising(makeTree());
    const { shortId } = await commitments.open(termsOf({ evidence: "asserted", criteria }));
    await session.call("read", { path: "missing.txt" }, { id: "bad" });
    await session.call("list", {}, { id: "other" });
    const view = await commitments.cite(shortId, { criterion, call });
    expect(view.criteria[1]).toMatchObject({ state, why: expect.stringMatching(why) });
  });

  it("comes from who was asked, and may be that it is not so", async () => {
    const { commitments } = await openPromising(makeTree());
    const { shortId } = await commitments.open(termsOf({ criteria }));
    const other = await commitments.attest(shortId, { criterion: "c4", by: "Eve", words: "fine" });
    expect(other.criteria[3]).toMatchObject({
      state: "unknown",
      why: "it is for Ada to say, and Eve said it",
    });
    const no = await commitments.attest(shortId, {
      criterion: "c4",
      by: "Ada",
      words: "not yet",
      holds: false,
    });
    expect(no.criteria[3]).toMatchObject({ state: "failed", why: "Ada: not yet" });
  });

  it("is void once the cited call is pruned from the ledger", async () => {
    const root = makeTree();
    const old = await openPromising(root, { ledger: undefined as never });
    await old.session.call("read", { path: "a.txt" }, { id: "r1" });
    const cited = `${old.session.id}/r1`;
    await old.session.close();
    const { session, commitments } = await openPromising(root, { ledger: undefined as never });
    const { shortId } = await commitments.open(
      termsOf({ evidence: "cited", criteria: [{ statement: "called", kind: "tool-call", tool: "read" }] }),
    );
    expect((await commitments.cite(shortId, { criterion: "c1", call: cited })).phase).toBe("satisfying");
    const { openLedger } = await import("../../src/ledger/ledger.ts");
    const ledger = openLedger({ path: session.ledger.place });
    ledger.prune({ ids: [old.session.id] });
    ledger.close();
    const refused = await refusalOf(
      commitments.close(shortId, { verdict: "fulfilled" }),
      "commitment-unproven",
    );
    expect(refused.facts.lacking).toEqual([`c1 is outdated (the call ${cited} is no longer in the ledger)`]);
  });
});
