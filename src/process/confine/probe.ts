/**
 * Owns finding out what of confinement is possible on this machine.
 * Leaves the arguments to bubblewrap-arguments.ts, what is concluded to its callers. Rule: tried, not guessed from
 * versions; once a process, because what a system allows does not change while it runs.
 */
import { existsSync, readFileSync } from "node:fs";
import { scrubEnvironment } from "../environment.ts";
import { keepExecutable, listOnPath } from "../find-executable.ts";
import { namespaceArguments } from "./bubblewrap-arguments.ts";
import { enterWords, relayArguments } from "./relay-words.ts";
import { canFilter, makeSyscallFilter } from "./syscall-filter.ts";

export interface ConfinementProbe {
  readonly driver: "bubblewrap" | "none";
  /** Real path of what confines. */
  readonly program?: string;
  readonly version?: string;
  /** Files and processes can be fenced. */
  readonly canFence: boolean;
  /** The network can be taken away too, but for a relay to the screen. */
  readonly canCutNetwork: boolean;
  /** A network without any way out can be had, also where a relay cannot. */
  readonly canHaveNoNetwork: boolean;
  /** Absolute path of what enters the relay's network; present where that can be had. */
  readonly nsenter?: string;
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
  const isLinux = process.platform === "linux";
  const [program, nsenter] = ["bwrap", "nsenter"].map((name) => (isLinux ? find(name, of) : undefined));
  const key = `${program} ${nsenter}`;
  const probe = probes.get(key) ?? tryOut(program, nsenter);
  probes.set(key, probe);
  return probe;
}

function find(
  name: string,
  { root, path }: { readonly root: string; readonly path: string | undefined },
): string | undefined {
  const usual = ["/usr/bin", "/bin", "/usr/local/bin"].map((folder) => `${folder}/${name}`);
  return keepExecutable([...listOnPath(path, name), ...usual], root)[0];
}

function tryOut(program: string | undefined, nsenter: string | undefined): ConfinementProbe {
  const machine = { isSuperuser: process.getuid?.() === 0, isContainer: looksContained() };
  const nothing = { ...machine, canFence: false, canCutNetwork: false, canHaveNoNetwork: false };
  if (process.platform !== "linux")
    return { ...nothing, driver: "none", why: `there is no fence for ${process.platform} yet` };
  if (!canFilter(process.arch))
    return { ...nothing, driver: "none", why: `there is no fence for ${process.arch} yet` };
  if (program === undefined)
    return { ...nothing, driver: "none", why: "bubblewrap (the program bwrap) is not installed" };
  const version = run(program, ["--version"]).printed.replace(/^bubblewrap /, "");
  const found = { driver: "bubblewrap" as const, program, version };
  const fenced = attempt(program, { ...machine, network: "host" });
  if (fenced !== undefined) return { ...nothing, ...found, why: fenced };
  const fence = { ...machine, ...found, canFence: true };
  const why =
    nsenter === undefined
      ? "the program nsenter (of util-linux) is not installed"
      : attemptRelay({ program, nsenter, ...machine });
  if (nsenter !== undefined && why === undefined)
    return { ...fence, canCutNetwork: true, canHaveNoNetwork: true, nsenter };
  const canHaveNoNetwork = attempt(program, { ...machine, network: "none" }) === undefined;
  return { ...fence, canCutNetwork: false, canHaveNoNetwork, ...(why === undefined ? {} : { why }) };
}

const MOUNTS = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"];
const NOTHING = ["--", "/bin/sh", "-c", ":"];

/** Why it does not work; undefined where it does. */
function attempt(
  program: string,
  of: { readonly isSuperuser: boolean; readonly network: "host" | "none" },
): string | undefined {
  const words = [...namespaceArguments(of), ...MOUNTS, "--seccomp", "0"];
  return explain(run(program, [...words, ...NOTHING], makeSyscallFilter()));
}

/**
 * Why a network without a way out cannot be put up and entered; undefined where it can. A shell for the two of them: one
 * waits in its network while the other is put up in it.
 */
function attemptRelay(of: {
  readonly program: string;
  readonly nsenter: string;
  readonly isSuperuser: boolean;
}): string | undefined {
  const { program, isSuperuser } = of;
  const waits = [program, ...relayArguments(), "--info-fd", "5", "--", "/bin/sh", "-c", "echo up; sleep 9"];
  const fenced = [program, ...namespaceArguments({ isSuperuser, network: "relay" }), ...MOUNTS, ...NOTHING];
  const [enters = "", ...where] = enterWords({
    nsenter: of.nsenter,
    net: "/proc/$p/ns/net",
    user: isSuperuser ? undefined : "/proc/$p/ns/user",
  });
  const script = [
    // Its number first, and by the same pipe that it is up: before, its namespaces cannot be entered.
    `${quote(waits)} 5>&1 | {`,
    `while read -r a b; do case $a in *child-pid*) p=\${b%,};; up) break;; esac; done`,
    `[ -n "$p" ] || exit 1; ${quote([enters])} ${where.join(" ")} ${quote(fenced)}; s=$?; kill -9 $p; exit $s; }`,
  ];
  return explain(run("/bin/sh", ["-c", script.join("\n")]));
}

function quote(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
}

function explain({ status, printed }: ReturnType<typeof run>): string | undefined {
  if (status === 0) return undefined;
  return printed === "" ? "bubblewrap does not start here" : printed;
}

function run(program: string, args: readonly string[], input: Uint8Array = new Uint8Array()) {
  // Fetched here alone: whoever is not confined never loads what spawns.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { status, stdout, stderr } = spawnSync(program, [...args], {
    cwd: "/",
    env: scrubEnvironment(process.env),
    stdio: ["pipe", "pipe", "pipe"],
    input,
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
