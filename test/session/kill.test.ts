/**
 * A process is killed in the middle of a session: what it has answered is in the ledger, whole; what it had begun is
 * there as interrupted; the session can be resumed, and no file is half written.
 */
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { makeRoot, open, textOf } from "./session-fixture.ts";

const ROUNDS = process.env.HAFT_LONG === "1" ? 60 : 5;
const LATEST_MS = 600;
const PROGRAM = fileURLToPath(new URL("programs/work-until-killed.mjs", import.meta.url));

interface Answered {
  readonly id: string;
  readonly content: string;
}

async function workUntilKilled(root: string): Promise<Answered[]> {
  const child = spawn(process.execPath, [PROGRAM, root], { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  const opened = new Promise<void>((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString("utf8");
      if (said.includes("\n")) resolve();
    });
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  await Promise.race([opened, ended]);
  await delay(Math.random() * LATEST_MS);
  child.kill("SIGKILL");
  await ended;
  const lines = said.split("\n").slice(1, -1);
  return lines.map((line) => JSON.parse(line) as Answered);
}

it("a session whose process is killed has lost nothing that it answered", async () => {
  let all = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const root = makeRoot();
    const answered = await workUntilKilled(root);
    all += answered.length;
    const session = await open(root, { ledger: undefined, sessionId: "mine" });
    const states = new Map(session.ledger.calls("mine")?.map(({ callId, state }) => [callId, state]));
    for (const { id, content } of answered) {
      expect(["done", "refused"]).toContain(states.get(id));
      expect(session.ledger.result(`mine/${id}`)?.content).toBe(content);
    }
    for (const [id, state] of states)
      if (!answered.some((one) => one.id === id)) expect(["done", "refused", "interrupted"]).toContain(state);
    for (const name of readdirSync(root).filter((one) => one.endsWith(".txt"))) {
      const lines = textOf(root, name).split("\n");
      expect(new Set(lines.slice(0, -1)).size).toBe(1);
      expect(lines).toHaveLength(201);
    }
    const next = await session.call("read", { path: "f0.txt" });
    expect(states.has(next.id)).toBe(false);
    await session.close();
  }
  expect(all).toBeGreaterThan(0);
}, 300_000);
