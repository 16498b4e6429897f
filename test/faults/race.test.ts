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
  if (swapper.exitCode === null) {
    swapper.kill("SIGKILL");
    await once(swapper, "exit");
  }
  fixture.remove();
});

type Outcome = "done" | Refusal["code"] | `leaked ${string}`;

type Operation = (index: number) => Promise<Outcome>;

/** Operations on the contested directory, each as a tool does it: places first, then the work. */
const OPERATIONS_BY_TURN: readonly Operation[] = [
  (index) => write("d/f", index),
  (index) => edit("d/f", index),
  () => move("d/f", "d/g"),
  (index) => write("d/sub/x", index),
  () => move("d/g", "kept"),
  () => move("kept", "d/g"),
  (index) => remove(["d/g", "d/sub", "d/f"][index % 3] ?? "d/g"),
];

async function write(path: string, index: number): Promise<Outcome> {
  const place = await find(path);
  if (isRefusal(place)) return place.code;
  const pieces = [Buffer.from(`inside ${index}`)];
  return codeOf(await replaceFile({ root: fixture.root, place, pieces, expected: "any", signal: never }));
}

async function edit(path: string, index: number): Promise<Outcome> {
  const { root } = fixture;
  const place = await find(path);
  if (isRefusal(place)) return place.code;
  const read = await readWhole({ root, place, maxBytes: 1000, signal: never });
  if (isRefusal(read)) return read.code;
  if (!read.bytes.toString().startsWith("inside")) return `leaked ${read.bytes}`;
  const pieces = [Buffer.from(`inside ${index}, edited`)];
  return codeOf(await replaceFile({ root, place, pieces, expected: read.version, signal: never }));
}

async function move(fromPath: string, toPath: string): Promise<Outcome> {
  const [from, to] = [await find(fromPath), await find(toPath)];
  if (isRefusal(from)) return from.code;
  if (isRefusal(to)) return to.code;
  return codeOf(await moveEntry({ root: fixture.root, from, to, overwrite: true, signal: never }));
}

async function remove(path: string): Promise<Outcome> {
  const place = await find(path);
  if (isRefusal(place)) return place.code;
  return codeOf(await removeEntry({ root: fixture.root, place, recursive: true, signal: never }));
}

function find(path: string): ReturnType<typeof locate> {
  return locate(fixture.root, { path, link: "itself", mustExist: false });
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
        const operate = OPERATIONS_BY_TURN[index % OPERATIONS_BY_TURN.length];
        const outcome = (await operate?.(index)) ?? "done";
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
      expect(pictureOf(join(fixture.base, "out"))).toEqual(before);
      expect([...outcomes.keys()].filter((outcome) => outcome.startsWith("leaked"))).toEqual([]);
      // Both sides of the race were met, or it would prove nothing.
      expect(outcomes.get("done") ?? 0, JSON.stringify([...outcomes])).toBeGreaterThan(4);
      const refused = (outcomes.get("path-outside-root") ?? 0) + (outcomes.get("path-changed") ?? 0);
      expect(refused, JSON.stringify([...outcomes])).toBeGreaterThan(4);
      expect(descriptorsInto(fixture.base)).toEqual([]);
      expect(swapper.exitCode, "the other process went on to the end").toBeNull();
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
