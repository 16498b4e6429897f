/**
 * Owns that a database is nobody's business who opens none: importing haft and keeping a ledger in memory load no SQLite.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";

const dist = process.env.HAFT_DIST ?? fileURLToPath(new URL("../../dist", import.meta.url));

/** What of SQLite a process has loaded after it has run this: Node's own module, or the library of a package. */
function loadedBy(code: string): string[] {
  const look = `
    process.report.excludeNetwork = true;
    const libraries = process.report.getReport().sharedObjects.filter((path) => /sqlite/i.test(path));
    const modules = process.moduleLoadList.filter((name) => /NativeModule.*sqlite/i.test(name));
    console.log(JSON.stringify([...libraries, ...modules]));`;
  const out = execFileSync(process.execPath, ["--input-type=module", "-e", `${code}\n${look}`], {
    encoding: "utf8",
  });
  return JSON.parse(out) as string[];
}

const url = (...path: string[]) => JSON.stringify(pathToFileURL(join(dist, ...path)).href);

describe("SQLite", () => {
  it("is not loaded by importing haft, nor by a ledger in memory", () => {
    expect(loadedBy(`await import(${url("index.js")})`)).toEqual([]);
    expect(loadedBy(`(await import(${url("ledger", "ledger.js")})).openLedger("memory").sessions()`)).toEqual(
      [],
    );
  });

  it("is loaded when it is looked for", () => {
    expect(loadedBy(`(await import(${url("ledger", "find-driver.js")})).findDriver()`)).not.toEqual([]);
  });
});
