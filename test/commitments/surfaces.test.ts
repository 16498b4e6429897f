/**
 * The same through every surface: the library, the server, the command line; and what a person types in words.
 * Rule: the built program, as it is installed, on a ledger in a file.
 */
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRoot } from "../session/session-fixture.ts";
import { connect, HAFT, textOf } from "../surfaces/start-server.ts";
import { openPromising, SAID, termsOf } from "./fixture.ts";

interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

function haftIn(root: string): (...args: string[]) => Ended {
  const { FORCE_COLOR: _force, COLUMNS: _columns, ...env } = process.env;
  return (...args) => {
    const done = spawnSync(process.execPath, [HAFT, ...args], { cwd: root, encoding: "utf8", env });
    return { status: done.status, out: done.stdout, err: done.stderr };
  };
}

/** Each command is a process of its own: a guard against hanging. */
const SLOW = { timeout: 300_000 };
const JSON_TERMS = JSON.stringify(termsOf({ id: "c0ffee00", criteria: [{ ...SAID, id: "said" }] }));

describe("what a model reads", () => {
  it("is the same text through the library, the server and the command line", SLOW, async () => {
    const root = makeRoot();
    const { session, commitments, look } = await openPromising(root, { ledger: undefined as never });
    await commitments.open(termsOf({ id: "c0ffee00", deadline: "2031-01-01" }));
    await commitments.block("c0ffee00", "no key");
    for (const args of [{}, { id: "c0ffee00" }, { id: "zzzzzzzz" }]) {
      const text = await look(args);
      const { client } = await connect({ args: ["--root", root, "--commitments"] });
      const called = await client.callTool({ name: "commitments", arguments: args });
      expect(textOf(called)).toBe(text);
      expect(called.isError ?? false).toBe("id" in args && args.id === "zzzzzzzz");
      const typed = haftIn(root)("call", "commitments", JSON.stringify(args), "--commitments");
      expect((typed.out + typed.err).trimEnd()).toBe(text);
      expect(await session.dispatch("commitments", args)).toContain(text);
    }
    expect(haftIn(root)("commitments", "list").out.trimEnd()).toBe(await look());
    expect(haftIn(root)("commitments", "show", "c0ff").out.trimEnd()).toBe(await look({ id: "c0ffee00" }));
  });

  it("is offered by the server and the command line only with --commitments", SLOW, async () => {
    const root = makeRoot();
    const names = async (...args: string[]) => {
      const { client } = await connect({ args: ["--root", root, ...args] });
      const { tools } = await client.listTools();
      return tools;
    };
    expect((await names()).map(({ name }) => name)).not.toContain("commitments");
    const offered = (await names("--commitments")).find(({ name }) => name === "commitments");
    expect(offered?.annotations).toMatchObject({ readOnlyHint: true });
    const refused = haftIn(root)("call", "commitments", "{}");
    expect(refused).toMatchObject({ status: 2 });
    expect(refused.err).toContain('no tool "commitments"');
  });
});

describe("haft commitments", () => {
  it("leads one from its proposal to its closing, in words", SLOW, () => {
    const root = makeRoot({ "report.md": "draft\n" });
    const run = haftIn(root);
    const haft = (...args: string[]) => {
      const done = run("commitments", ...args);
      expect({ args, err: done.err, status: done.status }).toEqual({ args, err: "", status: 0 });
      return done.out;
    };
    const terms = termsOf({
      id: "c0ffee00",
      criteria: [
        { statement: "final", kind: "file-contains", path: "report.md", text: "final" },
        { statement: "tested", kind: "shell", command: "test -s report.md" },
        { ...SAID, id: "said", required: false },
        { statement: "read", kind: "attestation", by: "Ada", id: "read" },
        { statement: "built", kind: "receipt", id: "built" },
      ],
    });
    expect(haft("propose", JSON.stringify(terms))).toMatch(
      /^c0ffee00: proposed, 5 criteria, 4 things missing\n/,
    );
    expect(haft("accept", "c0ff")).toMatch(/^c0ffee00: active/);
    expect(haft("episode", "c0ff", "--start")).toContain("0 episodes ended, one is running");
    expect(haft("episode", "c0ff", "--end", "advanced", "--summary", "begun", "--usd", "0.5")).toContain(
      "1 episode ended, 0.5 USD; the last advanced: begun",
    );
    expect(haft("block", "c0ff", "no key")).toContain("blocked: no key");
    expect(haft("unblock", "c0ff", "--why", "it came")).toMatch(/^c0ffee00: active/);
    expect(haft("suspend", "c0ff", "--until", "2031-01-01")).toContain(
      "suspended until 2031-01-01T23:59:59Z",
    );
    expect(haft("resume", "c0ff")).toMatch(/^c0ffee00: active/);
    expect(haft("suspend", "c0ff", "--question", "Which region?")).toContain("answer q1: Which region?");
    expect(haft("answer", "c0ff", "Europe")).toContain("Answer: Europe");
    const first = haft("evaluate", "c0ff");
    expect(first).toContain("c1 failed (report.md does not contain it)\n");
    expect(first).toMatch(/^c2 unknown \(bash .* is not permitted: .*--allow 'runs\(test -s report\.md\)'/m);
    writeFileSync(join(root, "report.md"), "final\n");
    const second = haft("evaluate", "c0ff", "--allow", "runs(test *)");
    expect(second).toMatch(
      /^c1 passed\nc2 passed\nsaid unchecked\nread unchecked\nbuilt unchecked\n\nc0ffee00: satisfying/,
    );
    const proven = haft(
      "evaluate",
      "c0ff",
      "--attest",
      "read=fine",
      "--by",
      "Ada",
      "--assert",
      "said=so it is",
    );
    expect(proven).toMatch(/^said passed\nread passed\n\n/);
    expect(haft("evaluate", "c0ff", "--receipt", "built=512", "--by", "ci")).toMatch(/^built passed\n/);
    expect(haft("close", "c0ff", "fulfilled", "--why", "sent")).toMatch(/^c0ffee00: closed as fulfilled\n/);
    expect(haft("list")).toContain("0 commitments open, 1 closed: haft commitments list --closed lists them");
    expect(haft("list", "--closed")).toContain("read passed (attested: by Ada, fine): read");
    const history = haft("history", "c0ff");
    expect(history).toMatch(/^SEQ\s+WHEN\s+EVENT\s+BY\s+WHAT\n/);
    expect(history).toMatch(/ question-answered +a person at the command line +q1: Europe\n/);
  });

  it("prints JSON with --json everywhere", SLOW, () => {
    const run = haftIn(makeRoot({ "report.md": "x" }));
    const json = (...args: string[]) => {
      const done = run("commitments", ...args, "--json");
      expect({ args, err: done.err, status: done.status }).toEqual({ args, err: "", status: 0 });
      return JSON.parse(done.out);
    };
    expect(json("open", JSON_TERMS)).toMatchObject({ shortId: "c0ffee00", phase: "active" });
    expect(json("propose", JSON.stringify(termsOf({ id: "deadbeef" })))).toMatchObject({ phase: "proposed" });
    expect(json("accept", "deadbeef")).toMatchObject({ phase: "active" });
    expect(json("list")).toMatchObject({
      open: [{ shortId: "c0ffee00" }, { shortId: "deadbeef" }],
      closedTotal: 0,
    });
    expect(json("list", "--agent", "nobody")).toMatchObject({ open: [] });
    expect(json("show", "c0ff")).toMatchObject({ criteria: [{ state: "unchecked" }] });
    expect(json("suspend", "c0ff", "--condition", "rain")).toMatchObject({ holds: [{ kind: "suspended" }] });
    expect(json("resume", "c0ff")).toMatchObject({ phase: "active" });
    expect(json("block", "c0ff", "x")).toMatchObject({ blockedBy: "x" });
    expect(json("unblock", "c0ff")).toMatchObject({ phase: "active" });
    expect(json("episode", "c0ff", "--start")).toMatchObject({ episodes: { isRunning: true } });
    expect(json("suspend", "c0ff", "--question", "?")).toMatchObject({ questions: [{ id: "q1" }] });
    expect(json("answer", "c0ff", "!", "--question", "q1")).toMatchObject({ questions: [{ answer: "!" }] });
    expect(json("evaluate", "dead")).toMatchObject({
      criteria: [{ result: "passed" }],
      view: { phase: "satisfying" },
    });
    expect(json("supersede", "c0ff", "--by", "dead")).toMatchObject({ closing: { verdict: "superseded" } });
    expect(json("close", "dead", "partial")).toMatchObject({ closing: { verdict: "partial" } });
    expect(json("history", "dead").map(({ kind }: { kind: string }) => kind)).toEqual([
      "proposed",
      "opened",
      "criterion-evaluated",
      "closed",
    ]);
  });

  it(
    "says what is wrong and what can be typed next, with status 1; 2 for a word that it does not know",
    SLOW,
    () => {
      const root = makeRoot();
      const run = haftIn(root);
      const fail = (status: number, ...args: string[]) => {
        const done = run("commitments", ...args);
        expect({ args, out: done.out, status: done.status }).toEqual({ args, out: "", status });
        expect(done.err).not.toMatch(/\n\s+at /);
        return done.err;
      };
      expect(fail(1, "list")).toContain("there is no ledger at");
      expect(existsSync(join(root, ".haft"))).toBe(false);
      expect(fail(2, "open", "{")).toContain("this is no JSON");
      expect(fail(1, "open", '{"objectiv":"x"}')).toMatch(
        /objective is missing.*criteria is missing.*objectiv is not known here; did you mean objective\?/s,
      );
      expect(run("commitments", "open", JSON_TERMS).status).toBe(0);
      expect(fail(1, "show", "zzzz")).toContain("haft commitments list --closed shows all of them");
      expect(fail(1, "evaluate", "zzzz")).toContain('begins with "zzzz"');
      expect(fail(1, "resume", "c0ff")).toContain("Commands for it now: haft commitments episode --start | ");
      expect(fail(1, "close", "c0ff", "fulfilled")).toContain(
        "haft commitments evaluate c0ffee00 checks it anew",
      );
      expect(fail(1, "close", "c0ff", "won")).toContain("verdict must be one of fulfilled");
      expect(fail(1, "answer", "c0ff", "x")).toContain("haft commitments show c0ffee00 shows them");
      expect(fail(1, "evaluate", "c0ff", "--attest", "said=x")).toContain("proven by statement");
      expect(fail(2, "evaluate", "c0ff", "--attest", "x")).toContain("CRITERION=WORDS");
      expect(fail(2, "suspend", "c0ff")).toContain("name one of --question");
      expect(fail(2, "suspend", "c0ff", "--question", "x", "--until", "2031-01-01")).toContain("name one of");
      expect(fail(2, "episode", "c0ff")).toContain("name one of --start and --end");
      expect(fail(2, "supersede", "c0ff")).toContain("--by");
      expect(fail(2, "frobnicate")).toContain("unknown command");
      run("commitments", "open", JSON.stringify(termsOf({ id: "c0ffee99" })));
      expect(fail(1, "block", "c0f", "x")).toContain("Give one of these ids");
      run("commitments", "close", "c0ffee00", "abandoned");
      expect(fail(1, "resume", "c0ffee00")).toContain(
        "haft commitments history c0ffee00 shows what happened to it",
      );
    },
  );

  it("takes a ledger by its file and a root by its name", SLOW, () => {
    const root = makeRoot();
    const run = haftIn(makeRoot());
    const ledger = join(root, "..", "own.db");
    expect(run("commitments", "open", JSON_TERMS, "--root", root, "--ledger", ledger).status).toBe(0);
    expect(run("commitments", "list", "--root", root, "--ledger", ledger).out).toContain("1 commitment open");
    // Another root of the same ledger.
    expect(run("commitments", "list", "--ledger", ledger).out).toContain("0 commitments open");
  });

  it("has help with examples for each command", SLOW, () => {
    const run = haftIn(makeRoot());
    const commands = [
      ...["list", "show", "open", "propose", "accept", "evaluate", "answer", "suspend", "resume"],
      ...["block", "unblock", "episode", "supersede", "close", "history"],
    ];
    const { out } = run("commitments", "--help");
    for (const command of commands) {
      expect(out).toMatch(new RegExp(`^  ${command}\\b`, "m"));
      const help = run("commitments", command, "--help");
      expect({ command, status: help.status, err: help.err }).toEqual({ command, status: 0, err: "" });
      expect(help.out).toContain(`Examples:\n  haft commitments ${command}`);
      expect(help.out).toContain("--json");
    }
  });
});
