/**
 * Owns the tests of folders that last as long as a session. Rule: a place of this run's own, never the system's.
 */
import {
  chmodSync,
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
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeSessionFolder, sweepSessionFolders } from "./session-folder.ts";

let place = "";
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "haft-place-")));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const { signal } = new AbortController();
const sweep = () => sweepSessionFolders({ signal, places: [place] });

it.runIf(process.platform === "linux")(
  "removes what a maker that is gone has left, and nothing else",
  async () => {
    const own = basename(await makeSessionFolder(place));
    const [, pid = "", start = "", space = ""] = /^haft-(\w+)-(\w+)-(\w+)-\w{6}$/.exec(own) ?? [];
    const reused = `haft-${pid}-${start}1-${space}-abcdef`;
    const stays = [
      own,
      `haft-${pid}-${start}1-elsewhere-abcdef`,
      `${reused}g`,
      "haft-place-abcdef",
      "haft-locks-0",
    ];
    for (const name of [...stays, reused]) mkdirSync(join(place, name), { recursive: true });
    mkdirSync(join(place, reused, "sub"));
    writeFileSync(join(place, reused, "sub", "file"), "x");
    chmodSync(join(place, reused, "sub"), 0o500);
    symlinkSync(join(place, own), join(place, reused, "link"));
    writeFileSync(join(place, own, "kept"), "x");
    await sweep();
    expect(readdirSync(place).sort()).toEqual(stays.sort());
    expect(existsSync(join(place, own, "kept"))).toBe(true);
  },
);

it.runIf(process.platform === "linux")(
  "removes no link that bears such a name, nor what it leads to",
  async () => {
    const own = basename(await makeSessionFolder(place));
    const link = own.replace(/^haft-(\w+)-(\w+)-/, "haft-$1-$21-");
    symlinkSync(join(place, own), join(place, link));
    writeFileSync(join(place, own, "kept"), "x");
    await sweep();
    expect(readdirSync(join(place, own))).toEqual(["kept"]);
  },
);

it("has room for the address of a socket in it", async () => {
  expect(basename(await makeSessionFolder(place)).length).toBeLessThan(44);
});
