/**
 * Owns the tests of starting a worker's process. Rule: a real process, which tells on its channel what it sees.
 */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startWorkerProcess } from "./start-worker.ts";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-worker-")));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function start(script: string) {
  const entry = join(folder, "entry.mjs");
  writeFileSync(
    entry,
    `import { Socket } from "node:net"; const channel = new Socket({ fd: 3 });\n${script}`,
  );
  return startWorkerProcess({ entry, environment: { GIVEN: "g" } });
}

it("hears and answers on its channel, with nothing of the host's", async () => {
  vi.stubEnv("GH_TOKEN", "zz");
  vi.stubEnv("NODE_OPTIONS", "");
  vi.stubEnv("HAFT_MARK", "outer.1");
  const worker = start(`channel.once("data", (heard) => channel.end(JSON.stringify({
    heard: String(heard), env: process.env, execArgv: process.execArgv, cwd: process.cwd() })));`);
  worker.channel.write("hello");
  const told = JSON.parse(await text(worker.channel));
  expect(told).toMatchObject({ heard: "hello", execArgv: [], cwd: folder });
  expect(told.env).toMatchObject({ GIVEN: "g", HAFT_MARK: "outer.1" });
  expect(Object.keys(told.env)).not.toEqual(expect.arrayContaining(["GH_TOKEN"]));
  expect(await worker.ended).toBe("ended with status 0");
});

it("can be killed, whatever it does", async () => {
  const worker = start(`channel.write("x"); process.on("SIGTERM", () => {}); for (;;);`);
  await new Promise((resolve) => worker.channel.once("data", resolve));
  worker.kill();
  expect(await worker.ended).toBe("was ended by SIGKILL");
});

it("tells its last words", async () => {
  const worker = start(`throw new Error("why it died");`);
  worker.channel.on("error", () => undefined).resume();
  expect(await worker.ended).toMatch(/^ended with status 1: .*why it died/s);
});
