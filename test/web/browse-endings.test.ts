/**
 * Owns that every way in which a visit ends leaves nothing: no process, no profile.
 * Leaves what pages connect to to browse-ways-out.test.ts. Rule: processes are looked for by words of their own, and
 * each test first sees that they were there.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { expectNone, findProcesses, makeSleep, waitForProcesses } from "../faults/worker-fixture.ts";
import { serveHttp } from "../net/loopback.ts";
import {
  type Browsing,
  describeWithBrowser,
  makeFolder,
  nameBrowser,
  openBrowsing,
  writeProgram,
} from "./browser-fixture.ts";

const PAGE = "http://page.test:8080/";
const allowed = ["page.test:8080"];

/** A browser that ignores TERM, forks, and prints so much. Both sleeps are found by their words. */
function standIn(print: string) {
  const [own, child] = [makeSleep(), makeSleep()];
  const folder = makeFolder();
  nameBrowser(
    writeProgram(
      `#!/bin/sh\ntrap '' TERM\n${child} & echo $! > ${folder}/pid2\nprintf '%s' "$*" > ${folder}/words\n${print}\n${own}\n`,
    ),
  );
  return {
    sleeps: [own, child],
    words: () => readFileSync(join(folder, "words"), "utf8"),
    hasStarted: () =>
      vi.waitFor(() => expect(existsSync(join(folder, "pid2"))).toBe(true), { timeout: 15_000 }),
  };
}

async function expectNothingLeft({ profiles }: Browsing, words: readonly string[]): Promise<void> {
  for (const word of words) await expectNone(word);
  expect(profiles()).toEqual([]);
}

describe("a visit", () => {
  it("ends in 20 s with a browser that never does, ignores TERM and has forked, and shows what it gave", async () => {
    const { sleeps } = standIn("echo '<html><body>x'");
    const browsing = openBrowsing({ allowed });
    const startedMs = performance.now();
    const output = await browsing.browse(PAGE);
    expect(performance.now() - startedMs).toBeLessThan(25_000);
    expect(output.content).toMatch(/unfinished: the browser was ended before the page was whole/);
    expect(output.content).toContain("\nx");
    await expectNothingLeft(browsing, sleeps);
  }, 60_000);

  it("ends soon where the page is whole, though the browser sleeps on", async () => {
    const { sleeps } = standIn("echo '<html><head><title>T</title></head><body>whole</body></html>'");
    const browsing = openBrowsing({ allowed });
    const startedMs = performance.now();
    const output = await browsing.browse(PAGE);
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    expect(output.isError).toBe(false);
    expect(output.content).toBe(`${PAGE}: text/html, 60 bytes, "T"\nwhole`);
    await expectNothingLeft(browsing, sleeps);
  }, 60_000);

  it("does not take the word in the middle of a page for its end", async () => {
    standIn("printf '<html><body>a <pre></html>'; sleep 0.3; echo 'b</pre></body></html>'");
    const { browse } = openBrowsing({ allowed });
    expect((await browse(PAGE, { format: "source" })).content).toContain("b</pre></body></html>");
  }, 60_000);

  it("ends where the DOM is longer than is kept, with its beginning", async () => {
    const { sleeps } = standIn("echo '<html><body>beginning'; yes xxxxxxxx | head -c 50000000");
    const browsing = openBrowsing({ allowed, limits: { fetchMax: 100_000 } });
    const output = await browsing.browse(PAGE, { format: "text" });
    expect(output.isError).toBe(false);
    expect(output.content.split("\n")[0]).toMatch(/100000 bytes; cut: the body goes on/);
    expect(output.content).toContain("\nbeginning");
    expect(output.content).toMatch(/\n\[cut here: [^\n]*\]$/);
    await expectNothingLeft(browsing, sleeps);
  }, 60_000);

  it("is an error with the browser's last words where there is no DOM", async () => {
    standIn(
      "echo '[12:34:1130/150210.7:ERROR:dbus/bus.cc:405] Failed to connect to the bus' >&2; echo '[1:2:1130/1.1:ERROR:x.cc:4] Page load failed: net::ERR_FAILED' >&2; exit 3",
    );
    const { browse } = openBrowsing({ allowed });
    const output = await browse(PAGE);
    expect(output.isError && output.refusal.code).toBe("browser-failed");
    expect(output.content).toBe(
      `The browser gave no DOM of ${PAGE}. Its last words: Page load failed: net::ERR_FAILED`,
    );
  }, 60_000);

  it("ends soon where the browser says that there is no page, though it sleeps on", async () => {
    const { sleeps } = standIn("echo 'Page load failed: net::ERR_ABORTED' >&2");
    const browsing = openBrowsing({ allowed });
    const output = await browsing.browse(PAGE);
    expect(output.isError && output.refusal).toMatchObject({ facts: { reason: "no-page" } });
    await expectNothingLeft(browsing, sleeps);
  }, 60_000);

  it("fills no disk with errors without end", async () => {
    const { sleeps } = standIn("yes error >&2 & sleep 2; kill $!; echo '<html>x</html>'");
    const browsing = openBrowsing({ allowed });
    expect((await browsing.browse(PAGE)).isError).toBe(false);
    await expectNothingLeft(browsing, sleeps);
  }, 60_000);

  it("ends when it is cancelled, within the grace and a second", async () => {
    const { sleeps, hasStarted } = standIn("echo '<html><body>x'");
    const browsing = openBrowsing({ allowed });
    const controller = new AbortController();
    const visiting = browsing.browse(PAGE, {}, controller.signal);
    await hasStarted();
    expect(browsing.profiles()).toHaveLength(1);
    const startedMs = performance.now();
    controller.abort();
    const output = await visiting;
    expect(performance.now() - startedMs).toBeLessThan(3_000);
    expect(output.isError && output.refusal.code).toBe("call-cancelled");
    await expectNothingLeft(browsing, sleeps);
  }, 60_000);

  it("ends with its toolset", async () => {
    const { sleeps, hasStarted } = standIn("echo '<html><body>x'");
    const browsing = openBrowsing({ allowed });
    const visiting = browsing.browse(PAGE);
    await hasStarted();
    await browsing.close();
    expect((await visiting).isError).toBe(true);
    await expectNothingLeft(browsing, sleeps);
  }, 60_000);

  it("gives the browser nothing of the host's but the proxy, and a home of its own", async () => {
    process.env.HAFT_TEST_KEY = "s3cret";
    onTestFinished(() => {
      delete process.env.HAFT_TEST_KEY;
    });
    const { words } = standIn(
      'echo "<html><body>HOME=$HOME KEY=$HAFT_TEST_KEY DISPLAY=$DISPLAY</body></html>"',
    );
    const browsing = openBrowsing({ allowed });
    const output = await browsing.browse(PAGE, { format: "source" });
    expect(output.content).toContain(`HOME=${browsing.root}/.haft/scratch/main/tmp/browser-`);
    expect(output.content).toContain("KEY= DISPLAY=");
    expect(words()).toMatch(/--proxy-server=http:\/\/127\.0\.0\.1:\d+ /);
    expect(words()).toContain("--proxy-bypass-list=<-loopback>");
    expect(words().endsWith(`--dump-dom ${PAGE}`)).toBe(true);
  }, 60_000);
});

describe("a browser", () => {
  it.each([
    "file:///etc/passwd",
    "chrome://version",
    "data:text/html,x",
    "javascript:1",
    "view-source:http://127.0.0.1/",
    "http://127.0.0.1:8080/",
    "http://user:s3cret@page.test:8080/",
    "http://nowhere.test:25/",
    "not a url",
  ])(
    "is not launched for %s",
    async (url) => {
      const launched = join(makeFolder(), "LAUNCHED");
      nameBrowser(writeProgram(`#!/bin/sh\ntouch ${launched}\necho '<html></html>'\n`));
      const { browse } = openBrowsing({ allowed });
      const output = await browse(url);
      expect(output.isError && output.refusal.code).toMatch(/^url-(blocked|invalid)$/);
      expect(output.content).not.toContain("s3cret");
      expect(existsSync(launched)).toBe(false);
      await browse(PAGE);
      expect(existsSync(launched)).toBe(true);
    },
    60_000,
  );

  it("that is named and is not there is an error that names who named it", async () => {
    nameBrowser("/nowhere/chrome");
    const output = await openBrowsing({ allowed }).browse(PAGE);
    expect(output.isError && output.refusal.code).toBe("browser-missing");
    expect(output.content).toContain(
      'that HAFT_BROWSER names, "/nowhere/chrome", cannot be run: it does not exist',
    );
  });

  it("that the option names comes before the one that the variable names", async () => {
    nameBrowser("/nowhere/chrome");
    const path = writeProgram("#!/bin/sh\necho '<html>of the option</html>'\n");
    expect((await openBrowsing({ allowed, browser: { path } }).browse(PAGE)).content).toContain(
      "of the option",
    );
    const wrong = await openBrowsing({ allowed, browser: { path: "./chrome" } }).browse(PAGE);
    expect(wrong.content).toContain("that browser.path names");
  }, 60_000);

  it("that lies below the root is never run, whoever names it", async () => {
    const { root, browse } = openBrowsing({ allowed });
    const { mkdirSync, writeFileSync, symlinkSync } = await import("node:fs");
    mkdirSync(join(root, "bin"));
    const launched = join(root, "LAUNCHED");
    const path = join(root, "bin", "chromium");
    writeFileSync(path, `#!/bin/sh\ntouch ${launched}\necho '<html></html>'\n`, { mode: 0o755 });
    const link = join(makeFolder(), "chromium");
    symlinkSync(path, link);
    for (const named of [path, link]) {
      nameBrowser(named);
      expect((await browse(PAGE)).content).toContain("it lies below the root");
    }
    expect(existsSync(launched)).toBe(false);
  }, 60_000);

  it("is looked for by names that are told where there is none", async () => {
    const { findBrowser } = await import("../../src/process/browser/find-browser.ts");
    const none = findBrowser({ root: "/", host: { PATH: makeFolder() } });
    expect("tried" in none && none.tried).toEqual(
      expect.arrayContaining(["chromium", "google-chrome", "chrome"]),
    );
    expect("tried" in none && none.wrong).toBeUndefined();
  });
});

describeWithBrowser("a real browser", () => {
  /** Words that only this visit's processes have. */
  const wordsOf = ({ root }: Browsing) => `${root}/.haft/scratch/main/tmp/browser-`;

  async function serveHang() {
    const server = await serveHttp((request, response) => {
      if (request.url !== "/") return;
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<title>hangs</title><p>here<script>setInterval(() => {}, 1)</script><img src=/never>");
    });
    return `page.test:${server.port}`;
  }

  it("is gone with all of its processes when the visit is cancelled", async () => {
    const host = await serveHang();
    const browsing = openBrowsing({ allowed: [host] });
    const controller = new AbortController();
    const visiting = browsing.browse(`http://${host}/`, {}, controller.signal);
    await waitForProcesses(wordsOf(browsing), 4);
    controller.abort();
    expect((await visiting).isError).toBe(true);
    await expectNothingLeft(browsing, [wordsOf(browsing)]);
  }, 60_000);

  it("is gone with its profile when the host is killed", async () => {
    const host = await serveHang();
    const root = makeFolder();
    const program = join(import.meta.dirname, "programs", "browse-for-ever.mjs");
    const dist = join(import.meta.dirname, "..", "..", "dist");
    const child = spawn(process.execPath, [program, dist, root, host], { stdio: "ignore" });
    const words = `${root}/.haft/scratch/main/tmp/browser-`;
    await waitForProcesses(words, 4);
    child.kill("SIGKILL");
    await expectNone(words, 10_000);
    const { readdirSync } = await import("node:fs");
    await vi.waitFor(() => expect(readdirSync(join(root, ".haft/scratch/main/tmp"))).toEqual([]), {
      timeout: 10_000,
    });
  }, 60_000);

  it("is gone when the worker is killed, and the profile when the toolset closes", async () => {
    const host = await serveHang();
    const browsing = openBrowsing({ allowed: [host] });
    const visiting = browsing.browse(`http://${host}/`);
    await waitForProcesses(wordsOf(browsing), 4);
    const [browser] = findProcesses(wordsOf(browsing));
    const worker = readFileSync(`/proc/${browser}/status`, "latin1").match(/^PPid:\s+(\d+)$/m)?.[1];
    process.kill(Number(worker), "SIGKILL");
    const output = await visiting;
    expect(output.isError && output.refusal.code).toBe("worker-lost");
    await expectNone(wordsOf(browsing));
    await browsing.close();
    expect(browsing.profiles()).toEqual([]);
  }, 60_000);
});
