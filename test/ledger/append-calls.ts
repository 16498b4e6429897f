/**
 * Owns starting the program that appends calls to a ledger, and checking what it left.
 * Leaves when it ends to the tests. Rule: the built package, in processes of their own, on real files.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { Ledger } from "../../src/ledger/ledger.ts";
import { contentOf } from "./programs/content-of.mjs";

const dist = process.env.HAFT_DIST ?? fileURLToPath(new URL("../../dist", import.meta.url));
const program = fileURLToPath(new URL("programs/append-calls.mjs", import.meta.url));

export interface Appending {
  readonly child: ChildProcess;
  /** Resolves when the program is about to open the ledger. */
  readonly loaded: Promise<unknown>;
  /** Resolves when it has ended, with the numbers of the calls that it started and of those that were answered. */
  readonly ended: Promise<{ started: number[]; answered: number[]; errors: string; code: number | null }>;
}

export function startAppending(of: { path: string; id: string; count: number }): Appending {
  const args = [program, dist, of.path, of.id, String(of.count)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  let errors = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const numbers = (letter: string) =>
    [...said.matchAll(new RegExp(`^${letter} (\\d+)$`, "gm"))].map((match) => Number(match[1]));
  const closed = once(child, "close") as Promise<[number | null]>;
  return {
    child,
    loaded: Promise.race([child.stdout === null ? closed : once(child.stdout, "data"), closed]),
    ended: closed.then(([code]) => ({ started: numbers("s"), answered: numbers("e"), errors, code })),
  };
}

/** One ended call has everything that was put into it. */
export function expectWhole(ledger: Ledger, id: string, n: number): void {
  const call = ledger.find(`${id}/c${n}`);
  expect(call?.state, `${id}/c${n}`).toBe("done");
  // Compared by equality alone: a difference of megabytes is not to be printed.
  expect(call?.ended?.output.content === contentOf(id, n), `${id}/c${n}: its content`).toBe(true);
  const args = { path: `f${n}.txt`, content: "x".repeat((n * 977) % 6_000) };
  expect(call?.args).toEqual(args);
  expect(call?.sent).toBe(JSON.stringify(args));
  expect(call?.ended?.output.details).toEqual({ n });
  const [old] = call?.ended?.oldBytes ?? [];
  expect(Buffer.from(ledger.bytes(old?.hash ?? "") ?? []).toString()).toBe(`old ${n % 10}`);
}
