/**
 * Owns redirects: where they may lead, how many there are, and what each wrong one ends with. Rows S08 and S10.
 */
import { describe, expect, it } from "vitest";
import { CERTIFICATE } from "./certificate.ts";
import { expectFetched, expectRefused, fetchFor } from "./fetching.ts";
import {
  type LoopbackServer,
  serveHttp,
  serveHttps,
  serveRaw,
  stubResolver,
  untilClosed,
} from "./loopback.ts";

/** Sends every request on to where `to` says. */
function serveRedirect(to: (path: string) => string | undefined, status = 302): Promise<LoopbackServer> {
  return serveHttp((request, response) => {
    const location = to(request.url ?? "/");
    response.writeHead(status, location === undefined ? {} : { location }).end("moved");
  });
}

describe("a redirect", () => {
  const statuses = [301, 302, 303, 307, 308];
  const targets: readonly (readonly [string, (port: number) => string])[] = [
    ["metadata", () => "http://169.254.169.254/"],
    ["another port of the loopback, without a scheme", (port) => `//127.0.0.1:${port}/`],
    ["IPv6", (port) => `http://[::1]:${port}/`],
    ["a number", (port) => `http://2130706433:${port}/`],
    ["a name", (port) => `http://localhost:${port}/`],
    ["TLS", (port) => `https://127.0.0.1:${port}/`],
    ["a file", () => "file:///etc/passwd"],
    ["user info", (port) => `http://u:s3cret@public.test:${port}/`],
    ["a blocked port", () => "http://public.test:25/"],
  ];
  const rows = statuses.flatMap((status) => targets.map(([name, target]) => ({ status, name, target })));

  it.each(rows)(
    "$status to $name is refused at its hop, without a connection",
    async ({ status, target }) => {
      const inside = await serveHttp((_request, response) => response.end("secret"));
      const server = await serveRedirect(() => target(inside.port), status);
      const { lookup } = stubResolver({ "public.test": [["93.184.216.34"]] });
      const result = await fetchFor(server.url, { lookup, privateHosts: [server.host] });
      const facts = expectRefused(result, "url-blocked");
      expect(facts).toMatchObject({ hop: 1, from: server.url });
      expect(JSON.stringify(facts)).not.toContain("s3cret");
      expect([server.connections(), inside.connections()]).toEqual([1, 0]);
      await untilClosed(server);
    },
  );

  it.each(statuses)("%d to a place that is allowed is followed with a GET", async (status) => {
    const server = await serveHttp((request, response) => {
      if (request.url === "/end") response.end("end");
      else response.writeHead(status, { location: "/end#part" }).end();
    });
    const fetched = expectFetched(await fetchFor(`${server.url}start`, { privateHosts: [server.host] }));
    expect(fetched.url.href).toBe(`${server.url}end#part`);
    expect(fetched.redirects).toEqual([{ url: `${server.url}start`, status }]);
    expect(server.requests.map(({ method }) => method)).toEqual(["GET", "GET"]);
  });

  it("is followed three times and not a fourth", async () => {
    const server = await serveHttp((request, response) => {
      const [at = 0, end = 0] = (request.url ?? "").slice(1).split("/").map(Number);
      if (at === end) response.end("end");
      else response.writeHead(302, { location: `/${at + 1}/${end}` }).end();
    });
    const privateHosts = [server.host];
    expect(expectFetched(await fetchFor(`${server.url}0/3`, { privateHosts })).redirects.length).toBe(3);
    const facts = expectRefused(await fetchFor(`${server.url}0/4`, { privateHosts }), "redirect-failed");
    expect(facts).toMatchObject({ reason: "too-many", hop: 3, maxRedirects: 3 });
    expect(server.requests.length).toBe(8);
  });

  it.each([
    ["to itself", (path: string) => path],
    ["to itself with a fragment", (path: string) => `${path}#x`],
    ["there and back", (path: string) => (path === "/" ? "/b" : "/")],
  ])("that leads %s is a loop", async (_name, to) => {
    const server = await serveRedirect(to);
    const facts = expectRefused(
      await fetchFor(server.url, { privateHosts: [server.host] }),
      "redirect-failed",
    );
    expect(facts.reason).toBe("loop");
  });

  it.each([undefined, "", "  "])("without a place to go (%j) is an error", async (location) => {
    const server = await serveRedirect(() => location);
    const facts = expectRefused(
      await fetchFor(server.url, { privateHosts: [server.host] }),
      "redirect-failed",
    );
    expect(facts).toMatchObject({ reason: "no-location", status: 302 });
  });

  it("with two different places to go has none", async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(302, ["location", "/a", "location", "/b"]).end();
    });
    const facts = expectRefused(
      await fetchFor(server.url, { privateHosts: [server.host] }),
      "redirect-failed",
    );
    expect(facts.reason).toBe("no-location");
  });

  it("is seen behind thousands of other headers", async () => {
    const end = await serveHttp((_request, response) => response.end("end"));
    const server = await serveRaw((socket) => {
      socket.once("data", () =>
        socket.end(`HTTP/1.1 302 Found\r\n${"a: b\r\n".repeat(5000)}Location: ${end.url}\r\n\r\n`),
      );
    });
    const result = await fetchFor(server.url, { privateHosts: [server.host, end.host] });
    expect(expectFetched(result).body.toString()).toBe("end");
  });

  it("to what is no URL is an error", async () => {
    const server = await serveRedirect(() => "http://[nowhere/");
    expectRefused(await fetchFor(server.url, { privateHosts: [server.host] }), "url-invalid");
  });

  it("from https to http is refused, and from http to https followed", async () => {
    const plain = await serveHttp((request, response) => {
      if (request.url === "/up") response.writeHead(302, { location: secure.url }).end();
      else response.end("plain");
    });
    const secure = await serveHttps((request, response) => {
      if (request.url === "/down") response.writeHead(302, { location: plain.url }).end();
      else response.end("secure");
    });
    const options = { privateHosts: [plain.host, secure.host], authorities: [CERTIFICATE] };
    expect(expectFetched(await fetchFor(`${plain.url}up`, options)).body.toString()).toBe("secure");
    const facts = expectRefused(await fetchFor(`${secure.url}down`, options), "url-blocked");
    expect(facts).toMatchObject({ by: "downgrade", hop: 1, from: `${secure.url}down` });
    expect(plain.connections()).toBe(1);
  });

  it("does not wait for the body that comes with it", async () => {
    const end = await serveHttp((_request, response) => response.end("end"));
    const server = await serveHttp((_request, response) => {
      response.writeHead(302, { location: end.url });
      response.write("x".repeat(100_000));
    });
    expectFetched(await fetchFor(server.url, { privateHosts: [server.host, end.host] }));
    await untilClosed(server);
  });
});
