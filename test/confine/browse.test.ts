/**
 * Owns that a browser is in the fence too, and is none the worse for it.
 * Leaves what is shown of pages to test/web/, all of it confined with HAFT_LONG=1. Rule: the real browser; what it sees is told by
 * a stand-in in its place.
 */
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { expectNone, findProcesses, findWorkers } from "../faults/worker-fixture.ts";
import { serveHttp } from "../net/loopback.ts";
import { describeWithBrowser, nameBrowser, openBrowsing, writeProgram } from "../web/browser-fixture.ts";
import { probe, saySkipped } from "./confine-fixture.ts";

saySkipped();
vi.setConfig({ testTimeout: 120_000 });
const modes = (["prefer", "require"] as const).filter((mode) => mode === "prefer" || probe.canCutNetwork);

async function serve() {
  const server = await serveHttp((request, response) => {
    if (request.url === "/never") return;
    response.setHeader("content-type", "text/html");
    if (request.url === "/items") return void response.end("anchor");
    const script = `fetch("/items").then((r) => r.text()).then((t) => { document.getElementById("p").textContent = t })`;
    const hang = request.url === "/hang" ? "<img src=/never>" : "";
    response.end(
      `<title>t</title><p id=p>none</p><img src="http://evil.test/">${hang}<script>${script}</script>`,
    );
  });
  return { ...server, host: `page.test:${server.port}` };
}

/** Words of this visit's processes alone: the profile is named on the command line. */
async function findProfile(): Promise<string> {
  return vi.waitFor(
    () => {
      const [worker] = findWorkers();
      const own = findProcesses("--user-data-dir=").filter((pid) => isBelow(pid, worker ?? -1));
      const profile = /--user-data-dir=(\S+)/.exec(read(own[0] ?? -1, "cmdline").replaceAll("\0", " "))?.[1];
      expect(profile).toBeDefined();
      return profile ?? "";
    },
    { timeout: 20_000, interval: 20 },
  );
}

function isBelow(pid: number, ancestor: number): boolean {
  if (pid === ancestor) return true;
  const parent = /^PPid:\s+(\d+)$/m.exec(read(pid, "status"))?.[1];
  return parent !== undefined && parent !== "0" && isBelow(Number(parent), ancestor);
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}

describe.runIf(probe.canFence).each(modes)("under %s a browser", (confine) => {
  it("sees nothing of the root, of the person and of others, and writes to its profile alone", async () => {
    const look = `echo "<html><pre>$(ls -A "$ROOT" ~/.. /home /root /run 2>&1 | tr '\\n' ' ')
      pids $(ls -d /proc/[0-9]* | wc -l)
      net $(cat /proc/net/dev | grep -c :)
      $(for f in /etc/x /usr/x "$ROOT/x" /home/x; do (echo x >"$f") 2>/dev/null && echo "wrote $f"; done)
      $(echo x >own && echo x >/tmp/own && echo its own) $(grep CapEff /proc/self/status)
      </pre></html>"`;
    const program = writeProgram("");
    const browsing = openBrowsing({ allowed: ["page.test:8080"], confine });
    writeFileSync(`${browsing.root}/secret`, "k3y");
    writeFileSync(program, `#!/bin/sh\nROOT=${browsing.root}\n${look}\n`);
    chmodSync(program, 0o755);
    nameBrowser(program);
    const { content } = await browsing.browse("http://page.test:8080/", { format: "source" });
    expect(content).toContain("its own");
    expect(content).not.toContain("secret");
    expect(content).not.toContain("wrote");
    expect(Number(/pids (\d+)/.exec(content)?.[1])).toBeLessThan(10);
    expect(content).toMatch(/CapEff:\s+0000000000000000/);
    if (confine === "require") expect(content).toContain("net 1");
    expect(browsing.profiles()).toEqual([]);
  });
});

describe.runIf(probe.canFence).each(modes)("under %s the browser of this machine", (confine) => {
  describeWithBrowser("", () => {
    it("gives a page that its scripts have made, and a picture, and what was refused", async () => {
      const { host } = await serve();
      const { browse } = openBrowsing({ allowed: [host], confine });
      const outputs = await Promise.all([1, 2].map(() => browse(`http://${host}/`, { screenshot: true })));
      for (const output of outputs) {
        expect(output.content).toMatch(/\nanchor$/);
        expect(output.content).toContain("1 request was blocked: http://evil.test/ (loopback address)");
        expect(output.images).toHaveLength(1);
        expect(output.notes).toEqual([]);
      }
    });

    it("is gone with its profile when it is cancelled, and when its worker is killed", async () => {
      const { host } = await serve();
      const { browse } = openBrowsing({ allowed: [host], confine });
      const controller = new AbortController();
      const cancelled = browse(`http://${host}/hang`, {}, controller.signal);
      const first = await findProfile();
      controller.abort();
      expect((await cancelled).isError).toBe(true);
      await expectNone(first, 10_000);
      expect(readdirSync(dirname(dirname(first)))).not.toContain(dirname(first).split("/").at(-1));
      const lost = browse(`http://${host}/hang`);
      const second = await findProfile();
      for (const worker of findWorkers()) process.kill(worker, "SIGKILL");
      const output = await lost;
      expect(output.isError && output.refusal.code).toBe("worker-lost");
      await expectNone(second, 10_000);
      expect(readdirSync(dirname(dirname(second)))).not.toContain(dirname(second).split("/").at(-1));
      expect((await browse(`http://${host}/`)).content).toMatch(/\nanchor$/);
    });
  });
});
