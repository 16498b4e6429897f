/**
 * Owns the calls by which `webfetch` is held to its promises, and the server on the loopback that answers them.
 * Leaves the promises to promises.test.ts, what it fetches to test/web/.
 * Rule: one of each kind of answer; no name is looked up but by the stub, so that no call leaves the machine.
 */
import { createServer, type ServerResponse } from "node:http";
import type { Registration } from "./registration.ts";

const PAGES: Readonly<Record<string, (response: ServerResponse) => void>> = {
  "/page": send(
    200,
    "text/html; charset=utf-8",
    "<title>A 😀</title><nav>n</nav><h1>B</h1><p>c <a href=d>e</a>",
  ),
  "/long": send(200, "text/html", `<p>${"😀 word ".repeat(80_000)}`),
  "/app": send(200, "text/html", "<title>App</title><div id=root></div><script src=x></script>"),
  "/text": send(200, "text/plain", "one\ntwo\nhttps://site.example/\n"),
  "/empty": send(200, "text/plain", ""),
  "/latin": send(200, "text/plain; charset=x-nope", "caf\u00e9"),
  "/missing": send(404, "text/html", "<h1>Not here</h1>"),
  "/image": send(200, "image/png", "x"),
  "/round": (response) => response.writeHead(302, { location: "/round" }).end(),
  "/away": (response) => response.writeHead(302, { location: "http://10.0.0.1/" }).end(),
};

function send(status: number, type: string, body: string): (response: ServerResponse) => void {
  return (response) => response.writeHead(status, { "content-type": type }).end(body);
}

const server = createServer((request, response) => {
  const answer = PAGES[request.url ?? ""];
  if (answer === undefined) response.writeHead(500).end();
  else answer(response);
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
server.unref();
const address = server.address();
const host = `127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
const at = (path: string): string => `http://${host}${path}`;

const options = {
  network: {
    privateHosts: [host],
    lookup: async (name: string) => {
      if (name === "private.test") return [{ address: "10.0.0.1", family: 4 }];
      throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" });
    },
  },
};

function call(about: string, gives: "success" | "refusal", args: unknown): Registration["calls"][number] {
  return { about, args, gives, options };
}

export const webfetchPromises: Registration = {
  tool: "webfetch",
  calls: [
    call("a page", "success", { url: at("/page") }),
    call("a page as text", "success", { url: at("/page"), format: "text" }),
    call("the links of a page", "success", { url: at("/page"), format: "links" }),
    call("the source of a page", "success", { url: at("/page"), format: "source" }),
    call("a page that is cut", "success", { url: at("/long") }),
    call("a page that needs JavaScript", "success", { url: at("/app") }),
    call("plain text", "success", { url: at("/text") }),
    call("the links of plain text", "success", { url: at("/text"), format: "links" }),
    call("nothing", "success", { url: at("/empty") }),
    call("a charset that is none", "success", { url: at("/latin") }),
    call("an alias", "success", { uri: at("/page") }),
    call("a status that is an error", "refusal", { url: at("/missing") }),
    call("what is no text", "refusal", { url: at("/image") }),
    call("a redirect to where it was", "refusal", { url: at("/round") }),
    call("a redirect to a private address", "refusal", { url: at("/away") }),
    call("a name with a private address", "refusal", { url: "http://private.test/" }),
    call("a name that is none", "refusal", { url: "https://missing.test/" }),
    call("the loopback", "refusal", { url: "http://127.1:8080/" }),
    call("a password", "refusal", { url: "http://user:hunter2@site.example/" }),
    call("another scheme", "refusal", { url: "file:///etc/passwd" }),
    call("no URL", "refusal", { url: "site.example/page" }),
    call("a format that is none", "refusal", { url: at("/page"), format: "pdf" }),
    call("an argument that it does not know", "success", { url: at("/page"), dry_run: true }),
  ],
  values: ["markdown", "text", "links", "source", "html", "", null, 0, ["markdown"]],
  // Without the options above each of these is refused before anything is connected to or looked up.
  fixed: {
    url: [
      at("/page"),
      "http://127.0.0.1:1/",
      "http://[::1]/",
      "http://localhost/",
      "http://169.254.169.254/",
      "file:///etc/passwd",
      "http://user:hunter2@127.0.0.1/",
      "site.example",
      "http://",
      "",
      null,
      7,
    ],
  },
};
