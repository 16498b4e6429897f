/**
 * Owns the tables of programs that run other words or texts as commands.
 * Leaves reading their arguments to see-through.ts.
 * Rule: a program is judged by the last part of its path, in any letter case; what is on no list is an ordinary
 * program, which a rule has to name. A list too long asks once too often, a list too short runs what nobody allowed.
 */

/** They run the command that stands after them and their options. */
const RUNNERS = [
  "env sudo doas su runuser pkexec run0 systemd-run nohup timeout gtimeout nice ionice chrt taskset stdbuf setsid setarch",
  "time xargs parallel watch command builtin exec coproc script expect unbuffer rlwrap strace ltrace gdb valgrind perf",
  "flock chroot unshare nsenter setpriv capsh fakeroot firejail bwrap proot ssh rsh busybox toybox entr chpst daemonize",
  "start-stop-daemon caffeinate dbus-run-session xvfb-run proxychains proxychains4 torsocks torify linux32 linux64",
  "prlimit numactl choom setuidgid softlimit catchsegv cpulimit at batch crontab",
];

/** They take a text for commands, or change what the names of later commands mean. */
const EVALUATORS = ["eval source . trap alias enable hash shopt fc bind complete compgen mapfile readarray"];

const SHELLS = [
  "bash sh dash ash zsh ksh ksh93 mksh pdksh yash fish csh tcsh rbash pwsh powershell nu elvish xonsh",
];

/** They take a program from standard input where no file is named. */
const INTERPRETERS = [
  "python pypy node nodejs deno bun perl ruby php lua luajit tclsh osascript irb ipython Rscript julia awk",
];

const SETS = {
  runner: gather(RUNNERS),
  evaluator: gather(EVALUATORS),
  shell: gather(SHELLS),
  interpreter: gather(INTERPRETERS),
};

export type ProgramKind = keyof typeof SETS;

export interface KnownProgram {
  readonly kind: ProgramKind;
  /** The name in the list. */
  readonly name: string;
}

export function findProgram(command: string): KnownProgram | undefined {
  const base = baseName(command);
  // python3.12, bash-5.2, node20.exe
  const bare = base.replace(/\.exe$/, "").replace(/[-.\d]+$/, "");
  for (const kind of Object.keys(SETS) as ProgramKind[])
    for (const name of [base, bare]) if (SETS[kind].has(name)) return { kind, name };
  return undefined;
}

/** `/usr/bin/Find` is `find`. */
export function baseName(command: string): string {
  return command.slice(command.lastIndexOf("/") + 1).toLowerCase();
}

function gather(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.toLowerCase().split(" ")));
}
