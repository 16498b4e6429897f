/**
 * Owns what opening a ledger does to files that are none, or no longer: nothing but an error with the way out.
 * Leaves what a good ledger does to ledger.test.ts. Rule: every refusal leaves every byte as it was.
 */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { canBePlainUser, runAsPlainUser } from "../../test/support/plain-user.ts";
import type { Database } from "./driver.ts";
import { findDriver } from "./find-driver.ts";
import { openLedger } from "./ledger.ts";
import { LedgerError, type LedgerErrorCode } from "./ledger-error.ts";
import { SCHEMA_VERSION } from "./sqlite-schema.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "haft-ledger-file-"));
  path = join(folder, "ledger.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function withSql<T>(file: string, act: (database: Database) => T): T {
  const database = findDriver()(file, { readOnly: false });
  try {
    return act(database);
  } finally {
    database.close();
  }
}

function makeLedger(content = "kept\n".repeat(40_000)): void {
  const ledger = openLedger({ path });
  const session = ledger.openSession({ id: "s1", agentId: "main", root: "/r", resume: true });
  session.started({ callId: "c1", name: "read", sent: "{}", args: {}, atMs: 1 });
  const output = { isError: false as const, content, images: [], details: {}, notes: [] };
  session.ended({ callId: "c1", output, sights: [], oldBytes: [], atMs: 2, durationMs: 1 });
  ledger.close();
}

function refusalOf(place: { path: string; create?: boolean; inState?: boolean } = { path }): LedgerError {
  try {
    openLedger(place).close();
  } catch (error) {
    if (error instanceof LedgerError) return error;
    throw error;
  }
  throw new Error("it was opened");
}

/** Opening is refused so, and the bytes and the mode stay. */
function expectRefused(code: LedgerErrorCode, file = path): void {
  chmodSync(file, statSync(file).mode | 0o044);
  const before = readFileSync(file);
  const { mode } = statSync(file);
  const error = refusalOf();
  expect(error.code).toBe(code);
  expect(error.message).toContain(path);
  expect(error.message).toContain(error.wayOut);
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(statSync(file).mode).toBe(mode);
}

describe("the file of a ledger", () => {
  it("is closed to others from the start, and what SQLite keeps beside it too", () => {
    const ledger = openLedger({ path });
    ledger.openSession({ id: "s1", agentId: "main", root: "/r", resume: true });
    const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600, 0o600]);
    ledger.close();
  });

  it("is whole by itself once it is closed", () => {
    makeLedger();
    const copy = join(folder, "copy.db");
    copyFileSync(path, copy);
    expect(openLedger({ path: copy }).calls("s1")).toHaveLength(1);
  });

  it("is closed to others where it was open to them", () => {
    makeLedger();
    chmodSync(path, 0o644);
    openLedger({ path }).close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("may be there and empty", () => {
    writeFileSync(path, "");
    makeLedger();
    expect(openLedger({ path }).calls("s1")).toHaveLength(1);
  });

  it("is not made where only one that is there was wanted", () => {
    expect(refusalOf({ path, create: false })).toMatchObject({ code: "missing" });
    expect(existsSync(path)).toBe(false);
  });

  it("uses the write-ahead log, flushes at checkpoints, and checks its references", () => {
    makeLedger();
    withSql(path, (database) => {
      expect(database.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
      expect(database.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
      expect(database.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
    });
  });

  it("gives space back to the disk when sessions are pruned", () => {
    makeLedger("0123456789abcdef\n".repeat(300_000));
    const before = statSync(path).size;
    const ledger = openLedger({ path });
    ledger.prune({ ids: ["s1"] });
    ledger.close();
    expect(statSync(path).size).toBeLessThan(before / 10);
  });
});

describe("what is no ledger", () => {
  it("is refused where it is text, and left alone", () => {
    writeFileSync(path, "my notes, which are long enough to be a header of a database ".repeat(50));
    expectRefused("foreign");
    writeFileSync(path, "short");
    expectRefused("foreign");
  });

  it("is refused where it is the database of another program, in either journal mode", () => {
    withSql(path, (database) => database.exec("CREATE TABLE mine (a); INSERT INTO mine VALUES (1)"));
    expectRefused("foreign");
    withSql(path, (database) => database.exec("PRAGMA application_id = 7; PRAGMA user_version = 1"));
    expectRefused("foreign");
    withSql(path, (database) => database.exec("PRAGMA journal_mode = WAL; INSERT INTO mine VALUES (2)"));
    expectRefused("foreign");
  });

  it("is refused with the log of another program that was not copied into its file yet", () => {
    const other = findDriver()(path, { readOnly: false });
    other.exec("PRAGMA journal_mode = WAL; CREATE TABLE mine (a); INSERT INTO mine VALUES (1)");
    expectRefused("foreign");
    expectRefused("foreign", `${path}-wal`);
    expect(other.prepare("SELECT a FROM mine").get()).toEqual({ a: 1 });
    other.close();
  });

  it("is refused where a later version wrote it", () => {
    makeLedger();
    withSql(path, (database) => database.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`));
    expectRefused("newer");
  });

  it("is refused where it was cut off, wherever", () => {
    makeLedger();
    const whole = readFileSync(path);
    for (const size of [99, 512, 4_096, 5_000, whole.length - 4_096, whole.length - 1]) {
      const cut = join(folder, `cut-${size}.db`);
      writeFileSync(cut, whole.subarray(0, size));
      const { code } = refusalOf({ path: cut });
      expect(["damaged", "foreign"]).toContain(code);
      expect(readFileSync(cut).equals(whole.subarray(0, size))).toBe(true);
    }
  });

  it("is told as damaged where it turns out to be so while it is read", () => {
    makeLedger();
    const bytes = readFileSync(path);
    bytes.fill(0xab, 8_192, bytes.length - 4_096);
    writeFileSync(path, bytes);
    const use = () => {
      const ledger = openLedger({ path });
      try {
        ledger.calls("s1");
        ledger.find("s1/c1");
      } finally {
        ledger.close();
      }
    };
    expect(use).toThrowError(/damaged.*another path/);
  });

  it("is refused where it is a directory, or a file that SQLite keeps beside it is one", () => {
    mkdirSync(path);
    expect(refusalOf()).toMatchObject({ code: "not-a-file" });
    rmSync(path, { recursive: true });
    mkdirSync(`${path}-wal`);
    expect(refusalOf()).toMatchObject({ code: "not-a-file" });
    expect(existsSync(path)).toBe(false);
  });

  it("is refused where it is a link, dangling or not, and where a file beside it is one", () => {
    const victim = join(folder, "victim");
    for (const name of ["ledger.db", "ledger.db-wal", "ledger.db-shm", "ledger.db-journal"]) {
      for (const exists of [false, true]) {
        if (exists) writeFileSync(victim, "");
        symlinkSync(victim, join(folder, name));
        expect(refusalOf()).toMatchObject({ code: "not-a-file" });
        expect(existsSync(victim)).toBe(exists);
        if (exists) expect(lstatSync(victim).size).toBe(0);
        rmSync(join(folder, name));
        rmSync(victim, { force: true });
      }
    }
  });

  it("is refused where its directory is a link that a repository may have brought", () => {
    makeLedger();
    const link = join(folder, "link");
    symlinkSync(folder, link);
    const through = join(link, "ledger.db");
    expect(refusalOf({ path: through, inState: true })).toMatchObject({ code: "not-a-file" });
    openLedger({ path: through }).close();
  });

  it("is refused where it is another name of somebody's file", () => {
    const victim = join(folder, "victim");
    writeFileSync(victim, "precious");
    linkSync(victim, path);
    expectRefused("foreign", victim);
  });

  it("is refused where its directory is missing", () => {
    expect(refusalOf({ path: join(folder, "missing", "ledger.db") })).toMatchObject({ code: "unwritable" });
  });

  it.skipIf(!canBePlainUser)("is refused where it may not be written", async () => {
    makeLedger();
    chmodSync(folder, 0o755);
    await runAsPlainUser(async () => {
      const error = refusalOf();
      // As root the fixture is another user's; as a plain user it becomes one's own that is read-only.
      expect(["not-a-file", "unwritable"]).toContain(error.code);
    });
  });

  it.skipIf(!canBePlainUser)("is refused where it is read-only", async () => {
    chmodSync(folder, 0o777);
    await runAsPlainUser(async () => {
      makeLedger();
      chmodSync(path, 0o400);
      expectRefused("unwritable");
    });
  });
});

describe("the tables of a ledger", () => {
  it("refuse to change or lose anything, from whatever program", () => {
    makeLedger();
    withSql(path, (database) => {
      const attempts = [
        "UPDATE entries SET body = '{}'",
        "UPDATE sessions SET root = 'x'",
        "UPDATE blobs SET bytes = 0",
        "UPDATE pieces SET data = x'00'",
        "UPDATE uses SET session = 's2'",
        "DELETE FROM entries",
        "DELETE FROM pieces",
        "DELETE FROM blobs",
        "DELETE FROM uses",
        "DELETE FROM sessions",
        "REPLACE INTO entries SELECT seq, session, kind, call, at_ms, '{}', sights FROM entries",
        "REPLACE INTO entries (session, kind, call, at_ms, body) SELECT session, kind, call, at_ms, '{}' FROM entries",
        "REPLACE INTO sessions SELECT ordinal, id, agent, 'x', 0 FROM sessions",
        "REPLACE INTO pieces (blob, number, data) SELECT blob, number, x'00' FROM pieces",
        "REPLACE INTO blobs SELECT key, hash, 0, 0, 0, x'' FROM blobs",
      ];
      for (const sql of attempts)
        expect(() => database.exec(`PRAGMA foreign_keys = OFF; ${sql}`), sql).toThrowError(/append-only/);
    });
    expect(openLedger({ path }).find("s1/c1")?.ended?.output.content).toBe("kept\n".repeat(40_000));
  });
});

describe("the drivers", () => {
  it("are refused with both ways out where there is none", () => {
    expect(() => findDriver([() => undefined, () => undefined])).toThrowError(
      /ledger: "memory".*npm install @photostructure\/sqlite/,
    );
  });
});
