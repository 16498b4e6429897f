/**
 * Owns the ways in which a command tries to reach files that its fence keeps from it, as data.
 * Leaves other ways to escapes.ts, running them to escapes.test.ts. Rule: each row ends well (`ESCAPED` is printed, and the host sees the effect
 * where there is one to see) unconfined, and does not confined.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Outside } from "./confine-fixture.ts";

export interface Escape {
  readonly about: string;
  /** Prints ESCAPED where it succeeded. */
  readonly command: string;
  /** What the host sees of it. */
  readonly effect?: (outside: Outside) => boolean;
  /** Fenced only where the network is taken away too. */
  readonly needsRequire?: true;
  /** Succeeds unconfined for the system's root alone. */
  readonly needsRoot?: true;
  /** A program that the row is made with. */
  readonly needs?: string;
}

const text = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : "");
export const inOutside = (name: string) => (outside: Outside) =>
  existsSync(join(outside.variables.O ?? "", name));
const inRoot = (name: string) => (outside: Outside) => existsSync(join(outside.root, name));
const changedConfig = (outside: Outside) => text(join(outside.root, ".git/config")).includes("evil");

const SECRET_READ = (path: string) => `grep -q k3y ${path} && echo ESCAPED`;
export const FILE_ESCAPES: readonly Escape[] = [
  // Writing outside.
  { about: "makes a file outside", command: 'echo x >"$O/new" && echo ESCAPED', effect: inOutside("new") },
  {
    about: "appends to a file outside",
    command: 'echo evil >>"$O/secret" && echo ESCAPED',
    effect: ({ variables }) => text(join(variables.O ?? "", "secret")).includes("evil"),
  },
  {
    about: "truncates a file outside",
    command: ': >"$O/secret" && echo ESCAPED',
    effect: ({ variables }) => text(join(variables.O ?? "", "secret")) === "",
  },
  { about: "makes a folder outside", command: 'mkdir "$O/made" && echo ESCAPED', effect: inOutside("made") },
  {
    about: "removes a file outside",
    command: 'rm "$O/secret" && echo ESCAPED',
    effect: (outside) => !inOutside("secret")(outside),
  },
  {
    about: "renames outside",
    command: 'mv "$O/secret" "$O/moved" && echo ESCAPED',
    effect: inOutside("moved"),
  },
  { about: "changes a mode outside", command: 'chmod 777 "$O/folder" && echo ESCAPED' },
  { about: "changes times outside", command: 'touch -d 2001-01-01 "$O/secret" && echo ESCAPED' },
  {
    about: "links a file outside into the root and writes there",
    command: 'ln "$O/secret" hard && echo evil >>hard && echo ESCAPED',
  },
  {
    about: "writes through a link",
    command: 'ln -s "$O/through" link && echo x >link && echo ESCAPED',
    effect: inOutside("through"),
  },
  {
    about: "writes through a linked folder",
    command: 'ln -s "$O" folder && echo x >folder/by-folder && echo ESCAPED',
    effect: inOutside("by-folder"),
  },
  {
    about: "writes by ..",
    command: 'p=$(realpath --relative-to=. "$O"); echo x >"$p/dots" && echo ESCAPED',
    effect: inOutside("dots"),
  },
  {
    about: "writes by /proc/self/root",
    command: 'echo x >"/proc/self/root$O/proc" && echo ESCAPED',
    effect: inOutside("proc"),
  },
  {
    about: "writes by a descriptor of a folder",
    command: 'exec 5<"$O"; echo x >/proc/self/fd/5/by-fd && echo ESCAPED',
    effect: inOutside("by-fd"),
  },
  {
    about: "writes to the folder above the root",
    command: 'echo x >"$T/above"',
    effect: ({ variables }) => existsSync(join(variables.T ?? "", "above")),
  },
  { about: "moves the root away", command: 'mv "$R" "$R-moved" && mv "$R-moved" "$R" && echo ESCAPED' },
  {
    about: "writes to the person's folder",
    command: "echo evil >>~/.bashrc && echo ESCAPED",
    effect: ({ variables }) => text(join(variables.HOME ?? "", ".bashrc")).includes("evil"),
  },
  // Reading what is the person's.
  { about: "reads an ssh key", command: SECRET_READ("~/.ssh/id_rsa") },
  { about: "reads cloud credentials", command: SECRET_READ("~/.aws/credentials") },
  { about: "reads a registry's token", command: SECRET_READ("~/.npmrc") },
  { about: "reads git's credentials", command: SECRET_READ("~/.git-credentials") },
  { about: "reads .netrc", command: SECRET_READ("~/.netrc") },
  { about: "reads a token below .config", command: SECRET_READ("~/.config/gh/hosts.yml") },
  { about: "reads credentials beside a toolchain", command: SECRET_READ("~/.cargo/credentials.toml") },
  { about: "reads a file of the person's that nobody named", command: SECRET_READ("~/notes.txt") },
  { about: "reads a key through a link", command: `ln -s ~/.ssh keys && ${SECRET_READ("keys/id_rsa")}` },
  { about: "reads another program's temporary files", command: SECRET_READ('"$T/secret"') },
  { about: "reads shared memory", command: SECRET_READ('"$SHM/secret"') },
  {
    about: "reads the system's passwords",
    command: "head -c1 /etc/shadow | grep -q . && echo ESCAPED",
    needsRoot: true,
  },
  // git's executing parts.
  {
    about: "writes git's configuration",
    command: "echo '[evil]' >>.git/config && echo ESCAPED",
    effect: changedConfig,
  },
  { about: "configures git by git", command: "git config evil.x 1 && echo ESCAPED", effect: changedConfig },
  {
    about: "replaces git's configuration by a rename",
    command: "cp .git/config c && echo '[evil]' >>c && mv -f c .git/config && echo ESCAPED",
    effect: changedConfig,
  },
  {
    about: "plants a hook",
    command: "echo evil >.git/hooks/post-commit && echo ESCAPED",
    effect: inRoot(".git/hooks/post-commit"),
  },
  {
    about: "exchanges the folder of hooks",
    command: "mv .git/hooks .git/old && mkdir .git/hooks && echo evil >.git/hooks/pre-commit && echo ESCAPED",
    effect: inRoot(".git/hooks/pre-commit"),
  },
  {
    about: "exchanges .git as a whole",
    command: "mv .git g && cp -r g .git && echo '[evil]' >>.git/config && echo ESCAPED",
    effect: changedConfig,
  },
  {
    about: "makes a configuration of the worktree that was not there",
    command: "echo '[evil]' >.git/config.worktree",
    effect: inRoot(".git/config.worktree"),
  },
  {
    about: "makes attributes that were not there",
    command: "echo '* filter=evil' >.git/info/attributes",
    effect: inRoot(".git/info/attributes"),
  },
  {
    about: "leads git to another directory",
    command: 'echo "$O" >.git/commondir',
    effect: inRoot(".git/commondir"),
  },
  {
    about: "plants a hook in a repository further down",
    command: "echo evil >sub/inner/.git/hooks/post-commit && echo ESCAPED",
    effect: inRoot("sub/inner/.git/hooks/post-commit"),
  },
  {
    about: "configures a submodule",
    command: "echo '[evil]' >>.git/modules/mod/config && echo ESCAPED",
    effect: ({ root }) => text(join(root, ".git/modules/mod/config")).includes("evil"),
  },
  {
    about: "leads a worktree to another repository",
    command: 'echo "gitdir: $O" >wt/.git && echo ESCAPED',
    effect: ({ root, variables }) => text(join(root, "wt/.git")).includes(variables.O ?? "?"),
  },
  {
    about: "makes a hook in the background, after its call has answered",
    command: "rm -rf .git/hooks; (sleep 0.3; echo '[evil]' >.git/config.worktree; sleep 0.2) & sleep 1",
    effect: inRoot(".git/config.worktree"),
  },
  // haft's own.
  { about: "writes to haft's state", command: "echo x >.haft/x && echo ESCAPED", effect: inRoot(".haft/x") },
  { about: "moves haft's state away", command: "mv .haft h && mv h .haft && echo ESCAPED" },
  {
    about: "makes a configuration of the project",
    command: "echo '{}' >haft.config.json",
    effect: inRoot("haft.config.json"),
  },
];
