/**
 * Owns what the tests of confinement share: a root with a repository, a person's folder, places outside, and things of
 * the host to reach for. Leaves the attempts to escapes.ts and ordinary.ts. Rule: everything outside is this run's own, so
 * that an attempt that succeeds harms nothing.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createSocket } from "node:dgram";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer as createWeb } from "node:http";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { probeConfinement } from "../../src/worker/look-for-programs.ts";

export const probe = probeConfinement({ root: "/nonexistent", path: process.env.PATH });
export const isRoot = process.getuid?.() === 0;

/** Printed once where the tests cannot run, as SPEC asks. */
export function saySkipped(): void {
  if (!probe.canFence) console.warn(`the tests of confinement are skipped: ${probe.why}`);
  else if (!probe.canCutNetwork) console.warn(`those without a network are skipped: ${probe.why}`);
}

const repository = fileURLToPath(new URL("../..", import.meta.url));

export interface Outside {
  /** Real path of the root. */
  readonly root: string;
  /** What the commands see: where things lie. */
  readonly variables: Readonly<Record<string, string>>;
  /** Makes everything as it was. */
  reset(): void;
  /** Whether the process of the host still runs. */
  victimRuns(): boolean;
  received(): number;
  datagrams(): number;
  remove(): Promise<void>;
}

export const SECRET = "k3y-0f-th3-p3rs0n";

function run(cwd: string, command: string): void {
  const { status, stderr } = spawnSync("bash", ["-c", command], { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command}: ${stderr}`);
}

function makeTemplate(folder: string): void {
  run(
    folder,
    `mkdir sub locked secrets && echo one >a.txt && echo lock >locked/file && echo ${SECRET} >secrets/key
     git init -q . && git config user.email a@example.com && git config user.name A
     git add -A && git commit -qm first && git worktree add -q wt
     git init -q sub/inner && mkdir -p .git/modules/mod && cp .git/config .git/HEAD .git/modules/mod/
     mkdir -p .git/hooks .git/info && rm -f .git/info/attributes .git/hooks/*`,
  );
}

export async function makeOutside(): Promise<Outside> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-confine-")));
  const shown = realpathSync(mkdtempSync(join(repository, "node_modules", ".haft-outside-")));
  const root = join(base, "root");
  const template = join(base, "template");
  const home = join(base, "home");
  const shm = mkdtempSync("/dev/shm/haft-");
  for (const folder of [root, template, home]) mkdirSync(folder);
  makeTemplate(template);
  let count = 0;
  const listen = (path: string | { port: number; host: string }) =>
    new Promise<Server>((resolve) => {
      const server = createServer((socket) => {
        count++;
        socket.on("error", () => undefined).end("reached\n");
      });
      server.listen(path as never, () => resolve(server));
    });
  const abstract = `\0haft-${process.pid}-${Date.now()}`;
  const sockets = { TMP_SOCKET: join(base, "agent.sock"), SHOWN_SOCKET: join(shown, "daemon.sock") };
  const servers = [
    await listen(sockets.TMP_SOCKET),
    await listen(sockets.SHOWN_SOCKET),
    await listen(abstract),
    await listen({ port: 0, host: "127.0.0.1" }),
  ];
  const port = portOf(servers[3]);
  const web = createWeb((_request, response) => response.setHeader("connection", "close").end("reached\n"));
  web.on("upgrade", (_request, socket) => socket.end("HTTP/1.1 101 Switching\r\n\r\nreached\n"));
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", () => resolve()));
  const webOfAll = createWeb((_request, response) => response.end("reached\n"));
  await new Promise<void>((resolve) => webOfAll.listen(0, "0.0.0.0", () => resolve()));
  const udp = createSocket("udp4");
  let datagrams = 0;
  udp.on("message", () => {
    datagrams++;
  });
  await new Promise<void>((resolve) => udp.bind(0, "127.0.0.1", () => resolve()));
  let victim: ChildProcess | undefined;
  const variables: Record<string, string> = {
    HOME: home,
    O: shown,
    T: base,
    R: root,
    SHM: shm,
    NODE: process.execPath,
    PORT: String(port),
    WEB: String(portOf(web)),
    WEB_ALL: String(portOf(webOfAll)),
    UDP: String(udp.address().port),
    ABSTRACT: abstract.slice(1),
    ...sockets,
  };
  const outside: Outside = {
    root,
    variables,
    reset() {
      // haft's own state stays: it is made once.
      for (const name of readdirSync(root))
        if (name !== ".haft") rmSync(join(root, name), { recursive: true, force: true });
      for (const name of readdirSync(template))
        cpSync(join(template, name), join(root, name), { recursive: true });
      writeFileSync(join(root, "wt", ".git"), `gitdir: ${join(root, ".git/worktrees/wt")}\n`);
      for (const [name, text] of Object.entries(PERSONAL)) {
        mkdirSync(join(home, name, ".."), { recursive: true });
        writeFileSync(join(home, name), text);
      }
      for (const folder of [shown, base, shm]) writeFileSync(join(folder, "secret"), SECRET);
      for (const name of readdirSync(shown))
        if (!["secret", "daemon.sock", "as-nobody", "device"].includes(name))
          rmSync(join(shown, name), { recursive: true, force: true });
      for (const path of [join(base, "above"), join(root, ".haft", "x")]) rmSync(path, { force: true });
      mkdirSync(join(shown, "folder"));
      if (victim === undefined || victim.exitCode !== null || victim.signalCode !== null) {
        victim = spawn("sleep", ["600"], { env: { ...process.env, OF_THE_HOST: SECRET }, cwd: shown });
        variables.VICTIM = String(victim.pid);
      }
      if (isRoot) makeRootsOwn(shown);
      count = 0;
      datagrams = 0;
    },
    victimRuns: () => victim?.exitCode === null && victim.signalCode === null,
    received: () => count,
    datagrams: () => datagrams,
    async remove() {
      victim?.kill("SIGKILL");
      udp.close();
      await Promise.all(
        [...servers, web, webOfAll].map((server) => new Promise((resolve) => server.close(resolve))),
      );
      for (const folder of [base, shown, shm]) rmSync(folder, { recursive: true, force: true });
    },
  };
  outside.reset();
  return outside;
}

function portOf(server: Server | undefined): number {
  const address = server?.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** A program that changes who runs it, and a device. */
function makeRootsOwn(folder: string): void {
  const program = join(folder, "as-nobody");
  if (existsSync(program)) return;
  copyFileSync("/usr/bin/id", program);
  chownSync(program, 65_534, 65_534);
  chmodSync(program, 0o4755);
  run(folder, "mknod device c 1 5");
}

const PERSONAL: Readonly<Record<string, string>> = {
  ".ssh/id_rsa": SECRET,
  ".aws/credentials": SECRET,
  ".npmrc": `//registry.example.com/:_authToken=${SECRET}\n`,
  ".git-credentials": SECRET,
  ".netrc": SECRET,
  ".config/gh/hosts.yml": SECRET,
  ".cargo/credentials.toml": SECRET,
  ".cargo/bin/tool": "#!/bin/sh\necho tool\n",
  ".gitconfig": "[user]\n\tname = Person\n\temail = person@example.com\n",
  ".bashrc": "# theirs\n",
  "notes.txt": SECRET,
};
