/**
 * Owns the ways in which a command tries to leave its fence, as data.
 * Leaves running them to escapes.test.ts. Rule: each row ends well (`ESCAPED` is printed, and the host sees the effect
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
const inOutside = (name: string) => (outside: Outside) => existsSync(join(outside.variables.O ?? "", name));
const inRoot = (name: string) => (outside: Outside) => existsSync(join(outside.root, name));
const changedConfig = (outside: Outside) => text(join(outside.root, ".git/config")).includes("evil");

const SECRET_READ = (path: string) => `grep -q k3y ${path} && echo ESCAPED`;
const CONNECT = (where: string) =>
  `"$NODE" -e 'require("net").connect(${where}).on("data", () => { console.log("ESCAPED"); process.exit(0); }).on("error", (e) => { console.error(e.code); process.exit(1); })'`;

export const ESCAPES: readonly Escape[] = [
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
    command: 'rm -f "$O/secret" && echo ESCAPED',
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
  // Sockets and the network.
  { about: "reaches a socket in a temporary folder", command: CONNECT("process.env.TMP_SOCKET") },
  { about: "reaches a socket in a folder that it can see", command: CONNECT("process.env.SHOWN_SOCKET") },
  {
    about: "reaches an abstract socket",
    command: CONNECT('"\\0" + process.env.ABSTRACT'),
    needsRequire: true,
  },
  {
    about: "reaches the network by address",
    command: "exec 3<>/dev/tcp/127.0.0.1/$PORT && grep -q reached <&3 && echo ESCAPED",
    needsRequire: true,
  },
  {
    about: "reaches the network by name",
    command: "exec 3<>/dev/tcp/localhost/$PORT && grep -q reached <&3 && echo ESCAPED",
    needsRequire: true,
  },
  {
    about: "reaches the network by another program",
    command: CONNECT("Number(process.env.PORT), '127.0.0.1'".replaceAll("'", '"')),
    needsRequire: true,
  },
  {
    about: "sees the host's devices of the network",
    command:
      "ls /sys/class/net | grep -qv '^lo$' && ip -o link 2>/dev/null | grep -qv ': lo:' && echo ESCAPED",
    needsRequire: true,
    needs: "ip",
  },
  // Other processes.
  {
    about: "kills a process of the host",
    command: "kill -9 $VICTIM && sleep 0.2 && echo ESCAPED",
    effect: (outside) => !outside.victimRuns(),
  },
  {
    about: "sees a process of the host",
    command: "test -d /proc/$VICTIM && grep -q sleep /proc/$VICTIM/cmdline && echo ESCAPED",
  },
  { about: "reads a process's environment", command: "grep -q k3y /proc/$VICTIM/environ && echo ESCAPED" },
  {
    about: "finds a secret in any environment",
    command: "cat /proc/[0-9]*/environ 2>/dev/null | grep -aq OF_THE_HOST && echo ESCAPED",
  },
  {
    about: "reaches the tree by a process's root",
    command: 'grep -q k3y "/proc/$VICTIM/root$T/secret" && echo ESCAPED',
  },
  {
    about: "writes by a process's folder",
    command: "echo x >/proc/$VICTIM/cwd/by-cwd && echo ESCAPED",
    effect: inOutside("by-cwd"),
  },
  {
    about: "attaches to a process",
    command:
      'python3 -c \'import ctypes,os; l=ctypes.CDLL(None); p=int(os.environ["VICTIM"]); r=l.ptrace(16,p,0,0); r==0 and (os.waitpid(p,0x40000000), l.ptrace(17,p,0,0), print("ESCAPED"))\'',
    needs: "python3",
  },
  {
    about: "enters a process's namespaces",
    command: 'nsenter -t $VICTIM -m test -e "$T/secret" && echo ESCAPED',
    needsRoot: true,
    needs: "nsenter",
  },
  {
    about: "sees shared memory between processes",
    command: "ipcs -m | grep -q 0x && echo ESCAPED",
    needs: "ipcmk",
  },
  // Powers.
  {
    about: "mounts a folder of the host over one of its own",
    command:
      'mkdir mnt && mount --bind "$O" mnt && echo x >mnt/mounted; r=$?; umount mnt; [ $r = 0 ] && echo ESCAPED',
    effect: inOutside("mounted"),
    needsRoot: true,
    needs: "mount",
  },
  {
    about: "takes the covers off in namespaces of its own",
    command: `unshare -Urm sh -c 'umount "$HOME"; umount -l "$HOME"; grep -q k3y "$HOME/notes.txt" && echo ESCAPED'`,
    needs: "unshare",
  },
  {
    about: "makes the system writable in namespaces of its own",
    command: `unshare -Urm sh -c 'mount -o remount,rw,bind /; mount -o remount,rw,bind "$O"; echo x >"$O/remounted" && echo ESCAPED'`,
    effect: inOutside("remounted"),
    needs: "unshare",
  },
  {
    about: "makes a device",
    command: "mknod zero c 1 5 && head -c1 zero | wc -c | grep -q 1 && echo ESCAPED",
    needsRoot: true,
    needs: "mknod",
  },
  {
    about: "reads a device that lies in the tree",
    command: 'head -c1 "$O/device" | wc -c | grep -q 1 && echo ESCAPED',
    needsRoot: true,
  },
  {
    about: "becomes another by setuid",
    command: '[ "$("$O/as-nobody" -u)" = 65534 ] && echo ESCAPED',
    needsRoot: true,
  },
  {
    about: "sets a parameter of the kernel",
    command: "s=$(cat /proc/sys/vm/swappiness) && echo $s >/proc/sys/vm/swappiness && echo ESCAPED",
    needsRoot: true,
  },
  {
    about: "names the machine",
    command: 'hostname "$(hostname)" && echo ESCAPED',
    needsRoot: true,
    needs: "hostname",
  },
  {
    about: "gives a file to another user outside",
    command: 'chown 65534 "$O/secret" && echo ESCAPED',
    needsRoot: true,
  },
];
