/**
 * Owns what a confined command sees of the person's own folder: a list of what is shown, never of what is not.
 * Leaves laying it there to bubblewrap-arguments.ts. Rule: toolchains and what they have installed, read-only; no
 * file in which a program keeps a credential. What lies there under a name that is not listed does not exist.
 */
import { lstatSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import type { Laid } from "./bubblewrap-arguments.ts";
import { isBelow } from "./path-order.ts";

/** Below HOME. */
const TOOLCHAINS = [
  "bin",
  ".local/bin .local/lib .local/pipx .local/opt",
  ".local/share/pnpm .local/share/uv .local/share/pipx .local/share/mise .local/share/fnm .local/share/virtualenvs",
  ".nvm .fnm .asdf .volta/bin .volta/tools .npm-global .yarn/bin .yarn/releases .bun/bin .bun/install .deno/bin",
  ".pyenv .rbenv .rvm .jenv .goenv .phpenv .nodenv .sdkman .conda/envs .conda/pkgs .virtualenvs",
  "miniconda3 anaconda3 miniforge3 mambaforge",
  ".rustup .cargo/bin .cargo/registry .cargo/git .cargo/env",
  "go sdk .dotnet/sdk .dotnet/shared .dotnet/host .dotnet/dotnet .dotnet/tools .nuget/packages",
  ".m2/repository .m2/wrapper .gradle/wrapper .gradle/caches Android/Sdk flutter .pub-cache/bin .pub-cache/hosted",
  ".ghcup/bin .ghcup/ghc .cabal/bin .stack/programs .opam .elan .juliaup .gem/ruby .composer/vendor",
  ".nix-profile .nix-defexpr .local/state/nix .linuxbrew .cache/ms-playwright .cache/puppeteer",
].flatMap((line) => line.split(" "));

/** Where they are installed in a folder that looks like a person's, and what the system keeps beside its sockets. */
const ELSEWHERE = [
  "/home/linuxbrew/.linuxbrew",
  "/run/current-system",
  "/run/opengl-driver",
  // A link to the file of the resolver, on most systems.
  "/etc/resolv.conf",
];

/** Shown only where nothing in them looks like a credential. */
const SETTINGS = [".gitconfig", ".config/git/config", ".cargo/config.toml", ".config/pip/pip.conf"];
const PLAIN_SETTINGS = [".config/git/ignore", ".config/git/attributes", ".gitignore", ".gitignore_global"];

const LOOKS_SECRET = /token|passw(?:or)?d|secret|extraheader|authorization|api[-_]?key|:\/\/[^\s/@"']+@/i;

/** Variables that lead to a toolchain, and what of it is shown: all, or these below it. */
const VARIABLES: Readonly<Record<string, readonly string[]>> = {
  CARGO_HOME: ["bin", "registry", "git", "env"],
  RUSTUP_HOME: ["."],
  GOPATH: ["."],
  GOROOT: ["."],
  JAVA_HOME: ["."],
  NVM_DIR: ["."],
  VOLTA_HOME: ["bin", "tools"],
  PNPM_HOME: ["."],
  PYENV_ROOT: ["."],
  VIRTUAL_ENV: ["."],
  CONDA_PREFIX: ["."],
  DOTNET_ROOT: ["."],
  ANDROID_HOME: ["."],
  HOMEBREW_PREFIX: ["."],
};

/** Beside a folder of programs: what they need. */
const LIBRARIES = ["bin", "sbin", "lib", "lib64", "libexec"];
const BESIDE_PROGRAMS = [...LIBRARIES, "share", "include"];

/** Where the person keeps what is theirs: the root of a workspace may lie above, its folders are closed then. */
export const SECRETS = [
  ".ssh .gnupg .aws .azure .config/gcloud .config/gh .config/hub .config/op .kube .docker .netrc .npmrc .yarnrc.yml",
  ".pypirc .git-credentials .config/git/credentials .pgpass .my.cnf .vault-token .terraform.d .terraformrc",
  ".cargo/credentials .cargo/credentials.toml .gem/credentials .m2/settings.xml .gradle/gradle.properties",
  ".password-store .local/share/keyrings .mozilla .config/google-chrome .config/chromium .thunderbird",
  ".bash_history .zsh_history .python_history .node_repl_history .config/haft .local/state/haft",
].flatMap((line) => line.split(" "));

export interface HomeRequest {
  /** Real path. */
  readonly home: string;
  /** The folders that are covered, `home` among them or above it. */
  readonly covered: readonly string[];
  /** What commands see. */
  readonly environment: Readonly<Record<string, string>>;
  /** Real paths of programs that must be there. */
  readonly programs: readonly string[];
  /** What else must be there. */
  readonly folders?: readonly string[];
}

/** What is shown in what is covered, sorted, links beside what they lead to. */
export function listVisible({
  home,
  covered,
  environment,
  programs,
  folders: others = [],
}: HomeRequest): Laid[] {
  const folders = (environment.PATH ?? "").split(":").filter((folder) => isAbsolute(folder));
  const named = Object.entries(VARIABLES).flatMap(([name, below]) =>
    (environment[name]?.split(":") ?? []).flatMap((base) => below.map((one) => join(base, one))),
  );
  const wanted = [
    ...TOOLCHAINS.map((name) => join(home, name)),
    ...SETTINGS.map((name) => join(home, name)).filter(isPlain),
    ...PLAIN_SETTINGS.map((name) => join(home, name)),
    ...ELSEWHERE,
    ...named,
    ...others,
    ...[...folders, ...programs.map(dirname)].flatMap((folder) => listBeside(home, folder)),
  ];
  const laid = new Map<string, Laid>();
  for (const path of wanted) {
    for (const one of followLink(path)) {
      const isHidden = covered.some((folder) => folder !== one.path && isBelow(folder, one.path));
      const isShown = isHidden && !isBelow(one.path, home) && !isSecret(home, one.path);
      if (isShown) laid.set(one.path, one);
    }
  }
  const all = [...laid.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
  // What lies in a folder that is shown is shown with it.
  return all.filter((one) => !all.some((other) => isFolderAbove(other, one)));
}

function isFolderAbove(other: Laid, { path }: Laid): boolean {
  return other.link === undefined && other.path !== path && isBelow(other.path, path);
}

/** `~/opt/node/bin` needs `~/opt/node/lib`. What lies below a hidden folder may be anything: of it, libraries alone. */
function listBeside(home: string, folder: string): string[] {
  const parent = dirname(folder);
  if (basename(folder) !== "bin" || isBelow(parent, home)) return [folder];
  const isHidden = dirname(parent) === home && basename(parent).startsWith(".");
  return (isHidden ? LIBRARIES : BESIDE_PROGRAMS).map((name) => join(parent, name));
}

/** Whether it is, or holds, or lies in a place of secrets. */
function isSecret(home: string, path: string): boolean {
  return SECRETS.some((name) => isBelow(join(home, name), path) || isBelow(path, join(home, name)));
}

function isPlain(path: string): boolean {
  try {
    return !LOOKS_SECRET.test(readFileSync(path, "utf8"));
  } catch {
    return false;
  }
}

/** The real file or folder, and the link where the path is one; nothing where there is nothing. */
function followLink(path: string): Laid[] {
  try {
    const real = { path: realpathSync(path) };
    return lstatSync(path).isSymbolicLink() ? [{ path, link: readlinkSync(path) }, real] : [real];
  } catch {
    return [];
  }
}
