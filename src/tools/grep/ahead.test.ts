import { existsSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { type Fixture, makeFixture } from "../../../test/search-fixture.ts";
import { isRefusal } from "../../contract/refusal.ts";
import { openRoot } from "../../root/open-root.ts";
import { readBeginnings } from "../../root/read-ahead.ts";
import { compilePattern } from "../../text/regex-pattern.ts";
import { makeReadAhead } from "./ahead.ts";
import { makeBuiltinEngine } from "./builtin-engine.ts";
import type { SearchJob } from "./engine.ts";

let fixture: Fixture | undefined;
afterEach(() => fixture?.remove());

function makeJob(script: string, options: { limit?: number; signal?: AbortSignal } = {}): SearchJob {
  fixture = makeFixture(script);
  const root = openRoot({ root: fixture.root });
  const asked = { pattern: "needle", literal: false, ignoreCase: false, multiline: false };
  const pattern = compilePattern(asked);
  if (isRefusal(pattern)) throw new Error(pattern.code);
  const place = { asked: ".", real: root.path, shown: ".", link: "follow", contained: true } as const;
  const { limit = 100, signal = new AbortController().signal } = options;
  const withholds = () => undefined;
  const bounds = { limit, context: 0, lineWindow: 400, room: 60_000 };
  return {
    root,
    place,
    single: false,
    withholds,
    pattern,
    include: undefined,
    mode: "content",
    signal,
    ...bounds,
  };
}

const TREE = `
  for d in a b c; do mkdir -p $d/e; for i in $(seq 1 70); do echo "needle $i" > $d/f$i; echo no > $d/e/g$i; done; done
  echo '*.log' > .gitignore; echo needle > x.log; printf 'needle\\0' > bin; : > empty; ln -s a/f1 link; mkfifo pipe
  chmod 0 b/f7 2>/dev/null; true
`;

describe("reading ahead", () => {
  it("changes nothing in what is found, in its order, and in what is counted", async () => {
    for (const limit of [5, 100, 1_000]) {
      const job = makeJob(TREE, { limit });
      const ahead = await makeBuiltinEngine("always").search(job);
      const plain = await makeBuiltinEngine().search(job);
      expect({ ...ahead, counts: { ...ahead.counts, hidden: [] } }).toEqual({
        ...plain,
        counts: { ...plain.counts, hidden: [] },
      });
      expect(plain.files).toBeGreaterThan(100);
      fixture?.remove();
    }
  });

  it.skipIf(!existsSync("/proc/self/fd"))("leaves no file open, whatever stands there", async () => {
    const job = makeJob(TREE);
    const countOpen = () => readdirSync("/proc/self/fd").length;
    const before = countOpen();
    const folder = `${job.root.path}/`;
    const names = ["link", "pipe", "a", "missing", "empty", "bin", ".gitignore"];
    const beginnings = readBeginnings();
    beginnings.add(names.map((name) => ({ folder, name })));
    const bytes = await beginnings.finish();
    expect(bytes).toBe("needle\0".length + "*.log\n".length);
    await makeBuiltinEngine("always").search(job);
    expect(countOpen()).toBe(before);
  });

  it("ends with a search that is cancelled", async () => {
    const abort = new AbortController();
    const job = makeJob(TREE, { signal: abort.signal });
    const running = makeBuiltinEngine("always").search(job);
    abort.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
    await sleep(20);
  });

  it("begins after slow files alone, and ends when they come fast", async () => {
    const job = makeJob("for i in $(seq 1 100); do echo $i > f$i; done");
    const folder = `${job.root.path}/`;
    const ahead = makeReadAhead();
    expect(ahead.wanted()).toBe(0);
    // Long files take their time.
    for (let i = 0; i < 5; i++) ahead.note({ tookMs: 1, bytes: 2_000_000 });
    expect(ahead.wanted()).toBe(0);
    ahead.note({ tookMs: 1, bytes: 1_000 });
    expect(ahead.wanted()).toBe(0);
    ahead.note({ tookMs: 1, bytes: 1_000 });
    expect(ahead.wanted()).toBeGreaterThan(1);
    ahead.note({ tookMs: 0.001, bytes: 1_000 });
    expect(ahead.wanted()).toBe(0);
    for (let i = 0; i < 5; i++) ahead.note({ tookMs: 1, bytes: 1_000 });
    const fetch = ahead.fetch();
    fetch.add([{ folder, name: "f1" }]);
    await fetch.finish();
    ahead.stop();
    expect(ahead.wanted()).toBe(0);
  });
});
