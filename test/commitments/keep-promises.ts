/**
 * Owns starting the program that works on commitments among others.
 * Leaves checking what it left to the tests. Rule: the built package, in processes of their own, on real files.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const dist = process.env.HAFT_DIST ?? fileURLToPath(new URL("../../dist", import.meta.url));
const program = fileURLToPath(new URL("programs/keep-promises.mjs", import.meta.url));

export interface Keeping {
  readonly child: ChildProcess;
  /** Resolves when the program is about to open the ledger. */
  readonly loaded: Promise<unknown>;
  readonly ended: Promise<{ said: readonly string[]; errors: string; code: number | null }>;
}

export function startKeeping(of: {
  root: string;
  path: string;
  name: string;
  rounds: number;
  skewMs?: number;
}): Keeping {
  const args = [program, dist, of.root, of.path, of.name, String(of.rounds), String(of.skewMs ?? 0)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  let errors = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const closed = once(child, "close") as Promise<[number | null]>;
  return {
    child,
    loaded: Promise.race([child.stdout === null ? closed : once(child.stdout, "data"), closed]),
    ended: closed.then(([code]) => ({ said: said.split("\n"), errors, code })),
  };
}
