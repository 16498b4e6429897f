/**
 * Owns what a command that has no network of the host's reaches by the relay: what the screen and the rules let through.
 * Leaves ways past it to network-escapes.ts. Rule: the servers are this test's own; names are answered by a stub, and only
 * hosts that are named here are allowed.
 */
import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, get, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openSession } from "../../src/index.ts";
import { expectNone, findProcesses, findWorkers } from "../faults/worker-fixture.ts";
import { type LooseToolset, mountLoosely } from "../support/loose-toolset.ts";
import { NODE_24 } from "../support/official.ts";
import { probe, saySkipped } from "./confine-fixture.ts";

saySkipped();
vi.setConfig({ testTimeout: 60_000 });
const has = (program: string) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
const LARGE = randomBytes(8_000_000);
const sha = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const RELAY = "worker-entry/relay.js";
const lookup = async () => [{ address: "127.0.0.1", family: 4 }];

/** Of this test's toolsets alone: each has a socket of its own. */
const findRelays = () =>
  findWorkers().flatMap((worker) =>
    findProcesses(RELAY).filter((pid) => readStatus(pid, "PPid") === String(worker)),
  );
const readStatus = (pid: number, name: string) =>
  new RegExp(`^${name}:\\s+(\\S+)`, "m").exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];

describe.runIf(probe.canCutNetwork && has("curl"))("by its relay a command", () => {
  let root: string;
  let server: Server;
  let web: { readonly port: number };
  let tools: LooseToolset;
  const packages = new Map<string, Buffer | string>();
  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "haft-relay-")));
    server = createServer((request, response) => {
      const url = new URL(request.url ?? "", "http://x");
      const found = packages.get(url.pathname);
      if (found !== undefined) return void response.end(found);
      if (url.pathname === "/large") return void response.end(LARGE);
      const hash = createHash("sha256");
      request.on("data", (part: Buffer) => hash.update(part));
      request.on("end", () =>
        response.end(`${request.method} ${request.url} ${request.headers.host} ${hash.digest("hex")}\n`),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
    web = server.address() as AddressInfo;
    const hosts = ["web.test", "127.0.0.1"].map((host) => `${host}:${web.port}`);
    tools = mountLoosely(root, {
      tools: ["bash", "jobs"],
      confine: "require",
      network: { privateHosts: [...hosts, "web.test:25"], lookup },
      shell: { env: { set: { WEB: String(web.port) } } },
    });
  });
  afterAll(async () => {
    await tools.close();
    server.close();
    rmSync(root, { recursive: true, force: true });
  });
  const run = async (command: string) => (await tools.call("bash", { command })).content;

  it("reaches a host that is allowed, by name and by address, plain and by a tunnel", async () => {
    expect(await run("curl -sS http://web.test:$WEB/by-name")).toContain(`GET /by-name web.test:${web.port}`);
    expect(await run("curl -sS http://127.0.0.1:$WEB/by-address")).toContain("GET /by-address");
    expect(await run("curl -sS -p http://web.test:$WEB/by-tunnel")).toContain("GET /by-tunnel");
  });

  it("sends and gets what is large, unchanged, many at once", async () => {
    writeFileSync(join(root, "large"), LARGE);
    const each =
      "curl -sS http://web.test:$WEB/large | sha256sum & curl -sS --data-binary @large http://web.test:$WEB/up &";
    const content = await run(`for i in 1 2 3 4; do ${each} done; wait`);
    expect(content.split(sha(LARGE))).toHaveLength(9);
    const outputs = await Promise.all([1, 2, 3, 4].map((id) => run(`curl -sS http://web.test:$WEB/${id}`)));
    for (const [index, output] of outputs.entries()) expect(output).toContain(`GET /${index + 1} `);
  });

  it("is told by whom and why where it is refused", async () => {
    expect(await run("curl -sS http://other.test:$WEB/x")).toContain(
      `haft: the network screen refuses http://other.test:${web.port}/x: loopback address`,
    );
    const tunnel = await run("curl -sSv -p http://other.test:$WEB/x");
    expect(tunnel).toContain("403 Refused by haft's network screen");
    expect(tunnel).toContain(`the network screen refused http://other.test:${web.port}/: loopback address`);
    expect(await run("curl -sSf -p http://web.test:25/")).toContain(
      "the network screen refused http://web.test:25/: blocked port",
    );
    expect(await run("curl -sS --noproxy '*' http://192.0.2.1/")).toContain("commands have no network but");
  });

  it("cannot make one host of another by its headers", async () => {
    const say = (head: string) =>
      run(
        `exec 3<>/dev/tcp/127.0.0.1/\${HTTP_PROXY##*:} && printf '${head}\\r\\nConnection: close\\r\\n\\r\\n' >&3 && timeout 5 cat <&3`,
      );
    expect(await say(`GET http://web.test:${web.port}/a HTTP/1.1\\r\\nHost: other.test`)).toContain(
      `GET /a web.test:${web.port}`,
    );
    expect(
      await say(`GET http://other.test:${web.port}/a HTTP/1.1\\r\\nHost: web.test:${web.port}`),
    ).toContain("403 Forbidden");
    expect(await say(`GET /a HTTP/1.1\\r\\nHost: web.test:${web.port}`)).toContain("400 Bad Request");
    expect(
      await say(
        `GET http://web.test:${web.port}/a HTTP/1.1\\r\\nHost: web.test:${web.port}\\r\\nHost: other.test`,
      ),
    ).not.toContain("other.test");
    // Each request on one connection is screened by itself.
    const two = `GET http://web.test:${web.port}/one HTTP/1.1\\r\\nHost: a\\r\\n\\r\\nGET http://other.test:${web.port}/two HTTP/1.1\\r\\nHost: a`;
    const answers = await say(two);
    expect(answers).toContain("GET /one");
    expect(answers).toContain("403 Forbidden");
    expect(answers).not.toContain("GET /two");
  });

  it("is shown the way by variables, and unconfined or under prefer is not", async () => {
    const names = "HTTP_PROXY|HTTPS_PROXY|NO_PROXY|http_proxy|https_proxy|no_proxy|NODE_USE_ENV_PROXY";
    const command = `env | grep -cE '^(${names})='`;
    expect(await run(command)).toMatch(/\n7$/);
    for (const confine of ["off", "prefer"]) {
      const other = mountLoosely(root, { tools: ["bash"], confine });
      expect((await other.call("bash", { command })).content).toMatch(/\n0$/);
      await other.close();
    }
  });

  it("sees no socket of the screen, nor any other of the host's", async () => {
    const content = await run(
      "find /tmp /var/tmp /run /dev /home /root -type s 2>/dev/null; tail -n +2 /proc/net/unix; ls -A /tmp | grep -v '^haft-relay'",
    );
    expect(content).toBe("exit code 1 (grep: no match)\n(no output)");
  });

  it("shares its loopback with the other commands, and not with the host", async () => {
    const server = `require("http").createServer((q, s) => s.end("own")).listen(48124, "127.0.0.1")`;
    await tools.call("bash", { command: `"${process.execPath}" -e '${server}'`, background: true });
    await tools.call("jobs", { action: "wait", id: "job_1", port: 48124, timeout_ms: 20_000 });
    expect(await run("curl -sS http://localhost:48124/")).toContain("own");
    const reached = await new Promise((resolve) =>
      get("http://127.0.0.1:48124/", () => resolve(true)).on("error", () => resolve(false)),
    );
    expect(reached).toBe(false);
    // Nor does the screen take it for a host of its own.
    expect(await run("curl -sS --noproxy '' http://localhost:48124/")).toContain("loopback name");
    await tools.call("jobs", { action: "stop", id: "job_1" });
  });

  it("keeps it in the background, and whatever it ends", async () => {
    await run("kill -9 -1; true");
    const loop = "for i in $(seq 100); do curl -sS http://web.test:$WEB/job || exit 1; sleep 0.1; done";
    const { content } = await tools.call("bash", { command: loop, background: true });
    const id = /job_\d+/.exec(content)?.[0];
    const met = await tools.call("jobs", { action: "wait", id, pattern: "GET /job" });
    expect(met.content).toContain("GET /job");
    await tools.call("jobs", { action: "stop", id });
  });

  it.runIf(NODE_24 !== undefined)("is taken there by a Node that reads the variables", async () => {
    // Wherever the project lies, the fence shows the root.
    copyFileSync(NODE_24 ?? "", join(root, "node-24"));
    const script = `fetch("http://web.test:${web.port}/fetched").then((r) => r.text()).then(console.log)`;
    expect(await run(`./node-24 -e '${script}'`)).toMatch(/^exit code 0\n\[stdout\]\nGET \/fetched [^[]*$/);
  });

  it.runIf(has("npm"))("installs what a registry has", async () => {
    const folder = join(root, "packed");
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), '{"name":"dep","version":"1.0.0","main":"i.js"}');
    writeFileSync(join(folder, "i.js"), "module.exports = 41");
    spawnSync("npm", ["pack", "--silent"], { cwd: folder });
    const tarball = readFileSync(join(folder, "dep-1.0.0.tgz"));
    const registry = `http://web.test:${web.port}`;
    const dist = {
      tarball: `${registry}/dep/-/dep-1.0.0.tgz`,
      integrity: `sha512-${createHash("sha512").update(tarball).digest("base64")}`,
    };
    const versions = { "1.0.0": { name: "dep", version: "1.0.0", main: "i.js", dist } };
    packages.set("/dep", JSON.stringify({ name: "dep", "dist-tags": { latest: "1.0.0" }, versions }));
    packages.set("/dep/-/dep-1.0.0.tgz", tarball);
    mkdirSync(join(root, "app"));
    writeFileSync(
      join(root, "app", "package.json"),
      '{"name":"app","version":"1.0.0","dependencies":{"dep":"1.0.0"}}',
    );
    const npm = `npm --registry=${registry} --no-audit --no-fund --loglevel=error`;
    const content = await run(
      `cd app && ${npm} install --package-lock-only && ${npm} ci && node -p 'require("dep") + 1'`,
    );
    expect(content).toMatch(/^42$/m);
  });

  it("is held to what the rules of a session deny, and ask for", async () => {
    const session = await openSession({
      root,
      ledger: "memory",
      mode: "full-access",
      confine: "require",
      rules: { deny: ["connects(denied.test)"], ask: ["connects(asked.test)"] },
      network: {
        privateHosts: ["web.test", "denied.test", "asked.test"].map((host) => `${host}:${web.port}`),
        lookup,
      },
    });
    const ask = async (host: string) =>
      (await session.call("bash", { command: `curl -sS http://${host}:${web.port}/` })).content;
    expect(await ask("web.test")).toContain("GET /");
    expect(await ask("denied.test")).toContain("the rule deny connects(denied.test) forbids denied.test");
    expect(await ask("asked.test")).toContain("the rule ask connects(asked.test) asks for asked.test");
    await session.close();
  });

  it("has it again where the relay, or the worker, was ended", async () => {
    const [relay] = findRelays();
    process.kill(relay ?? 0, "SIGKILL");
    await vi.waitFor(
      async () => expect(await run("curl -sS http://web.test:$WEB/again")).toContain("GET /again"),
      {
        timeout: 20_000,
      },
    );
    const workers = findWorkers();
    for (const worker of workers) process.kill(worker, "SIGKILL");
    await vi.waitFor(
      async () => expect(await run("curl -sS http://web.test:$WEB/anew")).toContain("GET /anew"),
      {
        timeout: 20_000,
      },
    );
  });

  it("leaves nothing of it when the toolset closes", async () => {
    const other = mountLoosely(root, { tools: ["bash"], confine: "require", network: { lookup } });
    const before = findProcesses(RELAY);
    await other.call("bash", { command: "true" });
    const own = findProcesses(RELAY).filter((pid) => !before.includes(pid));
    const socket =
      /\/\S+\/screen\/socket/.exec(
        readFileSync(`/proc/${own[0]}/cmdline`, "utf8").replaceAll("\0", " "),
      )?.[0] ?? "";
    expect(existsSync(socket)).toBe(true);
    expect(readdirSync(join(socket, ".."))).toEqual(["socket"]);
    await other.close();
    await expectNone(socket);
    expect(existsSync(join(socket, "..", ".."))).toBe(false);
  });
});
