/**
 * Owns the commands that try to outlive the call that started them, as data.
 * Leaves ending them to survivors.test.ts. Rule: each process of a row holds the row's number of seconds in its
 * arguments, so that it is found again.
 */

export interface SurvivorRow {
  readonly about: string;
  readonly command: (seconds: string) => string;
  /** SPEC §3 allows this one to survive where commands are not confined. */
  readonly confinedOnly?: true;
}

export const SURVIVORS: readonly SurvivorRow[] = [
  { about: "the shell itself", command: (s) => `sleep ${s}` },
  { about: "a shell replaced", command: (s) => `exec sleep ${s}` },
  { about: "a child", command: (s) => `sleep ${s} & wait` },
  { about: "a pipeline", command: (s) => `sleep ${s} | cat` },
  { about: "a shell that ignores TERM", command: (s) => `trap '' TERM; sleep ${s}` },
  {
    about: "a loop that ignores every signal it can",
    command: (s) => `trap '' TERM INT HUP QUIT USR1 USR2; while :; do sleep ${s}; done`,
  },
  { about: "a child that ignores TERM", command: (s) => `(trap '' TERM; sleep ${s}; :) & wait` },
  { about: "a trap that goes on", command: (s) => `trap 'sleep ${s}' EXIT TERM; sleep ${s}; :` },
  { about: "a session of its own", command: (s) => `setsid sleep ${s} & wait` },
  {
    about: "a session of its own that ignores TERM",
    command: (s) => `setsid bash -c 'trap "" TERM; sleep ${s}; :' & wait`,
  },
  { about: "nohup", command: (s) => `nohup sleep ${s} >/dev/null 2>&1 & wait` },
  { about: "a child that was disowned", command: (s) => `sleep ${s} & disown; sleep ${s}` },
  { about: "a double fork", command: (s) => `( (sleep ${s} &) & ); sleep ${s}` },
  {
    about: "a daemon: double fork, session of its own, no pipes",
    command: (s) => `(setsid sh -c 'sleep ${s} & exec sleep ${s}' </dev/null >/dev/null 2>&1 &); sleep ${s}`,
  },
  {
    about: "a daemon that ignores TERM",
    command: (s) =>
      `(setsid bash -c 'trap "" TERM HUP; while :; do sleep ${s}; done' >/dev/null 2>&1 &); sleep ${s}`,
  },
  { about: "groups by job control", command: (s) => `set -m; sleep ${s} & sleep ${s} & wait` },
  { about: "a group made by timeout", command: (s) => `timeout 900 sleep ${s}` },
  { about: "a shell that stops itself", command: (s) => `sleep ${s} & kill -STOP $$` },
  { about: "a child that was stopped", command: (s) => `sleep ${s} & kill -STOP $!; wait` },
  { about: "a child with a clean environment", command: (s) => `env -i sleep ${s} & wait` },
  {
    about: "a clean environment in a session of its own",
    command: (s) => `setsid env -i sleep ${s} & wait`,
  },
  { about: "a coprocess", command: (s) => `coproc sleep ${s}; wait` },
  { about: "a process substitution", command: (s) => `cat <(sleep ${s})` },
  { about: "one that goes on forking", command: (s) => `while :; do (sleep ${s} &); sleep 0.3; done` },
  {
    about: "a tree that ignores TERM",
    command: (s) => `bash -c 'trap "" TERM; (sleep ${s}; :) & (sleep ${s}; :) & wait' & wait`,
  },
  {
    about: "a child of another program, detached",
    command: (s) =>
      `"${process.execPath}" -e 'require("child_process").spawn("sleep", ["${s}"], { detached: true, stdio: "ignore" }).unref(); setInterval(() => {}, 1000)' ${s}`,
  },
  {
    about: "an orphan with a clean environment in a session of its own, between two samples",
    command: (s) => `(setsid env -i sleep ${s} >/dev/null 2>&1 </dev/null &); sleep ${s}`,
    confinedOnly: true,
  },
];
