/**
 * Owns the ways in which commands try to give another name to what is kept apart, so that the next fence is put up by the
 * new one; as data. Leaves running them to moved-away.test.ts. Rule: commands run one after the other, each in a fence
 * of its own; the row ends well unconfined (ESCAPED is printed, or what must not be is), and does not confined.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Move {
  readonly about: string;
  readonly commands: readonly string[];
  /** What is seen of it; ESCAPED was printed where absent. */
  readonly effect?: (root: string) => boolean;
  readonly needs?: string;
}

/** `conf/prod` is withheld, `deep/a/b/locked.txt` locked, `many/x/.env` withheld by its name; `packages/app` is a repository. */
export const RULES = ["reads(conf/prod/**)", "writes(deep/a/b/locked.txt)", "reads(**/.env)"];
export const SECRET = "k3y-that-nobody-sees";

const READ = (path: string) => `grep -q ${SECRET} ${path} && echo ESCAPED`;
const changed = (path: string) => (root: string) =>
  existsSync(join(root, path)) && readFileSync(join(root, path), "utf8").includes("evil");
const EXCHANGE = (one: string, other: string) =>
  `python3 -c 'import ctypes,sys; sys.exit(ctypes.CDLL(None).renameat2(-100, b"${one}", -100, b"${other}", 2) != 0)'`;

/** Takes the mounts out of its own namespace and reaches them by a descriptor: there, no mount point is busy. */
const DETACHED = (then: string) => `python3 - <<'END'
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
folder = os.open(".", os.O_RDONLY)
def must(status):
    if status != 0: raise OSError(ctypes.get_errno(), "no")
must(libc.unshare(0x10020000))
must(libc.mount(b"none", b"/", None, 0x44000, None))
must(libc.mount(b"/usr", b"/usr", None, 0x5000, None))
os.chdir("/usr")
must(libc.pivot_root(b".", b"."))
must(libc.umount2(b".", 2))
os.fchdir(folder)
${then}
END`;

export const MOVES: readonly Move[] = [
  { about: "moves a folder above what is withheld", commands: ["mv conf c2", READ("c2/prod/key")] },
  { about: "moves the withheld folder itself", commands: ["mv conf/prod p", READ("p/key")] },
  { about: "moves a folder above a withheld name", commands: ["mv many/x y", "mv many m", READ("y/.env")] },
  {
    about: "moves a withheld file",
    commands: ["mv many/x/.env many/x/plain", READ("many/x/plain")],
  },
  {
    about: "moves a folder above into another",
    commands: ["mkdir -p in && mv conf in/", READ("in/conf/prod/key")],
  },
  {
    about: "exchanges a folder above for an empty one",
    commands: [`mkdir -p other && ${EXCHANGE("conf", "other")}`, READ("other/prod/key")],
    needs: "python3",
  },
  {
    about: "copies a folder above and removes it",
    commands: ["cp -r conf c2; rm -rf conf", READ("c2/prod/key")],
  },
  { about: "links a withheld file", commands: ["ln conf/prod/key plain", READ("plain")] },
  { about: "archives what is withheld", commands: [`tar cf t.tar conf many; tar xOf t.tar | ${READ("-")}`] },
  {
    about: "moves a folder above what is locked",
    commands: ["mv deep d2", "echo evil >>d2/a/b/locked.txt && echo ESCAPED"],
  },
  {
    about: "moves the folder of what is locked",
    commands: ["mv deep/a/b bb"],
    effect: (root) => !existsSync(join(root, "deep/a/b/locked.txt")),
  },
  {
    about: "replaces a folder above what is locked",
    commands: ["mv deep d2; mkdir -p deep/a/b && echo evil >deep/a/b/locked.txt"],
    effect: changed("deep/a/b/locked.txt"),
  },
  {
    about: "removes what is locked with the folders above it",
    commands: ["rm -rf deep; mkdir -p deep/a/b; echo evil >deep/a/b/locked.txt"],
    effect: changed("deep/a/b/locked.txt"),
  },
  {
    about: "plants a hook in the place of a repository whose folder was moved",
    commands: [
      "mv packages p && cp -r p packages && rm -rf p; echo evil >packages/app/.git/hooks/pre-commit",
    ],
    effect: changed("packages/app/.git/hooks/pre-commit"),
  },
  {
    about: "configures a repository whose folder was moved",
    commands: ["mv packages/app a && cp -r a packages/app; git -C packages/app config core.fsmonitor evil"],
    effect: changed("packages/app/.git/config"),
  },
  {
    about: "moves a folder with a repository that is a link",
    commands: [
      "mv linked l && mkdir linked && cp -r packages/app/.git linked/ && echo '[evil]' >>linked/.git/config",
    ],
    effect: changed("linked/.git/config"),
  },
  {
    about: "moves a folder above, out of sight of the mounts",
    commands: [DETACHED('os.rename("conf", "c2")'), READ("c2/prod/key")],
    needs: "python3",
  },
  {
    about: "exchanges git's configuration, out of sight of the mounts",
    commands: [
      `echo '[evil]' >packages/app/.git/c; ${DETACHED('os.rename("packages/app/.git/c", "packages/app/.git/config")')}`,
    ],
    effect: changed("packages/app/.git/config"),
    needs: "python3",
  },
  {
    about: "links a withheld file, out of sight of the mounts",
    commands: [DETACHED('os.link("conf/prod/key", "plain")'), READ("plain")],
    needs: "python3",
  },
];
