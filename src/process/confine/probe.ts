/**
 * Owns finding out what of confinement is possible on this machine.
 * Leaves the arguments to bubblewrap-arguments.ts, what is concluded to its callers. Rule: tried, not guessed from
 * versions; once a process, because what a system allows does not change while it runs.
 */
import { existsSync, readFileSync } from "node:fs";
import { scrubEnvironment } from "../environment.ts";
import { keepExecutable, listOnPath } from "../find-executable.ts";
import { namespaceArguments } from "./bubblewrap-arguments.ts";

export interface ConfinementProbe {
  readonly driver: "bubblewrap" | "none";
  /** Real path of what confines. */
  readonly program?: string;
  readonly version?: string;
  /** Files and processes can be fenced. */
  readonly canFence: boolean;
  /** The network can be taken away, too. */
  readonly canCutNetwork: boolean;
  /** Why something cannot be. */
  readonly why?: string;
  readonly isSuperuser: boolean;
  /** Whether this is a container itself, as far as can be told. */
  readonly isContainer: boolean;
}

const TRY_MS = 10_000;
const probes = new Map<string, ConfinementProbe>();

/** `root` is the root's real path: what lies below it never confines. */
export function probeConfinement(of: {
  readonly root: string;
  readonly path: string | undefined;
}): ConfinementProbe {
  const program = process.platform === "linux" ? findBubblewrap(of) : undefined;
  const key = program ?? "";
  const probe = probes.get(key) ?? tryOut(program);
  probes.set(key, probe);
  return probe;
}

function findBubblewrap({ root, path }: { readonly root: string; readonly path: string | undefined }) {
  return keepExecutable([...listOnPath(path, "bwrap"), "/usr/bin/bwrap", "/usr/local/bin/bwrap"], root)[0];
}

function tryOut(program: string | undefined): ConfinementProbe {
  const machine = { isSuperuser: process.getuid?.() === 0, isContainer: looksContained() };
  const nothing = { ...machine, canFence: false, canCutNetwork: false };
  if (process.platform !== "linux")
    return { ...nothing, driver: "none", why: `there is no fence for ${process.platform} yet` };
  if (program === undefined)
    return { ...nothing, driver: "none", why: "bubblewrap (the program bwrap) is not installed" };
  const version = run(program, ["--version"]).printed.replace(/^bubblewrap /, "");
  const found = { driver: "bubblewrap" as const, program, version };
  const fenced = attempt(program, { network: "host", ...machine });
  if (fenced !== undefined) return { ...nothing, ...found, why: fenced };
  const cut = attempt(program, { network: "none", ...machine });
  return {
    ...machine,
    ...found,
    canFence: true,
    canCutNetwork: cut === undefined,
    ...(cut === undefined ? {} : { why: cut }),
  };
}

/** Why it does not work; undefined where it does. */
function attempt(
  program: string,
  of: { readonly network: "host" | "none"; readonly isSuperuser: boolean },
): string | undefined {
  const mounts = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"];
  const { status, printed } = run(program, [
    ...namespaceArguments(of),
    ...mounts,
    "--",
    "/bin/sh",
    "-c",
    ":",
  ]);
  if (status === 0) return undefined;
  return printed === "" ? "bubblewrap does not start here" : printed;
}

function run(program: string, args: readonly string[]) {
  // Fetched here alone: whoever is not confined never loads what spawns.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { status, stdout, stderr } = spawnSync(program, [...args], {
    cwd: "/",
    env: scrubEnvironment(process.env),
    stdio: ["ignore", "pipe", "pipe"],
    timeout: TRY_MS,
    encoding: "utf8",
  });
  return { status, printed: `${stdout ?? ""}${stderr ?? ""}`.trim().split("\n", 1).join("").toWellFormed() };
}

function looksContained(): boolean {
  if (existsSync("/.dockerenv") || existsSync("/run/.containerenv")) return true;
  try {
    return /docker|containerd|kubepods|lxc/.test(readFileSync("/proc/1/cgroup", "utf8"));
  } catch {
    return false;
  }
}
