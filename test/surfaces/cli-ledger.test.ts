/**
 * Owns what a person and a script meet in `haft ledger`: tables, JSON, parts of results, mistakes.
 * Leaves what a ledger is to src/ledger. Rule: the built program, as it is installed, on a ledger in a file.
 */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ToolOutput } from "../../src/contract/output.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import type { LedgerSession } from "../../src/ledger/ledger-session.ts";
import { displayWidth } from "../../src/surfaces/cli/display-width.ts";
import { openProgress } from "../../src/surfaces/cli/export-progress.ts";
import { HAFT, makeFolder } from "./start-server.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "haft-cli-ledger-")));
const path = join(root, ".haft", "ledger.db");
const LONG = Array.from({ length: 500 }, (_, n) => `line ${n + 1} of the build 日本\n`).join("");
const COMMANDS = ["sessions", "show", "search", "recall", "export", "prune"];
let ledger: Ledger;
let held: LedgerSession;

function haft(
  args: readonly string[],
  env: object = {},
): { status: number | null; out: string; err: string } {
  const { FORCE_COLOR: _force, COLUMNS: _columns, ...rest } = process.env;
  const done = spawnSync(process.execPath, [HAFT, "ledger", ...args], {
    encoding: "utf8",
    cwd: root,
    env: { ...rest, ...env },
    maxBuffer: 1e9,
  });
  return { status: done.status, out: done.stdout, err: done.stderr };
}

function addCall(
  session: LedgerSession,
  callId: string,
  of: { name: string; args: unknown; output: ToolOutput },
): void {
  const { name, args, output } = of;
  session.started({
    callId,
    name,
    sent: JSON.stringify(args),
    args,
    decision: { outcome: "allowed" },
    atMs: Date.now(),
  });
  session.ended({ callId, output, sights: [], oldBytes: [], atMs: Date.now(), durationMs: 1_234.4 });
}

function said(content: string): ToolOutput {
  return { isError: false, content, images: [], details: { n: 1 }, notes: [] };
}

beforeAll(() => {
  mkdirSync(join(root, ".haft"));
  ledger = openLedger({ path });
  const first = ledger.openSession({ id: "s_first", agentId: "main", root, resume: true });
  addCall(first, "call_1", { name: "bash", args: { command: "npm run build" }, output: said(LONG) });
  const refusal = { kind: "refusal", code: "command-failed", facts: { code: 3, signal: null } } as const;
  const failed = {
    isError: true,
    content: "exit code 3\n\u001b[31mred\u001b[0m",
    images: [],
    refusal,
    notes: [],
  } as const;
  addCall(first, "call_2", { name: "bash", args: { command: "false" }, output: failed });
  first.started({
    callId: "call_3",
    name: "write",
    sent: '{"path":"x"}',
    args: { path: "x" },
    atMs: Date.now(),
  });
  first.close();
  held = ledger.openSession({ id: "s_held", agentId: "helper", root, resume: true });
  addCall(held, "call_1", {
    name: "read",
    args: { path: "日本語.txt" },
    output: said("日本語.txt: 1 line\n1\tPermission denied"),
  });
});
afterAll(() => {
  ledger.close();
  rmSync(root, { recursive: true, force: true });
});

describe("haft ledger sessions", () => {
  it("lists them, the latest last, with their state", () => {
    const { status, out, err } = haft(["sessions"]);
    expect({ status, err }).toEqual({ status: 0, err: "" });
    const lines = out.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^SESSION +OPENED +LAST CALL +CALLS +STATE +AGENT +ROOT$/);
    expect(lines[1]).toMatch(/^s_first .* 3 {2}1 interrupted +main +\//);
    expect(lines[2]).toMatch(/^s_held .* 1 {2}open +helper /);
  });

  it("gives JSON where asked, from wherever the ledger is named", () => {
    for (const place of [
      ["--root", root],
      ["--state-dir", ".haft"],
      ["--ledger", ".haft/ledger.db"],
    ]) {
      const { out } = haft(["sessions", "--json", ...place]);
      expect(JSON.parse(out)).toMatchObject({
        ledger: path,
        sessions: [
          { id: "s_first", calls: 3, interrupted: 1 },
          { id: "s_held", isOpen: true },
        ],
      });
    }
  });
});

describe("haft ledger show", () => {
  it("shows the calls of a session in a table that fits, whatever they printed", () => {
    const { out } = haft(["show", "s_first"], { COLUMNS: "86" });
    const lines = out.trimEnd().split("\n");
    expect(lines).toHaveLength(4);
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(86);
    expect(lines[1]).toMatch(/^call_1 .* bash +done +1,234 +[\d,]+ {2}line 1 of/);
    expect(lines[2]).toMatch(/command-failed/);
    expect(lines[3]).toMatch(/interrupted$/);
    expect(out).not.toContain("\u001b");
  });

  it("shows the latest session where none is named, in columns that are in line", () => {
    const [head = "", row = ""] = haft(["show"]).out.split("\n");
    expect(row).toContain("日本語.txt: 1 line");
    expect(row.indexOf("日本語")).toBe(head.indexOf("FIRST LINE"));
  });

  it("shows one call whole, by its full id or as one of the latest session", () => {
    const { out } = haft(["show", "s_first/call_2"]);
    for (const part of [
      "s_first/call_2",
      '"command": "false"',
      '"allowed"',
      '"command-failed"',
      "exit code 3",
    ])
      expect(out).toContain(part);
    expect(JSON.parse(haft(["show", "call_1", "--json"]).out)).toMatchObject({
      id: "s_held/call_1",
      args: { path: "日本語.txt" },
      ended: { output: { isError: false, details: { n: 1 } } },
    });
    expect(haft(["show", "s_first/call_3"]).out).toContain("interrupted");
  });

  it("says how to find what is not there, with status 1", () => {
    const { status, out, err } = haft(["show", "call_9"]);
    expect({ status, out }).toEqual({ status: 1, out: "" });
    expect(err).toMatch(/^haft: there is no call call_9 in .*haft ledger sessions/);
    expect(err.split("\n")).toHaveLength(2);
  });
});

describe("haft ledger search", () => {
  it("finds calls by their arguments and results, the latest first", () => {
    const { out } = haft(["search", "PERMISSION"]);
    expect(out).toMatch(/^CALL.*\ns_held\/call_1 .* read +2 {2}1\\tPermission denied\n$/);
    expect(haft(["search", "build", "--json"]).out).toContain('"s_first/call_1"');
    const some = haft(["search", "a", "--limit", "1"]);
    expect(some.out.trimEnd().split("\n")).toHaveLength(2);
    expect(some.err).toContain("--limit");
    expect(haft(["search", "line", "--session", "s_first"]).out).not.toContain("s_held");
    expect(haft(["search", "nowhere-at-all"])).toMatchObject({ status: 0, out: "no call speaks of it\n" });
    expect(haft(["search", "line", "--session", "s_none"]).status).toBe(1);
  });
});

describe("haft ledger recall", () => {
  it("prints a result whole, byte for byte", () => {
    expect(haft(["recall", "s_first/call_1"])).toEqual({ status: 0, out: LONG, err: "" });
    expect(haft(["recall", "s_first/call_2"]).out).toBe("exit code 3\n\u001b[31mred\u001b[0m");
  });

  it("prints lines, characters, and lines that match with their numbers", () => {
    const lines = LONG.split("\n");
    const recall = (...args: string[]) => haft(["recall", "s_first/call_1", ...args]).out;
    expect(recall("--lines", "200:201")).toBe(`${lines[199]}\n${lines[200]}\n`);
    expect(recall("--lines", "500:")).toBe(`${lines[499]}\n`);
    expect(recall("--chars", ":25")).toBe([...LONG].slice(0, 25).join(""));
    expect(recall("--grep", "^line 1?00 ")).toBe(`100:${lines[99]}\n`);
    expect(recall("--grep", "line 3", "--lines", "300:301")).toBe(`300:${lines[299]}\n301:${lines[300]}\n`);
    expect(JSON.parse(recall("--lines", "1:1", "--json"))).toMatchObject({
      lines: 500,
      content: `${lines[0]}\n`,
    });
  });

  it("refuses what is not there, and what makes no sense", () => {
    const recall = (...args: string[]) => haft(["recall", "s_first/call_1", ...args]);
    expect(recall("--lines", "501:502")).toMatchObject({ status: 1, out: "" });
    expect(recall("--lines", "501:502").err).toContain("has 500 lines");
    expect(recall("--chars", "99999:").status).toBe(1);
    expect(recall("--lines", "5").status).toBe(2);
    expect(recall("--lines", "9:3").status).toBe(2);
    expect(recall("--chars", "0:3", "--grep", "x").status).toBe(2);
    expect(recall("--grep", "(?=x)")).toMatchObject({ status: 1, out: "" });
    expect(haft(["recall", "s_first/call_3"]).err).toContain("has not ended");
  });
});

describe("haft ledger export", () => {
  it("prints sessions as JSON Lines", () => {
    const { status, out, err } = haft(["export"]);
    expect({ status, err }).toEqual({ status: 0, err: "" });
    const kinds = out
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { kind: string }).kind);
    expect(kinds.filter((kind) => kind === "session")).toHaveLength(2);
    expect(kinds.filter((kind) => kind === "call-started")).toHaveLength(4);
    expect(haft(["export", "s_held"]).out.trimEnd().split("\n")).toHaveLength(3);
    expect(haft(["export", "s_none"])).toMatchObject({ status: 1, out: "" });
  });

  it("tells how far it is a few times a second, and takes the line away at the end", () => {
    const written: string[] = [];
    let nowMs = 0;
    const progress = openProgress({ write: (text) => written.push(text) }, () => nowMs);
    for (let done = 1; done <= 2_000; done++) {
      nowMs += 1;
      progress.update({ done, total: 2_000 });
    }
    progress.close();
    expect(written).toHaveLength(21);
    expect(written[9]).toBe("\r\u001b[2K50 % (1,000 of 2,000 entries)");
    expect(written.at(-1)).toBe("\r\u001b[2K");
  });
});

describe("haft ledger prune", () => {
  it("removes what was named, never an open session, and nothing where nothing was named", () => {
    const box = makeFolder();
    const file = join(box, "own.db");
    const own = openLedger({ path: file });
    for (const id of ["a", "b", "c"]) {
      const session = own.openSession({ id, agentId: "main", root: box, resume: true });
      addCall(session, "c1", { name: "read", args: {}, output: said(`result ${id}`) });
      if (id !== "c") session.close();
    }
    const prune = (...args: string[]) => haft(["prune", "--ledger", file, ...args]);
    expect(prune()).toMatchObject({ status: 2, out: "" });
    expect(prune("--older-than", "soon").status).toBe(2);
    expect(prune("--older-than", "1d").out).toBe("removed 0 sessions (0 calls, 0 bytes of content)\n");
    expect(prune("a", "--dry-run").out).toBe("would remove 1 session (1 call)\n  a\n");
    expect(prune("a", "none")).toMatchObject({ status: 1, out: "" });
    expect(prune("a", "c")).toEqual({
      status: 1,
      out: "removed 1 session (1 call, 8 bytes of content)\n  a\n",
      err: "haft: still open, so kept: c\n",
    });
    expect(JSON.parse(prune("--older-than", "0m", "--json").out)).toMatchObject({ ids: ["b"], open: ["c"] });
    expect(own.sessions().map(({ id }) => id)).toEqual(["c"]);
    own.close();
  });
});

describe("haft ledger, where there is none", () => {
  it("makes none, and says how to name one", () => {
    const empty = makeFolder();
    const { status, out, err } = haft(["sessions", "--root", empty]);
    expect({ status, out }).toEqual({ status: 1, out: "" });
    expect(err).toContain("--root, --state-dir or --ledger");
    expect(readdirSync(empty)).toEqual([]);
  });

  it("refuses other files and links in the words of its flags", () => {
    const box = makeFolder();
    writeFileSync(join(box, "notes"), "not a ledger at all");
    const { status, err } = haft(["sessions", "--ledger", join(box, "notes")]);
    expect(status).toBe(1);
    expect(err).toMatch(/no ledger of haft; name another one with --ledger\n$/);
    symlinkSync(join(root, ".haft"), join(box, ".haft"));
    expect(haft(["sessions", "--root", box]).err).toContain("symbolic link");
    expect(existsSync(join(box, ".haft", "ledger.db"))).toBe(true);
  });

  it("has the flags that are pinned", () => {
    const flags = (command: string) =>
      (haft([command, "--help"]).out.match(/^ {2}(?:-\w, )?--[\w-]+/gm) ?? [])
        .map((flag) => flag.trim())
        .filter((flag) => !["--json", "--root", "--state-dir", "--ledger", "-h, --help"].includes(flag));
    expect(Object.fromEntries(COMMANDS.map((command) => [command, flags(command)]))).toEqual({
      sessions: [],
      show: [],
      search: ["--session", "--limit"],
      recall: ["--lines", "--chars", "--grep"],
      export: [],
      prune: ["--older-than", "--dry-run"],
    });
    for (const command of COMMANDS) expect(haft([command, "--help"]).out).toContain("--json");
  });

  it("has help with examples for each command", () => {
    for (const command of ["show", "search", "recall", "export", "prune"])
      expect(haft([command, "--help"]).out, command).toContain("Examples:\n  haft ledger");
    expect(haft(["nonsense"]).status).toBe(2);
    expect(haft([]).status).toBe(2);
  });
});
