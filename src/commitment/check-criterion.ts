/**
 * Owns checking a criterion that the runtime can check by itself: a file, its content, a command.
 * Leaves writing down what came out to the verbs. Rule: a check that could not be made is unknown and never failed; a
 * pass remembers all that it looked at, as it was both before and after.
 */
import { join } from "node:path/posix";
import type { Criterion, Evidence, SeenPath } from "../contract/commitment.ts";
import { isRefusal } from "../contract/refusal.ts";
import { makeLineFinder } from "../text/line-finder.ts";
import { compilePattern } from "../text/regex-pattern.ts";
import { clipMiddle } from "../text/search-summary.ts";
import { compareSighting, type EvidencePorts, type Sighting } from "./hold-evidence.ts";

export type Outcome =
  | { readonly result: "passed"; readonly evidence: Evidence }
  | { readonly result: "failed" | "unknown"; readonly why: string };

/** How a command came to its end. */
export type CommandOutcome =
  | { readonly kind: "exited"; readonly code: number; readonly call: string }
  /** Not permitted, not started, not finished. */
  | { readonly kind: "not-run"; readonly why: string };

export interface CommandCheck {
  readonly command: string;
  readonly cwd: string | undefined;
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface CheckPorts extends EvidencePorts {
  /** The same with the bytes of a file. */
  readonly read: (path: string, keep: (bytes: Buffer) => void) => Sighting;
  /** Runs a command as a call of the session; absent where no session is open. */
  readonly runCommand?: (check: CommandCheck) => Promise<CommandOutcome>;
}

/** Words of a command that may be files. */
const MOST_WORDS = 200;
/** Bash's own words for "there is no such command" and "it cannot be run". */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

/** Undefined for a kind that somebody else has to prove. */
export async function checkCriterion(
  criterion: Criterion,
  ports: CheckPorts,
  signal?: AbortSignal,
): Promise<Outcome | undefined> {
  switch (criterion.kind) {
    case "file-exists":
      return settle(criterion, ports, checkFile(criterion.path, ports));
    case "file-contains":
      return settle(criterion, ports, checkContent(criterion, ports));
    case "shell":
      return checkCommand(criterion, ports, signal);
    default:
      return undefined;
  }
}

/** Adds the paths that the criterion names beside what it looks at. */
export function settle(criterion: Criterion, ports: EvidencePorts, outcome: Outcome): Outcome {
  if (outcome.result !== "passed") return outcome;
  const also = seePaths(criterion.paths ?? [], ports);
  if (typeof also === "string") return { result: "unknown", why: also };
  const { evidence } = outcome;
  return { result: "passed", evidence: { ...evidence, paths: [...evidence.paths, ...also] } };
}

/** Why one of them cannot be remembered, where one cannot. */
function seePaths(paths: readonly string[], { look }: EvidencePorts): readonly SeenPath[] | string {
  const seen: SeenPath[] = [];
  for (const path of paths) {
    const now = look(path);
    if (now.kind === "absent") return `${clipMiddle(path)}, on which it rests, is not there`;
    if (now.kind === "unseen") return `${clipMiddle(path)}, on which it rests, ${now.why}`;
    seen.push({ path, ...now });
  }
  return seen;
}

function checkFile(path: string, { look }: EvidencePorts): Outcome {
  return judgeFile(path, look(path));
}

function judgeFile(path: string, now: Sighting): Outcome {
  if (now.kind === "absent") return { result: "failed", why: `there is no ${clipMiddle(path)}` };
  if (now.kind === "unseen") return { result: "unknown", why: `${clipMiddle(path)} ${now.why}` };
  if (now.kind === "folder") return { result: "failed", why: `${clipMiddle(path)} is a folder` };
  return { result: "passed", evidence: { paths: [{ path, ...now }] } };
}

function checkContent(
  { path, text, pattern }: Extract<Criterion, { kind: "file-contains" }>,
  { read }: CheckPorts,
): Outcome {
  const chunks: Buffer[] = [];
  const outcome = judgeFile(
    path,
    read(path, (bytes) => chunks.push(bytes)),
  );
  if (outcome.result !== "passed") return outcome;
  const bytes = Buffer.concat(chunks);
  const found = text === undefined ? findPattern(bytes, pattern ?? "") : bytes.includes(text);
  if (found === undefined)
    return { result: "unknown", why: "its pattern is none that this version can search for" };
  return found ? outcome : { result: "failed", why: `${clipMiddle(path)} does not contain it` };
}

function findPattern(bytes: Buffer, pattern: string): boolean | undefined {
  const compiled = compilePattern({ pattern, literal: false, ignoreCase: false, multiline: false });
  if (isRefusal(compiled)) return undefined;
  for (const hit of makeLineFinder(compiled).find(bytes, 0, bytes.length)) if (hit !== undefined) return true;
  return false;
}

async function checkCommand(
  criterion: Extract<Criterion, { kind: "shell" }>,
  ports: CheckPorts,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const { command, cwd, timeoutMs, paths = [] } = criterion;
  if (ports.runCommand === undefined)
    return { result: "unknown", why: "no session is open that could run its command" };
  const asked = seePaths(paths, ports);
  if (typeof asked === "string") return { result: "unknown", why: asked };
  const seen = [...(await seeWords(command, cwd, ports)), ...asked];
  const end = await ports.runCommand({ command, cwd, timeoutMs, signal });
  if (end.kind === "not-run") return { result: "unknown", why: end.why };
  const { code, call } = end;
  if (code === NOT_FOUND || code === NOT_EXECUTABLE)
    return { result: "unknown", why: `exit code ${code}: a command in it could not be run, call ${call}` };
  if (code !== 0) return { result: "failed", why: `exit code ${code}, call ${call}` };
  for (const one of seen) {
    const changed = compareSighting(one, ports.look(one.path));
    if (changed !== undefined)
      return {
        result: "unknown",
        why: `${clipMiddle(one.path)} ${changed} while the command ran, call ${call}`,
      };
  }
  return { result: "passed", evidence: { paths: seen, call } };
}

/** The files that the words of a command name. What else a command reads, nobody can tell. */
async function seeWords(
  command: string,
  cwd: string | undefined,
  { look }: EvidencePorts,
): Promise<readonly SeenPath[]> {
  const { parseShell } = await import("../text/shell/parse-shell.ts");
  const words = new Set(parseShell(command).commands.flatMap((one) => one.words));
  const seen: SeenPath[] = [];
  for (const word of [...words].slice(0, MOST_WORDS)) {
    if (word === "" || word.startsWith("-") || word.includes("\0")) continue;
    const path = cwd === undefined || word.startsWith("/") ? word : join(cwd, word);
    const now = look(path);
    if (now.kind === "file") seen.push({ path, ...now });
  }
  return seen;
}
