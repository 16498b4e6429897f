/**
 * Owns the one list of evil paths, each with the fixture that makes it dangerous and the naive tool that it fools.
 * Leaves running them to hostile-paths.test.ts. Rule: a path stands here only with a proof that it does harm unguarded.
 */
import { existsSync, mkdirSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { RefusalCode } from "../../src/contract/refusal.ts";
import { SECRET, WITNESS } from "./operations.ts";

/**
 * What must happen.
 * `outside`: every operation is refused. `changes`: reading may succeed, every change is refused.
 * `literal`: the path is an ordinary odd name inside the root; whatever happens, it happens there.
 */
export type Verdict = "outside" | "changes" | "literal";

export interface HostilePath {
  readonly name: string;
  readonly verdict: Verdict;
  /** Bash, run in the root after the common fixture. */
  readonly fixture?: string;
  /** The hostile path of the victim file, and of the directory that holds it (absent: the row has none). */
  readonly file?: (root: string) => string;
  readonly directory?: (root: string) => string;
  /** What a naive tool makes of the path; default: resolve it, then follow links. */
  readonly naively?: (root: string, path: string) => string;
  /** Codes that a refusal may carry, besides those of the verdict. */
  readonly codes?: readonly RefusalCode[];
  /** Operations that the row is not about, with the reason. */
  readonly without?: { readonly operations: readonly string[]; readonly because: string };
  /** Operations that act on a link itself and so may succeed: they do no harm, which is still compared. */
  readonly linkItself?: true;
}

/** `<base>/outside` holds the victim, `<base>/root` is mounted. Protected victims are made by the rows. */
export const COMMON_FIXTURE = `
mkdir -p ../outside/sub a/b
printf '${SECRET}\\n' > ../outside/victim.txt
printf 'x\\n' > ../outside/${WITNESS}
printf '${SECRET}\\n' > ../outside/sub/deep.txt
printf 'x\\n' > ../outside/sub/${WITNESS}
printf 'mine\\n' > mine.txt
printf 'inside\\n' > a/b/inside.txt
`;

const followNaively = (root: string, path: string): string => {
  const target = resolve(root, path);
  if (existsSync(target)) return realpathSync(target);
  try {
    return resolve(dirname(target), readlinkSync(target));
  } catch {
    const parent = dirname(target);
    return existsSync(parent) ? join(realpathSync(parent), target.slice(parent.length)) : target;
  }
};

export const reachNaively = (row: HostilePath, root: string, path: string): string =>
  (row.naively ?? followNaively)(root, path);

const outside = (root: string, ...parts: string[]): string => join(dirname(root), "outside", ...parts);
const always = (path: string) => () => path;

/** `..` and absolute paths in many spellings. */
const SPELLINGS: readonly HostilePath[] = [
  { name: "..", verdict: "outside", directory: always("..") },
  { name: "../", verdict: "outside", directory: always("../") },
  { name: "../.", verdict: "outside", directory: always("../.") },
  {
    name: "../x",
    verdict: "outside",
    file: always("../outside/victim.txt"),
    directory: always("../outside"),
  },
  {
    name: "a deep ..",
    verdict: "outside",
    file: always("a/b/../../../outside/victim.txt"),
    directory: always("a/b/../../../outside"),
  },
  {
    name: ".. through a directory that does not exist",
    verdict: "outside",
    file: always("none/such/../../../outside/victim.txt"),
    directory: always("none/../../outside"),
  },
  {
    name: ".. through a file",
    verdict: "outside",
    file: always("mine.txt/../../outside/victim.txt"),
    directory: always("mine.txt/../../outside"),
    codes: ["path-not-directory"],
  },
  {
    name: "more .. than there are directories",
    verdict: "outside",
    file: (root) => `${"../".repeat(64)}${outside(root, "victim.txt").slice(1)}`,
    directory: (root) => `${"../".repeat(64)}${outside(root).slice(1)}`,
  },
  {
    name: "./ before ..",
    verdict: "outside",
    file: always("././../outside/victim.txt"),
    directory: always("./../outside/"),
  },
  {
    name: "doubled and trailing slashes",
    verdict: "outside",
    file: always("..//outside///victim.txt"),
    directory: always("..//outside///"),
  },
  {
    name: "trailing dots as parts",
    verdict: "outside",
    file: always("../outside/./victim.txt"),
    directory: always("../outside/./."),
  },
  {
    name: "an absolute path outside",
    verdict: "outside",
    file: (root) => outside(root, "victim.txt"),
    directory: (root) => outside(root),
  },
  {
    name: "an absolute path outside with doubled slashes",
    verdict: "outside",
    file: (root) => `/${outside(root, "victim.txt")}`,
    directory: (root) => `/${outside(root)}//`,
  },
  {
    name: "an absolute path through the root and out again",
    verdict: "outside",
    file: (root) => `${root}/../outside/victim.txt`,
    directory: (root) => `${root}/a/../../outside`,
  },
  {
    name: "an absolute path through /proc/self/root",
    verdict: "outside",
    file: (root) => `/proc/self/root${outside(root, "victim.txt")}`,
    directory: (root) => `/proc/self/root${outside(root)}`,
  },
  {
    name: "the root's own path through /proc/self/root and out again",
    verdict: "outside",
    file: (root) => `/proc/self/root${root}/../outside/victim.txt`,
    directory: (root) => `/proc/self/root${root}/../outside`,
  },
  {
    name: "a sibling with the root's name as a prefix, relative",
    verdict: "outside",
    fixture: "cp -r ../outside ../root-other",
    file: always("../root-other/victim.txt"),
    directory: always("../root-other"),
  },
  {
    name: "a sibling with the root's name as a prefix, absolute",
    verdict: "outside",
    fixture: "cp -r ../outside ../root-other",
    file: (root) => `${root}-other/victim.txt`,
    directory: (root) => `${root}-other`,
  },
  {
    name: "a very long path that leads out",
    verdict: "outside",
    file: always(`${"./".repeat(3000)}../outside/victim.txt`),
    directory: always(`${"a/../".repeat(2000)}../outside`),
    codes: ["path-invalid"],
  },
  {
    name: "a very long name on the way out",
    verdict: "outside",
    file: always(`${"n".repeat(300)}/../../outside/victim.txt`),
    directory: always(`${"n".repeat(5000)}/../../outside`),
    codes: ["path-invalid"],
  },
  {
    name: "a NUL byte that cuts the path for the system",
    verdict: "outside",
    file: always("../outside/victim.txt\0/../../root/mine.txt"),
    directory: always("../outside\0/a"),
    naively: (root, path) => resolve(root, path.slice(0, path.indexOf("\0"))),
    codes: ["path-invalid", "input-invalid"],
  },
];

/** Links that lead out, wherever they stand. */
const LINKS: readonly HostilePath[] = [
  {
    name: "a link to outside in the middle",
    verdict: "outside",
    fixture: "ln -s ../outside esc",
    file: always("esc/victim.txt"),
    directory: always("esc/sub"),
  },
  {
    name: "an absolute link to outside in the middle",
    verdict: "outside",
    fixture: 'ln -s "$PWD/../outside" a/esc',
    file: always("a/esc/victim.txt"),
    directory: always("a/esc/sub"),
  },
  {
    // Read by its words alone this is a free name in the root, by its links it is the victim: both are allowed to
    // the tool, reaching the victim is not.
    name: "a link to outside with .. after it",
    verdict: "literal",
    fixture: "ln -s ../outside/sub esc",
    file: always("esc/../victim.txt"),
    directory: always("esc/.."),
    naively: (root, path) => realpathSync.native(`${root}/${path}`),
  },
  {
    name: "a link to outside at the end",
    verdict: "outside",
    fixture: "ln -s ../outside/victim.txt leak; ln -s ../outside out",
    file: always("leak"),
    directory: always("out"),
    linkItself: true,
  },
  {
    name: "a link to outside at the end, with a trailing slash",
    verdict: "outside",
    fixture: "ln -s ../outside out",
    directory: always("out/"),
    linkItself: true,
  },
  {
    name: "a link to outside at the end, with a trailing dot",
    verdict: "outside",
    fixture: "ln -s ../outside out",
    directory: always("out/."),
    linkItself: true,
  },
  {
    name: "a chain of links that ends outside",
    verdict: "outside",
    fixture: "ln -s ../outside one; ln -s one two; ln -s ../two a/three; ln -s a/three/victim.txt four",
    file: always("a/three/victim.txt"),
    directory: always("a/three/sub"),
  },
  {
    name: "a link to the root's parent",
    verdict: "outside",
    fixture: "ln -s .. up",
    file: always("up/outside/victim.txt"),
    directory: always("up/outside"),
  },
  {
    name: "a link to /",
    verdict: "outside",
    fixture: "ln -s / slash",
    file: (root) => `slash${outside(root, "victim.txt")}`,
    directory: (root) => `slash${outside(root)}`,
  },
  {
    name: "a link that goes out and comes back to the root's parent",
    verdict: "outside",
    fixture: "ln -s ../root/../outside round",
    file: always("round/victim.txt"),
    directory: always("round/sub"),
  },
  {
    name: "a dangling link to outside",
    verdict: "outside",
    fixture: "ln -s ../outside/new.txt dangling",
    file: always("dangling"),
    linkItself: true,
    codes: ["path-exists"],
    without: {
      operations: ["read", "read with grep", "edit", "delete", "move from"],
      because: "there is nothing outside to read or to lose yet",
    },
  },
  {
    name: "a dangling link to outside in the middle",
    verdict: "outside",
    fixture: "ln -s ../outside/later gone",
    file: always("gone/new.txt"),
    // A tool that resolves links by hand and makes parents.
    naively: (root) => {
      mkdirSync(outside(root, "later"));
      return outside(root, "later/new.txt");
    },
    without: {
      operations: ["read", "read with grep", "edit", "delete", "move from"],
      because: "there is nothing outside to read or to lose yet",
    },
  },
];

/** Git, haft and the project's configuration: readable, never changed by a tool. */
const gitRow = (name: string, victim: string, path: (root: string) => string, fixture = ""): HostilePath => ({
  name,
  verdict: "changes",
  fixture: `mkdir -p "$(dirname '${victim}')"; printf '${SECRET}\\n' > '${victim}'; ${fixture}`,
  file: path,
});

/** A whole tree that is, or holds, something protected. */
const treeRow = (name: string, victim: string, directory: (root: string) => string): HostilePath => ({
  name,
  verdict: "changes",
  codes: ["move-into-itself"],
  fixture: `mkdir -p '${victim}'; printf '${SECRET}\\n' > '${victim}/f'; printf 'x\\n' > '${victim}/${WITNESS}'`,
  directory,
  without: { operations: ["glob", "grep"], because: "a walk above a .git leaves it out, guarded or not" },
});

const PROTECTED: readonly HostilePath[] = [
  treeRow("the .git directory", ".git", always(".git")),
  treeRow("the .git directory with a trailing slash", ".git", always(".git/")),
  treeRow("the .git directory with a trailing dot", ".git", always("./.git/.")),
  treeRow("the .GIT directory", "a/.GIT", always("a/.GIT")),
  treeRow("a directory in .git", ".git/hooks", always(".git/hooks")),
  treeRow("a tree that contains a .git", "a/b/.git", always("a/b")),
  treeRow("a tree that contains a .git deep down", "t/u/v/.Git", always("t")),
  treeRow("the .haft directory", ".haft", always(".haft")),
  treeRow("another agent's whole scratch", ".haft/scratch/other", always(".haft/scratch/other")),
  treeRow("the scratch of all agents", ".haft/scratch", always(".haft/scratch")),
  treeRow("the root itself as .", "t", always(".")),
  treeRow("the root itself as a/..", "t", always("a/..")),
  treeRow("the root itself absolutely", "t", (root) => root),
  gitRow(".git/config", ".git/config", always(".git/config")),
  gitRow(".git/config spelled absolutely", ".git/config", (root) => join(root, ".git/config")),
  gitRow(
    ".git/config spelled with dots and slashes",
    ".git/config",
    always("./a/..//.git/./hooks/../config"),
  ),
  gitRow(".GIT/config", ".GIT/config", always(".GIT/config")),
  gitRow(".Git/hooks/pre-commit", ".Git/hooks/pre-commit", always(".Git/hooks/pre-commit")),
  gitRow(".gIT of a nested repository", "a/b/.gIT/config", always("a/b/.gIT/config")),
  gitRow("sub/.git/hooks/x", "sub/.git/hooks/x", always("sub/.git/hooks/x")),
  gitRow("a .git file of a worktree", "wt/.git", always("wt/.git")),
  gitRow("a .GIT file of a worktree", "wt/.GIT", always("wt/.GIT")),
  gitRow("a bare name .git as a file in the root", ".git", always(".git")),
  gitRow("a link to .git", "m/.git/config", always("g/config"), "ln -s m/.git g"),
  gitRow("a link into .git", "m/.git/hooks/x", always("h/x"), "ln -s m/.git/hooks h"),
  gitRow("a link through a link to .git", "m/.git/config", always("n/.git/config"), "ln -s m k; ln -s k n"),
  gitRow(".haft/ledger.db", ".haft/ledger.db", always(".haft/ledger.db")),
  gitRow("another agent's scratch", ".haft/scratch/other/f", always(".haft/scratch/other/f")),
  gitRow(".haft out of the own scratch", ".haft/ledger.db", always(".haft/scratch/main/../../ledger.db")),
  gitRow("a link to .haft", ".haft/ledger.db", always("h/ledger.db"), "ln -s .haft h"),
  gitRow("haft.config.json", "haft.config.json", always("haft.config.json")),
  gitRow("haft.config.json spelled with dots", "haft.config.json", always("a/../haft.config.json")),
  gitRow("haft.config.json spelled absolutely", "haft.config.json", (root) => join(root, "haft.config.json")),
  gitRow(
    "a link in a linked directory to haft.config.json",
    "haft.config.json",
    always("d/haft.config.json"),
    "ln -s . d",
  ),
];

/** Names that some decoder, shell or normaliser would turn into a way out. They are names, and nothing more. */
const LITERAL: readonly HostilePath[] = [
  {
    name: "~ for the home directory",
    verdict: "literal",
    file: always("~/victim.txt"),
    directory: always("~"),
    naively: (root, path) => path.replace("~", outside(root)),
  },
  {
    name: "the HOME variable",
    verdict: "literal",
    file: always("$HOME/victim.txt"),
    directory: always("$" + "{HOME}"),
    naively: (root, path) => path.replace(/\$\{?HOME\}?/, outside(root)),
  },
  {
    name: "backslashes for slashes",
    verdict: "literal",
    file: always("..\\outside\\victim.txt"),
    directory: always("..\\outside"),
    naively: (root, path) => resolve(root, path.replaceAll("\\", "/")),
  },
  {
    name: "%2e%2e for ..",
    verdict: "literal",
    file: always("%2e%2e/outside/victim.txt"),
    directory: always("%2e%2e%2foutside"),
    naively: (root, path) => resolve(root, decodeURIComponent(path)),
  },
  {
    name: "%252e twice encoded",
    verdict: "literal",
    file: always("%252e%252e/outside/victim.txt"),
    directory: always("%252e%252e/outside"),
    naively: (root, path) => resolve(root, decodeURIComponent(decodeURIComponent(path))),
  },
  {
    name: "a file: URL",
    verdict: "literal",
    file: (root) => `file://${outside(root, "victim.txt")}`,
    directory: (root) => `file://${outside(root)}`,
    naively: (_root, path) => path.slice("file://".length),
  },
  {
    name: "fullwidth dots and slashes",
    verdict: "literal",
    file: always("\uFF0E\uFF0E/outside/victim.txt"),
    directory: always("\uFF0E\uFF0E\uFF0Foutside"),
    naively: (root, path) => resolve(root, path.normalize("NFKC")),
  },
  {
    name: "a two dot leader",
    verdict: "literal",
    file: always("\u2025/outside/victim.txt"),
    directory: always("\u2025/outside"),
    naively: (root, path) => resolve(root, path.normalize("NFKC")),
  },
  {
    name: "dots with a zero width space, which looks like ..",
    verdict: "literal",
    file: always(".\u200B./outside/victim.txt"),
    directory: always(".\u200B./outside"),
    naively: (root, path) => resolve(root, path.replaceAll("\u200B", "")),
  },
  {
    name: ".. with blanks around",
    verdict: "literal",
    file: always(" ../outside/victim.txt"),
    directory: always(".. /outside"),
    naively: (root, path) =>
      resolve(
        root,
        path
          .split("/")
          .map((part) => part.trim())
          .join("/"),
      ),
  },
  {
    name: ".. with kinds of blanks around",
    verdict: "literal",
    file: always("\u00A0../outside/victim.txt"),
    directory: always("..\u202F/outside"),
    naively: (root, path) =>
      resolve(
        root,
        path
          .split("/")
          .map((part) => part.trim())
          .join("/"),
      ),
  },
  {
    name: "three dots",
    verdict: "literal",
    file: always(".../outside/victim.txt"),
    directory: always(".../outside"),
    naively: (root, path) => resolve(root, path.replace("...", "..")),
  },
  {
    name: "a carriage return or newline after ..",
    verdict: "literal",
    file: always("..\r/outside/victim.txt"),
    directory: always("..\n/outside"),
    naively: (root, path) => resolve(root, path.replace(/[\r\n]/g, "")),
  },
  {
    name: "quotes around the path",
    verdict: "literal",
    file: always('"../outside/victim.txt"'),
    directory: always("'../outside'"),
    naively: (root, path) => resolve(root, path.replaceAll(/["']/g, "")),
    codes: ["path-outside-root"],
  },
];

export const HOSTILE_PATHS: readonly HostilePath[] = [...SPELLINGS, ...LINKS, ...PROTECTED, ...LITERAL];
