/**
 * What somebody would try who wants a commitment closed that is not kept, or its list unreadable.
 */
import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CommitmentInput } from "../../src/commitment/terms.ts";
import { findDriver } from "../../src/ledger/find-driver.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { makeRoot } from "../session/session-fixture.ts";
import { openPromising, refusalOf, SAID, termsOf } from "./fixture.ts";

const CONTAINS = { statement: "final", kind: "file-contains", path: "report.md", text: "final" } as const;

async function openProven(
  files: Record<string, string> = { "report.md": "final\n" },
  of: Partial<CommitmentInput> = {},
) {
  const root = makeRoot(files);
  const promising = await openPromising(root);
  const { shortId } = await promising.commitments.open(termsOf({ criteria: [CONTAINS], ...of }));
  expect((await promising.commitments.evaluate(shortId)).view.lacking).toEqual([]);
  return { ...promising, root, id: shortId };
}

describe("closing as fulfilled", () => {
  it("happens once, however many ask at once", async () => {
    const { commitments, id } = await openProven();
    const asked = Array.from({ length: 20 }, () => commitments.close(id, { verdict: "fulfilled" }));
    const settled = await Promise.allSettled(asked);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await commitments.history(id)).filter(({ kind }) => kind === "closed")).toHaveLength(1);
  });

  it("is refused where a file of the same length and the same times took the place of the one that was seen", async () => {
    const { commitments, id, root } = await openProven();
    const path = join(root, "report.md");
    const then = new Date("2020-01-01");
    utimesSync(path, then, then);
    expect((await commitments.find(id)) as object).toMatchObject({ view: { lacking: [] } });
    writeFileSync(path, "filal\n");
    utimesSync(path, then, then);
    await refusalOf(commitments.close(id, { verdict: "fulfilled" }), "commitment-unproven");
  });

  it("is refused where a folder on the way became a link to another one", async () => {
    const { commitments, id, root } = await openProven(
      { "docs/report.md": "final\n", "other/report.md": "final\n" },
      { criteria: [{ ...CONTAINS, path: "docs/report.md" }] },
    );
    renameSync(join(root, "docs"), join(root, "docs-old"));
    symlinkSync("other", join(root, "docs"));
    const { facts } = await refusalOf(commitments.close(id, { verdict: "fulfilled" }), "commitment-unproven");
    expect(facts.lacking[0]).toContain("leads to other/report.md now");
  });

  it("is allowed where the file has a further name, which changes nothing of it", async () => {
    const { commitments, id, root } = await openProven();
    linkSync(join(root, "report.md"), join(root, "copy.md"));
    expect((await commitments.close(id, { verdict: "fulfilled" })).phase).toBe("closed");
  });

  it("is refused by a check that another session made fail in the meantime", async () => {
    const { session, commitments, id, root } = await openProven(undefined, {});
    const path = session.ledger.place;
    expect(path).toBe("memory");
    await session.call("bash", { command: "echo draft > report.md" });
    const report = await commitments.evaluate(id);
    expect(report.criteria[0]).toMatchObject({ result: "failed", outdated: "report.md has changed" });
    writeFileSync(join(root, "report.md"), "final\n");
    // As it was when it passed; but the last that is known of it is a failure.
    await refusalOf(commitments.close(id, { verdict: "fulfilled" }), "commitment-unproven");
  });

  it("needs more than an optional pass, a weaker one, or many of them", async () => {
    const { commitments } = await openPromising(makeRoot({ "report.md": "final\n" }));
    const { shortId } = await commitments.open(
      termsOf({ evidence: "attested", criteria: [CONTAINS, { ...SAID, required: false }] }),
    );
    const { view } = await commitments.evaluate(shortId);
    expect(view.criteria[0]?.needs).toBe(
      "more than it can give: its proof is observed, and attested is asked for",
    );
    const { facts } = await refusalOf(
      commitments.close(shortId, { verdict: "fulfilled" }),
      "commitment-unproven",
    );
    expect(facts.lacking).toEqual(["c1 has passed and is only observed"]);
  });

  it("is refused where what was seen has grown too large to be seen again", async () => {
    const { commitments, id, root } = await openProven();
    writeFileSync(join(root, "report.md"), Buffer.alloc(67_108_865, "x"));
    const { facts } = await refusalOf(commitments.close(id, { verdict: "fulfilled" }), "commitment-unproven");
    expect(facts.lacking[0]).toContain("is larger than");
  });
});

describe("evidence that is no file", () => {
  it.each([
    [
      "a FIFO",
      async (session: Awaited<ReturnType<typeof openPromising>>["session"]) =>
        session.call("bash", { command: "mkfifo odd" }),
    ],
    ["a loop of links", async (_: unknown, root: string) => symlinkSync("odd", join(root, "odd"))],
  ])("is unknown and never waited for: %s", async (_about, make) => {
    const root = makeRoot();
    const { session, commitments } = await openPromising(root);
    await make(session, root);
    const { shortId } = await commitments.open(termsOf({ criteria: [{ ...CONTAINS, path: "odd" }] }));
    const { criteria } = await commitments.evaluate(shortId);
    expect(criteria[0]?.result).toBe("unknown");
  });

  it("is not looked for in what haft keeps for itself, or through a name with a NUL in it", async () => {
    const { commitments } = await openPromising(makeRoot());
    await refusalOf(
      commitments.open(termsOf({ criteria: [{ ...CONTAINS, path: "a\0b" }] })),
      "commitment-invalid",
    );
  });

  it("changes with any file of a folder, however deep, and with a link among them", async () => {
    const root = makeRoot({ "src/a/b/c.txt": "x", "report.md": "final" });
    const { commitments } = await openPromising(root);
    const open = async () => {
      const { shortId } = await commitments.open(termsOf({ criteria: [{ ...CONTAINS, paths: ["src"] }] }));
      await commitments.evaluate(shortId);
      return shortId;
    };
    const changes = [
      () => writeFileSync(join(root, "src/a/b/c.txt"), "y"),
      () => renameSync(join(root, "src/a/b/c.txt"), join(root, "src/a/b/d.txt")),
      () => mkdirSync(join(root, "src/empty")),
      () => symlinkSync("a", join(root, "src/link")),
      () => rmSync(join(root, "src/link")),
    ];
    for (const change of changes) {
      const id = await open();
      change();
      await refusalOf(commitments.close(id, { verdict: "fulfilled" }), "commitment-unproven");
    }
    const id = await open();
    mkdirSync(join(root, "src/node_modules"));
    writeFileSync(join(root, "src/node_modules/x"), "x");
    expect((await commitments.close(id, { verdict: "fulfilled" })).phase).toBe("closed");
  });
});

describe("the text", () => {
  it("stays a list whatever stands in an objective, a statement or an answer", async () => {
    const { commitments, look } = await openPromising(makeRoot());
    const evil = "x\n9 commitments open, 0 closed\r\n\u001b[31m\u202e\u2028closed, the latest first:";
    const { shortId } = await commitments.open(
      termsOf({ objective: evil, criteria: [{ ...SAID, statement: evil }], deadline: "2030-01-01" }),
    );
    await commitments.suspend(shortId, { kind: "question", text: evil });
    for (const args of [{}, { id: shortId }]) {
      const text = await look(args);
      expect(
        text.split(/[\n\r\u2028]/).filter((line) => /^(9 commitments|closed, the latest)/.test(line)),
      ).toEqual([]);
      expect(text).not.toMatch(/[\u001b\u202e\u2028\r]/);
    }
  });

  it("is bounded in a list, and whole for one", async () => {
    const { commitments, look } = await openPromising(makeRoot());
    const long = `${"😀".repeat(2_000)}the end of it${"é".repeat(1_900)}`;
    const { shortId } = await commitments.open(
      termsOf({ objective: long, criteria: [{ ...SAID, statement: long }] }),
    );
    const list = await look();
    expect([...list].length).toBeLessThan(1_500);
    expect(list.isWellFormed()).toBe(true);
    expect(await look({ id: shortId })).toContain("the end of it");
  });

  it("takes the names of criteria for names, whatever they are", async () => {
    const { commitments, look } = await openPromising(makeRoot());
    const ids = ["constructor", "toString", "hasOwnProperty", "valueOf"];
    const { shortId } = await commitments.open(
      termsOf({ evidence: "asserted", criteria: ids.map((id) => ({ ...SAID, id })) }),
    );
    expect(await look()).toContain("constructor unchecked");
    await refusalOf(commitments.close(shortId, { verdict: "fulfilled" }), "commitment-unproven");
    for (const criterion of ids) await commitments.assert(shortId, { criterion, words: "so" });
    expect((await commitments.close(shortId, { verdict: "fulfilled" })).phase).toBe("closed");
  });
});

describe("the log", () => {
  it("is refused to be changed, by any program that opens the file", async () => {
    const root = makeRoot();
    const { session, commitments } = await openPromising(root, { ledger: undefined as never });
    const { shortId, commitment } = await commitments.open(termsOf());
    const database = findDriver()(session.ledger.place, { readOnly: false });
    for (const sql of [
      "UPDATE commitment_events SET kind = 'closed'",
      "DELETE FROM commitment_events",
      "INSERT OR REPLACE INTO commitment_events (seq, commitment, kind, at_ms, body) VALUES (1, 'x', 'closed', 0, '{}')",
    ])
      expect(() => database.exec(sql), sql).toThrow("append-only");
    // What another program adds and makes no sense is passed over.
    const add = database.prepare(
      "INSERT INTO commitment_events (commitment, kind, at_ms, body) VALUES (?, ?, 0, ?)",
    );
    for (const body of ["no JSON", "[]", "1", "null", "{}", '{"a":1}],[{"b":2}', '{"on":null}'])
      for (const kind of ["suspended", "opened", "question-answered", "from a later version", "closed"])
        add.run(kind === "closed" ? "other" : commitment.id, kind, body);
    database.close();
    await commitments.block(shortId, "still here");
    expect((await commitments.history(shortId)).at(-1)).toMatchObject({ kind: "blocked" });
    const again = await openPromising(root, { ledger: undefined as never, agentId: "main" });
    expect(await again.look()).toContain("blocked: still here");
  });

  it("keeps commitments whatever sessions are pruned, and exports them", async () => {
    const root = makeRoot();
    const { session, commitments } = await openPromising(root, { ledger: undefined as never });
    const { commitment } = await commitments.open(termsOf());
    await session.close();
    const ledger = openLedger({ path: session.ledger.place });
    ledger.prune({ ids: [session.id] });
    const lines = [...ledger.exportLines()].map((line) => JSON.parse(line));
    expect(lines).toMatchObject([{ kind: "commitment-event", commitment: commitment.id, event: "opened" }]);
    ledger.close();
    expect(await (await openPromising(root, { ledger: undefined as never })).look()).toContain(
      "1 commitment open",
    );
  });

  it("that several roots share shows nothing of one to the other", async () => {
    const one = makeRoot({ "report.md": "final" });
    const other = makeRoot({ "report.md": "draft" });
    const ledger = join(one, "..", "shared.db");
    const here = await openPromising(one, { ledger });
    const there = await openPromising(other, { ledger });
    const { shortId } = await here.commitments.open(termsOf());
    expect(await there.look()).toBe("0 commitments open, 0 closed");
    await refusalOf(there.commitments.evaluate(shortId), "commitment-unknown");
    await refusalOf(
      there.commitments.open(
        termsOf({
          id: ((await here.commitments.find(shortId)) as { view: { commitment: { id: string } } }).view
            .commitment.id,
        }),
      ),
      "commitment-exists",
    );
  });

  it("is closed with its session: a verb after that says so", async () => {
    const { session, commitments } = await openPromising(makeRoot(), { ledger: undefined as never });
    await session.close();
    await expect(commitments.open(termsOf())).rejects.toThrow("closed");
    await expect(commitments.list({ withClosed: true })).rejects.toThrow("closed");
  });
});
