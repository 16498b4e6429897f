/**
 * Another process exchanges a directory for a link to the outside and back, without pause, while files in it are
 * read, written, edited, moved and removed. Nothing outside is touched or read. Linux, where work goes through
 * descriptors; elsewhere the window is stated in directory.ts.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isRefusal, type Refusal } from "../../src/contract/refusal.ts";
import { moveEntry } from "../../src/root/move-entry.ts";
import { readWhole } from "../../src/root/open-file.ts";
import { removeEntry } from "../../src/root/remove-entry.ts";
import { replaceFile } from "../../src/root/replace-file.ts";
import { locate, under } from "../../src/root/resolve.ts";
import { descriptorsInto, type Fixture, makeFixture, never, pictureOf } from "./fixture.ts";

const OPERATIONS = process.env.HAFT_LONG === "1" ? 10_000 : 1_000;
const program = fileURLToPath(new URL("programs/swap-directory.mjs", import.meta.url));

let fixture: Fixture;
let swapper: ChildProcess;

beforeEach(async () => {
  fixture = makeFixture();
  const out = join(fixture.base, "out");
  for (const directory of [join(fixture.box, "d", "sub"), join(out, "sub", "deep")])
    mkdirSync(directory, { recursive: true });
  for (const path of ["f", "g", "sub/x", "sub/deep/y"]) writeFileSync(join(out, path), "outside");
  swapper = spawn(process.execPath, [program, join(fixture.box, "d"), "../out"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (swapper.stdout) await once(swapper.stdout, "data");
});
afterEach(async () => {
  swapper.kill("SIGKILL");
  await once(swapper, "exit");
  fixture.remove();
});

type Outcome = "done" | Refusal["code"] | `leaked ${string}`;

/** One operation on the contested directory, as a tool does it: places first, then the work. */
async function operate(index: number): Promise<Outcome> {
  const { root } = fixture;
  const signal = never;
  const places = async (path: string) => locate(root, { path, link: "itself", mustExist: false });
  const [f, g, sub, kept] = await Promise.all(["d/f", "d/g", "d/sub/x", `kept-${index % 7}`].map(places));
  if (f === undefined || g === undefined || sub === undefined || kept === undefined)
    throw new Error("no place");
  for (const place of [f, g, sub, kept]) if (isRefusal(place)) return place.code;
  if (isRefusal(f) || isRefusal(g) || isRefusal(sub) || isRefusal(kept)) throw new Error("narrowed above");
  const pieces = [Buffer.from(`inside ${index}`)];
  const write = (place: typeof f) => replaceFile({ root, place, pieces, expected: "any", signal });
  switch (index % 7) {
    case 0:
      return codeOf(await write(f));
    case 1: {
      const read = await readWhole({ root, place: f, maxBytes: 1000, signal });
      if (isRefusal(read)) return read.code;
      if (!read.bytes.toString().startsWith("inside")) return `leaked ${read.bytes}`;
      return codeOf(await replaceFile({ root, place: f, pieces, expected: read.version, signal }));
    }
    case 2:
      return codeOf(await moveEntry({ root, from: f, to: g, overwrite: true, signal }));
    case 3:
      return codeOf(await write(sub));
    case 4:
      return codeOf(await moveEntry({ root, from: g, to: kept, overwrite: true, signal }));
    case 5:
      return codeOf(await moveEntry({ root, from: kept, to: g, overwrite: true, signal }));
    default:
      return codeOf(await removeAny(index));
  }
}

async function removeAny(index: number): Promise<unknown> {
  const path = ["d/g", "d/sub", "d/f"][index % 3] ?? "d/g";
  const place = await locate(fixture.root, { path, link: "itself", mustExist: false });
  if (isRefusal(place)) return place;
  return removeEntry({ root: fixture.root, place, recursive: true, signal: never });
}

function codeOf(result: unknown): Outcome {
  return isRefusal(result) ? result.code : "done";
}

describe.runIf(process.platform === "linux")(
  "while a directory is exchanged for a link to the outside",
  () => {
    test(`${OPERATIONS} operations touch nothing outside`, { timeout: 600_000 }, async () => {
      const before = pictureOf(join(fixture.base, "out"));
      const outcomes = new Map<Outcome, number>();
      for (let index = 0; index < OPERATIONS; index++) {
        const outcome = await operate(index);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
      expect(pictureOf(join(fixture.base, "out"))).toEqual(before);
      expect([...outcomes.keys()].filter((outcome) => outcome.startsWith("leaked"))).toEqual([]);
      // Both sides of the race were met, or it would prove nothing.
      expect(outcomes.get("done") ?? 0, JSON.stringify([...outcomes])).toBeGreaterThan(OPERATIONS / 50);
      const refused = (outcomes.get("path-outside-root") ?? 0) + (outcomes.get("path-changed") ?? 0);
      expect(refused, JSON.stringify([...outcomes])).toBeGreaterThan(OPERATIONS / 50);
      expect(descriptorsInto(fixture.base)).toEqual([]);
    });

    test("the unguarded twin, which checks and then uses the path, soon writes outside", {
      timeout: 120_000,
    }, async () => {
      const victim = join(fixture.base, "out", "twin");
      for (let attempt = 0; attempt < 100_000 && !existsSync(victim); attempt++) {
        try {
          const path = under(fixture.box, "d/twin");
          await new Promise((resolve) => setImmediate(resolve));
          writeFileSync(path, "x");
        } catch {
          // Refused, or gone at that moment: the next attempt may win.
        }
      }
      expect(existsSync(victim)).toBe(true);
    });
  },
);
