/**
 * Owns what stands between the fence and a confined command: process 1 of its namespace, and what that tells us.
 * Leaves putting up the fence to bubblewrap-arguments.ts, starting to start-command.ts. Rule: the command's status, its
 * words and its environment are as without it; process 1 lives until nothing else in the namespace does, and with it
 * ends whatever is left: nobody in there can end it, and it ends when its channel or its parent does.
 *
 * Before the command begins, it compares where each mount below the root comes from with where it stands. The attack:
 * a job that runs already exchanges `.git/config` for a link to a key between our look and the mount, and the fence
 * itself would lay the key into the tree.
 */
import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { constants } from "node:os";
import type { ShellExit } from "../start-command.ts";
import type { RelayRequest } from "./relay-words.ts";
import { FILTER_FD, makeSyscallFilter } from "./syscall-filter.ts";

/** Where the whole arguments of a driver stand: the program and what comes before the command. */
export interface FenceArguments {
  /** Absolute path of what confines. */
  readonly program: string;
  readonly args: readonly string[];
  /** Below it every mount must stand where it comes from. Real path. */
  readonly root: string;
  /** Mount points below the root that stand for something else, as they should. */
  readonly mounts: readonly string[];
  /** Whose network is entered first; absent where the arguments say all of the network. */
  readonly relay?: RelayRequest;
}

export interface FencedSpawn {
  readonly program: string;
  readonly args: readonly string[];
}

/** The descriptor on which process 1 speaks; never the command's. */
export const SUPERVISOR_FD = 3;

/**
 * `$1` is the root and `$2` the mounts below it that were there before, as mountinfo spells them; the rest is the
 * command. Words of its own go nowhere (9 keeps the command's errors), and its language is C only to tell ends apart: what
 * ended by a signal is listed by the signal's name, all else as Exit or Done.
 */
const SUPERVISOR = [
  "exec 9>&2 2>/dev/null",
  "R=$1 X=$2; shift 2; unset SHLVL; L=$LC_ALL; LC_ALL=C; declare -A S A",
  // Read at once: by lines the kernel would write it anew for each of them.
  "mapfile -t M </proc/self/mountinfo; m() { i=$1 p=$2 s=$4 a=$5; }; set -f",
  `for l in "\${M[@]}"; do m $l`,
  '  S[$i]=$s A[$i]=$a; case $a in "$R"/*) ;; *) continue;; esac',
  '  case $X in *"|$a|"*) continue;; esac',
  `  t=\${A[$p]}; [ "$s" = "\${S[$p]%/}\${a#"\${t%/}"}" ] || [ "$s" = /null ] || { echo moved >&3; exit 1; }`,
  "done; set +f; unset M; unset -f m",
  'f() { if [ -n "$L" ]; then LC_ALL=$L; else unset LC_ALL; fi; unset L; exec -a bash "$@" 2>&9 3>&- 9>&-; }',
  "set -m; trap 'jobs %1 >&3' CHLD",
  'echo go >&3; f "$@" &',
  "until wait $!; s=$?; ! kill -0 $!; do read -t 0.2 -u 3; [ $? -gt 128 ] || exit; done",
  "trap - CHLD; set -- /proc/[0-9]*",
  'echo "end $s $#" >&3',
  "while set -- /proc/[0-9]*; [ $# -gt 1 ]; do read -t 0.1 -u 3; [ $? -gt 128 ] || exit; done",
].join("\n");

export function fenceCommand(of: {
  readonly fence: FenceArguments;
  readonly cwd: string;
  readonly bash: string;
  readonly script: string;
}): FencedSpawn {
  const { fence, cwd, bash, script } = of;
  const shell = [bash, "-p", "-c", SUPERVISOR, "haft", spellAsMount(fence.root), spellAll(fence.mounts)];
  return {
    program: fence.program,
    args: [
      ...fence.args,
      "--seccomp",
      String(FILTER_FD),
      "--chdir",
      cwd,
      "--",
      ...shell,
      bash,
      "-c",
      "--",
      script,
    ],
  };
}

function spellAll(mounts: readonly string[]): string {
  return mounts.map((mount) => `|${spellAsMount(mount)}|`).join("");
}

/** As `/proc/self/mountinfo` writes a path. */
function spellAsMount(path: string): string {
  return path.replace(/[ \t\n\\]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`);
}

export interface Supervision {
  /** Undefined once the command begins; else why it does not. */
  readonly begun: Promise<string | undefined>;
  /** Resolves when the shell has ended. */
  readonly exited: Promise<ShellExit>;
  /** Resolves when the namespace is empty and the fence is gone. */
  readonly gone: Promise<void>;
  /** Whether nothing was left when the shell ended. */
  isAlone(): boolean;
}

/** More than the last words of process 1 are. */
const MAX_WORDS = 4_096;

export function superviseChild(child: ChildProcess, ended: Promise<ShellExit>): Supervision {
  let words = "";
  let alone = false;
  const begun = makeAnswer<string | undefined>();
  const exited = makeAnswer<ShellExit>();
  const filter = child.stdio[FILTER_FD] as Socket | null | undefined;
  filter?.on("error", () => undefined).end(makeSyscallFilter());
  const channel = (child.stdio[SUPERVISOR_FD] as Socket | null | undefined) ?? undefined;
  const read = (text: string) => {
    words = (words + text).slice(-MAX_WORDS);
    if (/^go$/m.test(words)) begun.give(undefined);
    if (/^moved$/m.test(words)) begun.give("a path below the root was exchanged while it was put up");
    const end = /^end (\d+) (\d+)$/m.exec(words);
    if (end === null) return;
    alone = end[2] === "1";
    exited.give(tellExit(Number(end[1]), words));
  };
  channel
    ?.setEncoding("utf8")
    .on("data", read)
    .on("error", () => undefined);
  // What it said last is read before its end is believed.
  const closed = new Promise<void>((resolve) => {
    if (channel === undefined) resolve();
    else channel.once("close", () => resolve());
  });
  const gone = Promise.all([ended, closed]).then(([exit]) => {
    begun.give("it could not be put up");
    exited.give(exit);
  });
  return { begun: begun.promise, exited: exited.promise, gone, isAlone: () => alone };
}

interface Answer<T> {
  readonly promise: Promise<T>;
  /** The first one counts. */
  readonly give: (value: T) => void;
}

function makeAnswer<T>(): Answer<T> {
  let give: (value: T) => void = () => {};
  const promise = new Promise<T>((resolve) => {
    give = resolve;
  });
  return { promise, give };
}

const SIGNALS = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

/** A status above 128 may be a number that the shell chose: how the job is listed tells. */
function tellExit(status: number, words: string): ShellExit {
  const listed = [...words.matchAll(/^\[1\]\S?\s+(\w+)/gm)].at(-1)?.[1];
  const signal = SIGNALS.get(status - 128);
  const isSignalled = listed !== undefined && !["Exit", "Done", "Running", "Stopped"].includes(listed);
  if (signal !== undefined && isSignalled) return { kind: "signalled", signal };
  return { kind: "exited", code: status };
}
