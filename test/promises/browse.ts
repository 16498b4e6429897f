/**
 * Owns the calls by which `browse` is held to its promises, with a stand-in for the browser that prints one page.
 * Leaves the promises to promises.test.ts, real browsers to test/web/.
 * Rule: one of each kind of answer; no name is looked up but by the stub, so that no call leaves the machine.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Registration } from "./registration.ts";

const folder = mkdtempSync(join(tmpdir(), "haft-promised-browser-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

function writeBrowser(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

const PAGE = "<html><head><title>A 😀</title></head><body><h1>B</h1><p>c <a href=d>e</a></p></body></html>";
const prints = writeBrowser("prints", `echo '${PAGE}'`);
const says = writeBrowser("says", "echo 'it failed' >&2; exit 1");

const HOST = "page.test:8080";
const network = {
  privateHosts: [HOST],
  lookup: async (name: string) => {
    if (name === "page.test") return [{ address: "127.0.0.1", family: 4 }];
    if (name === "private.test") return [{ address: "10.0.0.1", family: 4 }];
    throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" });
  },
};

/** The folder of the profile is made with the first visit. */
const after = [{ name: "browse", args: { url: `http://${HOST}/` } }];

function call(
  about: string,
  gives: "success" | "refusal",
  args: Readonly<Record<string, unknown>>,
): Registration["calls"][number] {
  const first = gives === "success" ? { after } : {};
  return { about, args, gives, ...first, options: { network, browser: { path: prints } } };
}

export const browsePromises: Registration = {
  tool: "browse",
  calls: [
    call("a page", "success", { url: `http://${HOST}/` }),
    call("a page as text", "success", { url: `http://${HOST}/`, format: "text" }),
    call("the links of a page, by an alias", "success", { uri: `http://${HOST}/`, format: "links" }),
    call("the DOM of a page, with a picture that does not come", "success", {
      url: `http://${HOST}/`,
      format: "source",
      screenshot: true,
      wait_ms: "10",
    }),
    {
      about: "a browser that says what was wrong",
      args: { url: `http://${HOST}/` },
      gives: "refusal",
      options: { network, browser: { path: says } },
    },
    {
      about: "a browser that is not there",
      args: { url: `http://${HOST}/` },
      gives: "refusal",
      options: { network, browser: { path: "/nowhere/chrome" } },
    },
    call("a name with a private address", "refusal", { url: "http://private.test/" }),
    call("a name that is none", "refusal", { url: "https://missing.test/" }),
    call("the loopback", "refusal", { url: "http://127.1:8080/" }),
    call("a password", "refusal", { url: "http://user:hunter2@page.test/" }),
    call("another scheme", "refusal", { url: "file:///etc/passwd" }),
    call("no URL", "refusal", { url: "site.example/page" }),
    call("a wait that is too long", "refusal", { url: `http://${HOST}/`, wait_ms: 1_000_000 }),
  ],
  values: ["markdown", "text", "links", "source", "", null, 0, 5, "10", -1, 1e9, true, false, "true"],
  // Without the options above each of these is refused before anything is launched, connected to or looked up.
  fixed: {
    url: [
      "http://127.0.0.1:1/",
      "http://[::1]/",
      "http://localhost/",
      "http://169.254.169.254/",
      "file:///etc/passwd",
      "chrome://version",
      "http://user:hunter2@127.0.0.1/",
      "site.example",
      "http://",
      "",
      null,
      7,
    ],
  },
};
