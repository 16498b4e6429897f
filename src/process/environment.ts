/**
 * Owns the environment of what is started: a shell's command, a program of ours, the worker.
 * Leaves the list to environment-table.ts and starting to the files that spawn. Rule: a list of what is passed, never
 * of what is not. The attack: a key of the host, or a variable that makes a program run something
 * (`RIPGREP_CONFIG_PATH`, `LD_PRELOAD`, `BASH_ENV`), reaches what a model had started.
 */
import { PASSED, PASSED_ON_WINDOWS } from "./environment-table.ts";

/** Nobody sits before a command: what would wait for a person must fail, or go on, instead. */
const NOBODY_THERE: Readonly<Record<string, string>> = {
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  SYSTEMD_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  // Takes the text as it stands: an editor that opens waits for ever.
  GIT_EDITOR: "true",
  EDITOR: "true",
  VISUAL: "true",
  DEBIAN_FRONTEND: "noninteractive",
  PIP_NO_INPUT: "1",
};

export interface ShellEnvironmentRequest {
  readonly host: NodeJS.ProcessEnv;
  /** Names passed on top of the list; one that ends in `*` stands for all that begin like it. */
  readonly pass: readonly string[];
  /** Values that win over everything else. */
  readonly set: Readonly<Record<string, string>>;
  /** Temporary folders and caches. */
  readonly scratch: Readonly<Record<string, string>>;
}

/** What a command of the shell sees. */
export function shellEnvironment({
  host,
  pass,
  set,
  scratch,
}: ShellEnvironmentRequest): Record<string, string> {
  const passed = pass.length === 0 ? {} : pick(host, selectNames(pass));
  return { ...pick(host, FOR_COMMANDS), ...NOBODY_THERE, ...passed, ...scratch, ...set };
}

/** What a program of our own sees. */
export function scrubEnvironment(host: NodeJS.ProcessEnv): Record<string, string> {
  return pick(host, FOR_PROGRAMS);
}

interface Selection {
  readonly exact: ReadonlySet<string>;
  readonly prefixes: readonly string[];
}

function selectNames(names: readonly string[]): Selection {
  return {
    exact: new Set(names.filter((name) => !name.endsWith("*")).map(foldName)),
    prefixes: names.filter((name) => name.endsWith("*")).map((name) => foldName(name.slice(0, -1))),
  };
}

function namesFor(whom: "commands" | "programs"): string[] {
  const rows = process.platform === "win32" ? [...PASSED, ...PASSED_ON_WINDOWS] : PASSED;
  return rows.filter(({ who = "commands" }) => who === whom || who === "all").flatMap((row) => row.names);
}

/** Made once: it is asked before each command. */
const FOR_COMMANDS = selectNames(namesFor("commands"));
const FOR_PROGRAMS = selectNames(namesFor("programs"));

function pick(host: NodeJS.ProcessEnv, { exact, prefixes }: Selection): Record<string, string> {
  const picked: Record<string, string> = {};
  // Each value costs a look into the system's own table: only those that are listed are read.
  for (const name of Object.keys(host)) {
    const folded = foldName(name);
    if (!exact.has(folded) && !prefixes.some((prefix) => folded.startsWith(prefix))) continue;
    const value = host[name];
    if (value !== undefined && !isFunction(name, value)) picked[name] = value;
  }
  return picked;
}

/** `Path` and `PATH` are one variable on Windows. */
function foldName(name: string): string {
  return process.platform === "win32" ? name.toUpperCase() : name;
}

/** A function that a shell exported: bash runs its text when it starts, whatever the variable is called. */
function isFunction(name: string, value: string): boolean {
  return name.startsWith("BASH_FUNC_") || value.startsWith("() {");
}
