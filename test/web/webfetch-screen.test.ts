/**
 * Owns what `webfetch` does not connect to, through the mounted tool: addresses in every spelling, names, redirects,
 * credentials; connections are counted at the listener.
 * Leaves the table of spellings and the fetch itself to test/net/. Rule: 0 connections wherever the screen must hold,
 * and every refusal says what to do.
 */
import { describe, expect, it } from "vitest";
import { serveHttp } from "../net/loopback.ts";
import { expectRefusal, expectSuccess } from "../support/loose-toolset.ts";
import { mountWeb, serveBody } from "./web-fixture.ts";

describe("webfetch is not led to this machine", () => {
  it.each([
    "http://127.0.0.1:PORT/",
    "http://127.1:PORT/",
    "http://0x7f.1:PORT/",
    "http://2130706433:PORT/",
    "http://0177.0.0.1:PORT/",
    "http://017700000001:PORT/",
    "http://①②⑦.0.0.1:PORT/",
    "http://127。0。0。1:PORT/",
    "http://127.0.0.1.:PORT/",
    "http://localhost:PORT/",
    "http://localhost.:PORT/",
    "http://LOCALHOST:PORT/",
    "http://a.localhost:PORT/",
    "http://metadata.google.internal.:PORT/",
    "http://[::1]:PORT/",
    "http://[::ffff:127.0.0.1]:PORT/",
    "http://[::ffff:169.254.169.254]:PORT/",
    "http://[::ffff:0:7f00:1]:PORT/",
    "http://[64:ff9b::7f00:1]:PORT/",
    "http://[2002:7f00:1::]:PORT/",
    "http://0.0.0.0:PORT/",
    "http://0:PORT/",
    "http://[::]:PORT/",
    "http://100.64.0.1:PORT/",
    "http://198.18.0.1:PORT/",
    "http://255.255.255.255:PORT/",
    "http://224.0.0.1:PORT/",
    "http://good.test@127.0.0.1:PORT/",
    "http://a.test:PORT/",
    "http://b.test:PORT/",
    "http://c.test:PORT/",
    "ftp://127.0.0.1:PORT/",
    "http://unix:/var/run/docker.sock:/x",
  ])("by %s", async (spelling) => {
    const server = await serveBody("secret");
    const tools = mountWeb({
      answers: { "a.test": [["127.0.0.1"]], "b.test": [["93.184.216.34", "10.0.0.1"]], "c.test": [["::1"]] },
    });
    const refused = expectRefusal(
      await tools.fetch(spelling.replace("PORT", String(server.port))),
      "url-blocked",
      "url-invalid",
    );
    expect(server.connections()).toBe(0);
    expect(refused.content).toMatch(/https?|privateHosts|No option|credentials/);
  });

  it.each([301, 302, 303, 307, 308])("by a redirect of status %i", async (status) => {
    const target = await serveBody("secret");
    for (const location of [
      `http://127.0.0.1:${target.port}/`,
      `//127.0.0.1:${target.port}/`,
      `http://[::ffff:7f00:1]:${target.port}/`,
      `https://127.0.0.1:${target.port}/`,
      "http://169.254.169.254/latest/meta-data/",
      "file:///etc/passwd",
    ]) {
      const server = await serveHttp((_request, response) => response.writeHead(status, { location }).end());
      const refused = expectRefusal(await mountWeb({ allow: [server] }).fetch(server.url), "url-blocked");
      expect(refused.content).toContain(`(where ${server.url} redirects)`);
    }
    expect(target.connections()).toBe(0);
  });

  it("by a name that changes its address after it was screened: it is looked up once a hop", async () => {
    const target = await serveBody("secret");
    const tools = mountWeb({ answers: { "r.test": [["192.0.2.1"], ["127.0.0.1"]] } });
    expectRefusal(await tools.fetch(`http://r.test:${target.port}/`), "url-blocked");
    expect(tools.asked).toEqual(["r.test"]);
    expect(target.connections()).toBe(0);
  });

  it("where an allowed host is asked for under another port or name", async () => {
    const [allowed, other] = [await serveBody("<p>yes"), await serveBody("secret")];
    const tools = mountWeb({ allow: [allowed] });
    expectSuccess(await tools.fetch(allowed.url));
    for (const url of [other.url, `http://localhost:${allowed.port}/`])
      expectRefusal(await tools.fetch(url), "url-blocked");
    expect(other.connections()).toBe(0);
    expect(allowed.connections()).toBe(1);
  });
});

describe("webfetch keeps no secrets and tells none", () => {
  it("refuses user info without repeating it", async () => {
    const tools = mountWeb();
    for (const url of ["http://user:hunter2@site.example/", "http://hunter2@site.example/"]) {
      const refused = expectRefusal(await tools.fetch(url), "url-blocked");
      expect(JSON.stringify(refused)).not.toContain("hunter2");
      expect(refused.content).toContain("Leave out what stands before the @");
    }
  });

  it("sends no cookies, no credentials and no referrer, not to where it is redirected either", async () => {
    const second = await serveBody("<p>there");
    const first = await serveHttp((_request, response) => {
      response.writeHead(302, { location: second.url, "set-cookie": "a=b" }).end();
    });
    const output = expectSuccess(await mountWeb({ allow: [first, second] }).fetch(first.url));
    expect(output.content.split("\n")[0]).toBe(
      `${second.url}: 200, text/html, 8 bytes; redirected from ${first.url}`,
    );
    for (const { headers, method } of [...first.requests, ...second.requests]) {
      expect(method).toBe("GET");
      for (const name of ["cookie", "authorization", "proxy-authorization", "referer", "origin"])
        expect(headers[name]).toBeUndefined();
    }
  });
});

describe("redirects", () => {
  it("are followed three times, and the fourth is named", async () => {
    const server = await serveHttp((request, response) => {
      const next = Number(request.url?.slice(1)) + 1;
      response.writeHead(302, { location: `/${next}` }).end();
    });
    const refused = expectRefusal(
      await mountWeb({ allow: [server] }).fetch(`${server.url}0`),
      "redirect-failed",
    );
    expect(refused.content).toContain(`Ask for ${server.url}3 itself`);
    expect(server.requests).toHaveLength(4);
  });

  it("in a circle and to nowhere are errors", async () => {
    const round = await serveHttp((_request, response) => response.writeHead(302, { location: "/" }).end());
    const nowhere = await serveHttp((_request, response) => response.writeHead(302).end());
    const tools = mountWeb({ allow: [round, nowhere] });
    expect(expectRefusal(await tools.fetch(round.url), "redirect-failed").content).toContain("where it was");
    expect(expectRefusal(await tools.fetch(nowhere.url), "redirect-failed").content).toContain(
      "no place to go",
    );
  });
});

describe("without a network", () => {
  it.each([
    ["ENOTFOUND", "check its spelling"],
    ["EAI_AGAIN", "no network, or no name server"],
  ])("a look-up that ends with %s says what to do", async (code, advice) => {
    const lookup = async () => {
      throw Object.assign(new Error(`getaddrinfo ${code}`), { code });
    };
    const tools = mountWeb({ options: { network: { lookup } } });
    const refused = expectRefusal(await tools.fetch("https://site.example/"), "fetch-failed");
    expect(refused.content).toContain(advice);
  });

  it("a refused connection says so", async () => {
    const server = await serveBody("x");
    const tools = mountWeb({ allow: [{ ...server, host: "127.0.0.1:4" }] });
    const refused = expectRefusal(await tools.fetch("http://127.0.0.1:4/"), "fetch-failed");
    expect(refused.content).toContain("Nothing listens there");
  });
});

it("hosts that are no host and port are refused at mounting", () => {
  for (const privateHosts of [["localhost"], ["http://localhost:80"], ["a:b"], [7]])
    expect(() => mountWeb({ options: { network: { privateHosts } } })).toThrow(/network\.privateHosts/);
});
