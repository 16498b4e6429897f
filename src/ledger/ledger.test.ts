/**
 * Owns what every ledger does, on the disk and in memory: one suite, run on both.
 * Leaves the file itself to ledger-file.test.ts and several processes to test/ledger/. Rule: real SQLite, real files.
 */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ToolOutput } from "../contract/output.ts";
import { splitLines } from "../text/lines.ts";
import { type Ledger, openLedger } from "./ledger.ts";
import type { LedgerSession } from "./ledger-session.ts";

const ROOT = "/srv/tree";

function done(content: string, more: Partial<ToolOutput> = {}): ToolOutput {
  return { isError: false, content, images: [], details: {}, notes: [], ...more } as ToolOutput;
}

function addCall(
  session: LedgerSession,
  callId: string,
  content: string,
  more: { name?: string; args?: unknown; atMs?: number; output?: ToolOutput } = {},
): void {
  const { name = "read", args = { path: "a.txt" }, atMs = 1_000 } = more;
  session.started({ callId, name, sent: JSON.stringify(args), args, atMs });
  const output = more.output ?? done(content);
  session.ended({ callId, output, sights: [], oldBytes: [], atMs: atMs + 5, durationMs: 5 });
}

describe.each(["memory", "disk"])("a ledger in %s", (kind) => {
  let folder: string;
  let ledger: Ledger;
  const open = (id = "s1", root = ROOT) => ledger.openSession({ id, agentId: "main", root, resume: true });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "haft-ledger-"));
    ledger = openLedger(kind === "memory" ? "memory" : { path: join(folder, "ledger.db") });
  });
  afterEach(() => {
    ledger.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("gives a call back whole, with everything that was put into it", () => {
    const session = open();
    const oldHash = session.keepBytes(Buffer.from("before"));
    const png = Buffer.from([0x89, 0x50, 0, 1, 2, 255]).toString("base64");
    const output: ToolOutput = {
      isError: true,
      content: "exit code 3\n",
      images: [{ mediaType: "image/png", base64: png, width: 2, height: 3 }],
      refusal: { kind: "refusal", code: "command-failed", facts: { code: 3, signal: null } },
      details: { durationMs: 12 },
      notes: [{ code: "other", text: "said", audience: "model" }],
    };
    const started = {
      callId: "c1",
      name: "bash",
      sent: '{"command":"x"}',
      args: { command: "x" },
      access: { runs: ["x"] },
      decision: { outcome: "allowed" },
      atMs: 7,
    };
    session.started(started);
    const oldBytes = [{ path: "a.txt", hash: oldHash, bytes: 6 }];
    session.ended({
      callId: "c1",
      output,
      window: { totalChars: 12 },
      sights: [],
      oldBytes,
      atMs: 9,
      durationMs: 2,
    });
    expect(ledger.find("s1/c1")).toEqual({
      id: "s1/c1",
      sessionId: "s1",
      ...started,
      state: "refused",
      ended: { atMs: 9, durationMs: 2, output, window: { totalChars: 12 }, oldBytes },
    });
    expect(Buffer.from(ledger.bytes(oldHash) ?? []).toString()).toBe("before");
  });

  it("keeps any text and any JSON exactly", () => {
    const session = open();
    let n = 0;
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 40 }),
        fc.jsonValue(),
        fc.string({ unit: "binary" }).map((text) => `\0${text}\ud800`),
        (text, args, odd) => {
          const callId = `c${n++}${odd}`;
          const content = `\ufeff${text}\0${text}`.toWellFormed();
          const sent = `${odd}${JSON.stringify(args)}`;
          session.started({ callId, name: odd, sent, args: { args, odd }, atMs: 1 });
          session.ended({ callId, output: done(content), sights: [], oldBytes: [], atMs: 2, durationMs: 1 });
          const found = ledger.find(`s1/${callId}`);
          expect(found).toMatchObject({ name: odd, sent, callId });
          expect(found?.args).toEqual(JSON.parse(JSON.stringify({ args, odd })));
          expect(found?.ended?.output.content).toBe(content);
          expect(session.results.find(callId)?.content).toBe(content);
        },
      ),
      { numRuns: 100 },
    );
    expect(session.callIds().size).toBe(n);
  });

  it("keeps what has no JSON form as its nearest, and never fails the call for it", () => {
    const session = open();
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    const details = { big: 12n, cause: new Error("why"), bytes: new Uint8Array([1]), none: undefined };
    addCall(session, "c1", "x", { output: done("x", { details }) });
    addCall(session, "c2", "x", { args: cycle && "text", output: done("x", { details: cycle }) });
    expect(ledger.find("s1/c1")?.ended?.output.details).toEqual({
      big: "12",
      cause: { name: "Error", message: "why" },
      bytes: { base64: "AQ==" },
    });
    expect(ledger.find("s1/c2")?.ended?.output.details).toHaveProperty("notJson");
  });

  it("reads any lines and any characters of a result as the whole text has them", () => {
    const session = open();
    const units = [
      "a",
      "é",
      "😀",
      "\n",
      "\r\n",
      "\r",
      "\0",
      "漢".repeat(6_000),
      "x".repeat(16_383),
      "l\n".repeat(3_000),
    ];
    let n = 0;
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...units), { maxLength: 24 }),
        fc.array(fc.tuple(fc.nat(20_000), fc.nat(40_000)), { minLength: 4, maxLength: 4 }),
        (parts, ranges) => {
          const content = parts.join("");
          const callId = `c${n++}`;
          addCall(session, callId, content);
          const result = session.results.find(callId);
          const characters = [...content];
          const lines = splitLines(content).map(({ text, ending }) => text + ending);
          expect(result).toMatchObject({ characters: characters.length, lines: lines.length });
          for (const [start, length] of [...ranges, [0, 1e9] as const]) {
            const at = start % (characters.length + 2);
            expect(result?.readCharacters(at, at + length)).toBe(characters.slice(at, at + length).join(""));
            const line = (start % (lines.length + 2)) + 1;
            const last = line + (length % 900);
            expect(result?.readLines(line, last)).toBe(lines.slice(line - 1, last).join(""));
          }
          expect(result?.readLines(1, lines.length)).toBe(content);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("takes a result of tens of megabytes, and reads a part of it", () => {
    const session = open();
    const content = "0123456789012345678901234567890123456789\n".repeat(1_000_000);
    addCall(session, "c1", content);
    const result = session.results.find("c1");
    expect(result?.lines).toBe(1_000_000);
    expect(result?.readLines(999_999, 1_000_001)).toBe(content.slice(0, 82));
    expect(result?.content === content).toBe(true);
  });

  it("lists what ended, the latest first, of this session alone", () => {
    const other = open("s0");
    addCall(other, "c9", "other");
    const session = open();
    addCall(session, "c1", `${"😀".repeat(200)}\nsecond\n`);
    addCall(session, "c2", "", { name: "bash" });
    session.started({ callId: "c3", name: "bash", sent: "{}", atMs: 1 });
    expect(session.results.list(10)).toEqual([
      { id: "c2", tool: "bash", isError: false, characters: 0, lines: 0, head: "" },
      { id: "c1", tool: "read", isError: false, characters: 208, lines: 2, head: "😀".repeat(120) },
    ]);
    expect(session.results.list(1).map(({ id }) => id)).toEqual(["c2"]);
  });

  it("finds results of earlier sessions of the same root by their full id, and no others", () => {
    addCall(open("s0"), "c/1", "earlier");
    addCall(open("elsewhere", "/another"), "c1", "secret");
    const session = open();
    addCall(session, "c1", "own");
    session.started({ callId: "c2", name: "bash", sent: "{}", atMs: 1 });
    expect(session.results.find("s0/c/1")).toMatchObject({ id: "s0/c/1", tool: "read", content: "earlier" });
    expect(session.results.find("s1/c1")?.content).toBe("own");
    expect(session.results.find("c1")?.content).toBe("own");
    for (const id of ["elsewhere/c1", "c/1", "s0/c1", "c2", "s1/c2", "s0", "/", ""])
      expect(session.results.find(id)).toBeUndefined();
  });

  it("keeps equal results once", () => {
    const session = open();
    const content = "same\n".repeat(10_000);
    for (let n = 0; n < 5; n++) addCall(session, `c${n}`, content);
    addCall(open("s2"), "c0", content);
    const hash = createHash("sha256").update(content).digest("hex");
    expect(session.keepBytes(Buffer.from(content))).toBe(hash);
    session.close();
    // What is freed when all of it goes is one copy.
    expect(ledger.prune({ ids: ["s1"] })).toMatchObject({ bytes: 0 });
    expect(Buffer.from(ledger.bytes(hash) ?? []).toString()).toBe(content);
  });

  it("gives bytes above 10 MiB an address and does not keep them", () => {
    const session = open();
    const bytes = new Uint8Array(10_485_761);
    expect(ledger.bytes(session.keepBytes(bytes))).toBeUndefined();
    expect(ledger.bytes(session.keepBytes(bytes.subarray(1)))).toHaveLength(10_485_760);
  });

  it("shows a call that never ended as running while its session is held, and then as interrupted", () => {
    const session = open();
    session.started({ callId: "c1", name: "bash", sent: "{}", atMs: 3 });
    expect(ledger.calls("s1")?.[0]).toMatchObject({ id: "s1/c1", tool: "bash", state: "running" });
    expect(ledger.sessions()[0]).toMatchObject({ calls: 1, interrupted: 0, isOpen: true });
    session.close();
    expect(ledger.calls("s1")?.[0]?.state).toBe("interrupted");
    expect(ledger.find("s1/c1")).toMatchObject({ state: "interrupted", sent: "{}" });
    expect(ledger.sessions()[0]).toMatchObject({ calls: 1, interrupted: 1, isOpen: false, lastAtMs: 3 });
  });

  it("resumes a session with its ids and what it was shown, in order", () => {
    const first = open();
    const sight = (file: string) => ({ file, ranges: [], replace: false });
    for (const n of [1, 2]) {
      first.started({ callId: `c${n}`, name: "read", sent: "{}", atMs: n });
      const sights = [sight(`/a${n}`), sight(`/b${n}`)];
      first.ended({ callId: `c${n}`, output: done("x"), sights, oldBytes: [], atMs: n, durationMs: 0 });
    }
    first.started({ callId: "c3", name: "read", sent: "{}", atMs: 3 });
    expect(first.isResumed).toBe(false);
    first.close();
    const again = open();
    expect(again.isResumed).toBe(true);
    expect(again.sights().map(({ file }) => file)).toEqual(["/a1", "/b1", "/a2", "/b2"]);
    expect([...again.callIds()]).toEqual(["c1", "c2", "c3"]);
  });

  it("refuses a session that is open, of another root, or not to be resumed", () => {
    const session = open();
    open("s2");
    expect(() => open()).toThrowError(/s1 .*open already.*another id/);
    session.close();
    session.close();
    expect(() => open("s1", "/another")).toThrowError(/worked in \/srv\/tree/);
    expect(() => ledger.openSession({ id: "s1", agentId: "main", root: ROOT, resume: false })).toThrowError(
      /there already/,
    );
    expect(() => open("../x")).toThrowError(/id/);
    expect(open().isResumed).toBe(true);
  });

  it("refuses to start or end a call twice, to end one that never started, and to go on when closed", () => {
    const session = open();
    addCall(session, "c1", "first");
    expect(() => addCall(session, "c1", "second")).toThrowError();
    const end = { output: done("second"), sights: [], oldBytes: [], atMs: 1, durationMs: 0 };
    expect(() => session.ended({ callId: "c1", ...end })).toThrowError();
    expect(() => session.ended({ callId: "c2", ...end })).toThrowError(/never started/);
    expect(session.results.find("c1")?.content).toBe("first");
    session.close();
    expect(() => addCall(session, "c3", "late")).toThrowError(/closed/);
  });

  it("finds calls by words in their arguments and results, the latest first", () => {
    const session = open();
    addCall(session, "c1", "one\ntwo: Permission denied here\nthree", { args: { path: "Straße.txt" } });
    addCall(session, "c2", `${"x".repeat(5_000)}permission${"y".repeat(5_000)}`, {
      args: { text: "z".repeat(9_000) },
    });
    addCall(open("s2"), "c1", "İ\npermission", { name: "bash" });
    session.started({
      callId: "c4",
      name: "write",
      sent: '{"path":"permission"}',
      args: { path: "permission" },
      atMs: 4,
    });
    const find = (text: string, sessionIds?: string[]) => [
      ...ledger.search({ text, ...(sessionIds === undefined ? {} : { sessionIds }) }),
    ];
    expect(find("permission").map(({ id }) => id)).toEqual(["s2/c1", "s1/c4", "s1/c2", "s1/c1"]);
    expect(find("permission straße")).toEqual([
      {
        id: "s1/c1",
        tool: "read",
        startedAtMs: 1_000,
        in: "result",
        line: 2,
        text: "two: Permission denied here",
      },
    ]);
    expect(find('"denied here"').map(({ id }) => id)).toEqual(["s1/c1"]);
    expect(find('"here denied"')).toEqual([]);
    expect(find("permission", ["s2"])).toMatchObject([{ line: 2, text: "permission" }]);
    expect(find("permission yyy")[0]?.text).toMatch(/^…x{60}permissiony{60}…$/);
    expect(find("  ")).toEqual([]);
  });

  it("exports everything in order, one object a line, each kept file once", () => {
    const session = open();
    const text = session.keepBytes(Buffer.from("old\0text"));
    const binary = session.keepBytes(new Uint8Array([0xff, 0]));
    for (const callId of ["c1", "c2"]) {
      session.started({ callId, name: "edit", sent: "{}", args: {}, atMs: 1 });
      const oldBytes = [
        { path: "a", hash: text, bytes: 8 },
        { path: "b", hash: binary, bytes: 2 },
      ];
      session.ended({ callId, output: done("edited"), sights: [], oldBytes, atMs: 2, durationMs: 1 });
    }
    addCall(open("s2"), "c1", "x");
    const progress: number[] = [];
    const lines = [...ledger.exportLines({ onProgress: ({ done: n, total }) => progress.push(n / total) })];
    const objects = lines.map((line) => JSON.parse(line) as { kind: string; hash?: string });
    expect(objects.map(({ kind }) => kind)).toEqual([
      ..."session call-started bytes bytes call-ended call-started call-ended".split(" "),
      ..."session call-started call-ended".split(" "),
    ]);
    expect(objects[2]).toEqual({ kind: "bytes", hash: text, utf8: "old\0text" });
    expect(objects[3]).toEqual({ kind: "bytes", hash: binary, base64: "/wA=" });
    expect(objects[4]).toMatchObject({ callId: "c1", output: { content: "edited", isError: false } });
    expect(progress.at(-1)).toBe(1);
    expect([...ledger.exportLines({ sessionIds: ["s2"] })]).toHaveLength(3);
  });

  it("prunes whole sessions by id and by age, and never one that is open", () => {
    const sessions = ["old", "young", "held"].map((id) => open(id));
    for (const [n, session] of sessions.entries()) {
      addCall(session, "c1", `result of ${session.id}`, { atMs: n === 1 ? 1e15 : 10 });
      addCall(session, "c2", "shared");
    }
    sessions[0]?.close();
    sessions[1]?.close();
    expect(ledger.prune({})).toMatchObject({ ids: [], open: [] });
    expect(ledger.prune({ beforeMs: 5_000, dryRun: true })).toMatchObject({ ids: ["old"], bytes: 0 });
    expect(ledger.sessions()).toHaveLength(3);
    expect(ledger.prune({ beforeMs: 5_000 })).toEqual({ ids: ["old"], calls: 2, bytes: 13, open: ["held"] });
    expect(ledger.find("old/c1")).toBeUndefined();
    expect(ledger.find("young/c2")?.ended?.output.content).toBe("shared");
    expect(() => ledger.prune({ ids: ["young", "nobody"] })).toThrowError(/no session nobody/);
    expect(ledger.prune({ ids: ["young", "held"] })).toMatchObject({ ids: ["young"], open: ["held"] });
    expect(ledger.sessions().map(({ id }) => id)).toEqual(["held"]);
    expect(open("old").isResumed).toBe(false);
  });

  it("closes what is open in it", () => {
    const session = open();
    ledger.close();
    ledger.close();
    expect(() => session.started({ callId: "c1", name: "x", sent: "", atMs: 1 })).toThrowError(/closed/);
  });
});
