/**
 * Owns the ways in which a command tries to leave its fence, as data: sockets, the network, processes, powers.
 * Leaves files to file-escapes.ts, running them to escapes.test.ts. Rule: as there.
 */
import { type Escape, FILE_ESCAPES, inOutside } from "./file-escapes.ts";
import { NETWORK_ESCAPES } from "./network-escapes.ts";

const CONNECT = (where: string) =>
  `"$NODE" -e 'require("net").connect(${where}).on("data", () => { console.log("ESCAPED"); process.exit(0); }).on("error", (e) => { console.error(e.code); process.exit(1); })'`;

export const ESCAPES: readonly Escape[] = [
  ...FILE_ESCAPES,
  ...NETWORK_ESCAPES,
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
