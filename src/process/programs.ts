/**
 * Owns what a toolset may do with other programs: the port that mounting gives to tools.
 * Leaves each step to its own file. Rule: mounting loads nothing that spawns; a program is looked for when it is first
 * needed, once a toolset, except where the host insists on it.
 */
import { dirname } from "node:path";
import type { Programs } from "../contract/program.ts";
import { scrubEnvironment } from "./environment.ts";
import { listRipgreps } from "./find-ripgrep.ts";
import { isUsableRipgrep, VERSION_ARGUMENTS } from "./ripgrep-version.ts";

/** A program that does not say its version within this time is not what we look for. */
const ANSWER_MS = 5_000;

export interface ProgramsRequest {
  /** The root's real path: what lies below it is never run. */
  readonly root: string;
  /** A ripgrep that was found already. */
  readonly ripgrep?: string;
}

export function openPrograms({ root, ripgrep }: ProgramsRequest): Programs {
  let searching: Promise<string | undefined> | undefined =
    ripgrep === undefined ? undefined : Promise.resolve(ripgrep);
  return {
    findRipgrep() {
      searching ??= findUsable(root);
      return searching;
    },
    async run(request) {
      const { runProgram } = await import("./spawn-program.ts");
      return runProgram(request);
    },
  };
}

async function findUsable(root: string): Promise<string | undefined> {
  const { runProgram } = await import("./spawn-program.ts");
  for (const program of listCandidates(root)) {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const end = await runProgram({ program, args: VERSION_ARGUMENTS, cwd: dirname(program), signal }).catch(
      () => undefined,
    );
    if (end?.kind === "ended" && end.status === 0 && isUsableRipgrep(end.output.toString("latin1")))
      return program;
  }
  return undefined;
}

/**
 * The same without waiting, for a host that insists on ripgrep: mounting is synchronous and must tell at once.
 * The module that spawns is fetched here alone, so that whoever does not insist never loads it.
 */
export function findRipgrepNow(root: string): string | undefined {
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  return listCandidates(root).find((program) => {
    const asked = spawnSync(program, [...VERSION_ARGUMENTS], {
      cwd: dirname(program),
      env: scrubEnvironment(process.env),
      stdio: ["ignore", "pipe", "ignore"],
      timeout: ANSWER_MS,
      encoding: "latin1",
    });
    return asked.status === 0 && isUsableRipgrep(asked.stdout);
  });
}

function listCandidates(root: string): string[] {
  return listRipgreps({ root, path: process.env.PATH, packaged: true });
}
