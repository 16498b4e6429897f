/**
 * Owns a fresh root with a session over it, closed and removed after each test.
 * Leaves what is asked of it to the tests. Rule: whatever a test opened is closed, also where it failed.
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect } from "vitest";
import type { Call, CallOptions } from "../../src/contract/call.ts";
import type { ToolOutput } from "../../src/contract/output.ts";
import type { RefusalCode } from "../../src/contract/refusal.ts";
import { openSession } from "../../src/session/open-session.ts";
import type { CallResult, Session } from "../../src/session/session.ts";
import type { SessionOptions } from "../../src/session/session-options.ts";
import { WHERE } from "../support/where-tools-run.ts";

/** A session whose names and arguments the compiler does not know. */
export interface LooseSession extends Omit<Session, "call"> {
  call(name: string, args: unknown, options?: CallOptions): Promise<CallResult>;
}

const bases: string[] = [];
const sessions: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
  for (const base of bases.splice(0)) rmSync(base, { recursive: true, force: true });
});

/** A root with these files in it. */
export function makeRoot(files: Readonly<Record<string, string>> = {}): string {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-session-")));
  bases.push(base);
  const root = join(base, "root");
  mkdirSync(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** A session; with its ledger in memory and everything allowed, unless the options say otherwise. */
export async function open(root: string, options: Partial<SessionOptions> = {}): Promise<LooseSession> {
  const all: SessionOptions = { mode: "full-access", ledger: "memory", ...WHERE, ...options, root };
  const session = (await openSession(all as Parameters<typeof openSession>[0])) as unknown as LooseSession;
  sessions.push(session);
  return session;
}

export function textOf(root: string, path: string): string {
  return readFileSync(join(root, path), "utf8");
}

export function expectDone<R extends ToolOutput>(result: R): R & { readonly isError: false } {
  if (result.isError) expect.fail(`refused: ${result.content}`);
  return result as R & { readonly isError: false };
}

export function expectCode(result: ToolOutput, ...codes: readonly RefusalCode[]): string {
  if (!result.isError) return expect.fail(`not refused: ${result.content.slice(0, 200)}`);
  expect(codes).toContain(result.refusal.code);
  return result.content;
}

export function callOf(name: string, args: unknown, id?: string): Call {
  return id === undefined ? { name, args } : { name, args, id };
}
