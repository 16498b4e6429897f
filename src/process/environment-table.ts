/**
 * Owns the list of variables of the host that a command sees, each with the reason why.
 * Leaves applying it to environment.ts. Rule: what is not here is not passed. Never here, because each hands over a
 * secret, the network or control over programs: proxies (`HTTP_PROXY` often holds a password), `SSH_AUTH_SOCK`,
 * `NODE_OPTIONS`, `LD_*`, `PYTHONPATH`, `BASH_ENV`, `ENV`, `PROMPT_COMMAND`, exported functions (`BASH_FUNC_*`).
 */
interface Row {
  /** Names; one that ends in `*` stands for all that begin like it. */
  readonly names: readonly string[];
  readonly reason: string;
  /** Who sees it: what a model had started, programs of our own (ripgrep, the worker), or both. */
  readonly who?: "programs" | "all";
}

export const PASSED: readonly Row[] = [
  { names: ["PATH"], reason: "where programs are", who: "all" },
  { names: ["LANG", "LANGUAGE", "LC_*"], reason: "language and encoding of what is printed", who: "all" },
  { names: ["TZ"], reason: "the time of the person's place", who: "all" },
  { names: ["HOME"], reason: "where programs keep their configuration: git, npm, ssh" },
  { names: ["USER", "LOGNAME"], reason: "who the person is" },
  { names: ["SHELL"], reason: "programs that start a shell take the person's" },
  { names: ["TERM", "COLORTERM"], reason: "programs that draw refuse to start without a terminal's name" },
  { names: ["XDG_*"], reason: "where configuration, data and runtime files lie" },
  { names: ["CARGO_HOME", "RUSTUP_HOME"], reason: "the toolchain of Rust" },
  { names: ["GOPATH", "GOROOT", "GOCACHE"], reason: "the toolchain of Go" },
  { names: ["JAVA_HOME"], reason: "the toolchain of Java" },
  { names: ["NVM_DIR", "VOLTA_HOME", "PNPM_HOME"], reason: "the toolchains of Node" },
  { names: ["PYENV_ROOT", "VIRTUAL_ENV", "CONDA_PREFIX"], reason: "the toolchains of Python" },
  { names: ["DOTNET_ROOT"], reason: "the toolchain of .NET" },
  { names: ["ANDROID_HOME"], reason: "the toolchain of Android" },
  { names: ["HOMEBREW_PREFIX"], reason: "where Homebrew has its programs" },
  {
    names: ["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"],
    reason: "which certificates the machine trusts",
  },
  {
    names: ["TMPDIR", "TEMP", "TMP"],
    reason: "temporary files; a command has its own scratch folder",
    who: "programs",
  },
];

/** Without these a program does not start on Windows, or does not find its own folders. */
export const PASSED_ON_WINDOWS: readonly Row[] = [
  { names: ["SystemRoot", "windir", "SystemDrive"], reason: "where the system's libraries are", who: "all" },
  { names: ["ComSpec", "PATHEXT"], reason: "how the system starts scripts and finds programs", who: "all" },
  { names: ["USERPROFILE", "HOMEDRIVE", "HOMEPATH", "USERNAME"], reason: "the person and their folder" },
  { names: ["APPDATA", "LOCALAPPDATA", "ProgramData"], reason: "where programs keep their configuration" },
  {
    names: ["ProgramFiles", "ProgramFiles(x86)", "ProgramW6432", "CommonProgramFiles"],
    reason: "where programs are installed",
  },
  {
    names: ["PROCESSOR_ARCHITECTURE", "NUMBER_OF_PROCESSORS", "OS"],
    reason: "what build tools ask of the machine",
  },
];
