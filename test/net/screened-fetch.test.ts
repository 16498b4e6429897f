/**
 * Owns where a fetch connects and what it sends: rows S01 to S11 of the reported bugs, with listeners that count.
 */
import { describe, expect, it } from "vitest";
import { CERTIFICATE } from "./certificate.ts";
import { expectFetched, expectRefused, fetchFor } from "./fetching.ts";
import { serveHttp, serveHttps, stubResolver, untilClosed } from "./loopback.ts";

const ok =
  (text = "hello"): Parameters<typeof serveHttp>[0] =>
  (_request, response) => {
    response.writeHead(200, { "content-type": "text/plain" }).end(text);
  };

describe("a fetch of the loopback", () => {
  it.each([
    "127.0.0.1",
    "127.1",
    "0x7f.1",
    "2130706433",
    "0177.0.0.1",
    "017700000001",
    "①②⑦.0.0.1",
    "127。0。0。1",
    "127.0.0.1.",
    "localhost",
    "localhost.",
    "LOCALHOST",
    "a.localhost",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:0:7f00:1]",
    "0.0.0.0",
    "0",
    "[::]",
    "a.test",
    "b.test",
    "c.test",
  ])("as %s reaches no listener", async (host) => {
    const server = await serveHttp(ok());
    const { lookup } = stubResolver({
      "a.test": [["127.0.0.1"]],
      "b.test": [["93.184.216.34", "127.0.0.1"]],
      "c.test": [["::1"]],
    });
    expectRefused(await fetchFor(`http://${host}:${server.port}/`, { lookup }), "url-blocked");
    expect(server.connections()).toBe(0);
  });

  it("is made where the host and port are named, exactly", async () => {
    const server = await serveHttp(ok());
    const privateHosts = [server.host];
    expect(expectFetched(await fetchFor(server.url, { privateHosts })).body.toString()).toBe("hello");
    const spellings = [
      `http://127.0.0.1:${server.port + 1}/`,
      `http://localhost:${server.port}/`,
      `http://[::ffff:7f00:1]:${server.port}/`,
    ];
    for (const url of spellings) expectRefused(await fetchFor(url, { privateHosts }), "url-blocked");
    expect(server.connections()).toBe(1);
    await untilClosed(server);
  });

  it("is made by a name that is listed, to the addresses of that name", async () => {
    const server = await serveHttp(ok());
    const { lookup } = stubResolver({ localhost: [["127.0.0.1"]] });
    const privateHosts = [`LOCALHOST:${server.port}`];
    expectFetched(await fetchFor(`http://localhost:${server.port}/`, { lookup, privateHosts }));
    expect(server.requests[0]?.headers.host).toBe(`localhost:${server.port}`);
  });
});

describe("link-local and metadata addresses", () => {
  it.each([
    "169.254.169.254:80",
    "2852039166:80",
    "[fe80::1]:80",
    "[::ffff:169.254.169.254]:80",
    "[fd00:ec2::254]:80",
    "100.100.100.200:80",
    "metadata.google.internal:80",
    "meta.test:80",
  ])("stay refused where %s is listed", async (listed) => {
    const { lookup } = stubResolver({
      "meta.test": [["169.254.169.254"]],
      "metadata.google.internal": [["127.0.0.1"]],
    });
    expectRefused(await fetchFor(`http://${listed}/`, { lookup, privateHosts: [listed] }), "url-blocked");
  });
});

describe("a name", () => {
  it("is looked up once a hop, and the connection goes to that answer under the name", async () => {
    const server = await serveHttp(ok());
    const resolver = stubResolver({ "r.test": [["127.0.0.1"], ["127.0.0.2"]] });
    const privateHosts = [`r.test:${server.port}`];
    expectFetched(await fetchFor(`http://r.test:${server.port}/`, { lookup: resolver.lookup, privateHosts }));
    expect(resolver.asked).toEqual(["r.test"]);
    expect(server.requests[0]?.headers.host).toBe(`r.test:${server.port}`);
  });

  it("that changes its address after a redirect is screened anew", async () => {
    const inside = await serveHttp(ok("secret"));
    const server = await serveHttp((_request, response) => {
      response.writeHead(302, { location: `http://r.test:${inside.port}/` }).end();
    });
    const resolver = stubResolver({ "r.test": [["127.0.0.1"]] });
    const facts = expectRefused(
      await fetchFor(`http://r.test:${server.port}/`, {
        lookup: resolver.lookup,
        privateHosts: [`r.test:${server.port}`],
      }),
      "url-blocked",
    );
    expect(facts).toMatchObject({ by: "address", kind: "loopback", hop: 1 });
    expect(resolver.asked).toEqual(["r.test", "r.test"]);
    expect([server.connections(), inside.connections()]).toEqual([1, 0]);
  });

  it("whose first address does not answer is reached by the next", async () => {
    const server = await serveHttp(ok());
    const { lookup } = stubResolver({ "two.test": [["127.0.0.9", "127.0.0.1"]] });
    expectFetched(
      await fetchFor(`http://two.test:${server.port}/`, {
        lookup,
        privateHosts: [`two.test:${server.port}`],
      }),
    );
  });

  it("that cannot be looked up, or whose look-up throws or hangs, is not connected to", async () => {
    const failed = expectRefused(await fetchFor("http://nowhere.test/"), "fetch-failed");
    expect(failed).toMatchObject({ stage: "look-up", error: "ENOTFOUND", hop: 0 });
    const lookup = (): never => {
      throw new Error("broken");
    };
    expectRefused(await fetchFor("http://a.test/", { lookup }), "fetch-failed");
    const hanging = await fetchFor("http://a.test/", { lookup: () => new Promise(() => {}), timeoutMs: 50 });
    expect(expectRefused(hanging, "fetch-timed-out").stage).toBe("look-up");
    for (const answer of [
      undefined,
      null,
      "127.0.0.1",
      [null],
      [{}],
      [{ address: "8.8.8.8" }],
      [{ address: "8.8.8.8", family: 6 }],
    ]) {
      const odd = await fetchFor("http://a.test/", { lookup: async () => answer as never });
      expect(expectRefused(odd, "url-blocked")).toMatchObject({ by: "answer", answer: "unusable" });
    }
  });

  it("is the name of TLS too, and its certificate is verified whatever the environment says", async () => {
    const server = await serveHttps(ok());
    const { lookup } = stubResolver({ "named.test": [["127.0.0.1"]], "other.test": [["127.0.0.1"]] });
    const privateHosts = [
      `named.test:${server.port}`,
      `named.test.:${server.port}`,
      `other.test:${server.port}`,
      server.host,
    ];
    const authorities = [CERTIFICATE];
    const options = { lookup, privateHosts, authorities };
    expect(expectFetched(await fetchFor(`https://named.test:${server.port}/`, options)).status).toBe(200);
    expect(expectFetched(await fetchFor(server.url, options)).status).toBe(200);
    expect(server.names).toEqual(["named.test", "false"]);
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
    try {
      for (const [url, more] of [
        [`https://other.test:${server.port}/`, { authorities }],
        [`https://named.test:${server.port}/`, {}],
      ] as const) {
        const facts = expectRefused(await fetchFor(url, { lookup, privateHosts, ...more }), "fetch-failed");
        expect(facts.stage).toBe("tls");
      }
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
    expect(server.requests.length).toBe(2);
  });
});

describe("what is sent", () => {
  it("is a GET without credentials, cookies or a referrer, past every proxy of the environment", async () => {
    const proxy = await serveHttp(ok("proxied"));
    const last = await serveHttp(ok("last"));
    const first = await serveHttp((_request, response) => {
      response.writeHead(302, { location: last.url, "set-cookie": "a=b" }).end();
    });
    const names = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"];
    for (const name of names) process.env[name] = proxy.url;
    try {
      const result = await fetchFor(first.url, { privateHosts: [first.host, last.host] });
      expect(expectFetched(result).body.toString()).toBe("last");
    } finally {
      for (const name of names) delete process.env[name];
    }
    for (const request of [...first.requests, ...last.requests]) {
      expect(request.method).toBe("GET");
      expect(Object.keys(request.headers).sort()).toEqual([
        "accept",
        "accept-encoding",
        "connection",
        "host",
        "user-agent",
      ]);
    }
    expect(proxy.connections()).toBe(0);
  });

  it.each([
    "http://u:s3cret@public.test/",
    "http://:s3cret@public.test/",
    "http://u:s3cret@127.0.0.1:1/",
    "http://u:s3/cret@ho st/",
    "http://u:s3cret%40host/",
    "http://u:s3cret＠host/",
    "ftp://u:s3cret@public.test/",
    "view-source:http://u:s3cret@public.test/",
    `http://u:s3cret${"x".repeat(600)}@ho st/`,
    `http://u:s3cret@public.test/${"x".repeat(9000)}`,
  ])("never includes user info, and no fact repeats it: %s", async (url) => {
    const { lookup, asked } = stubResolver({ "public.test": [["93.184.216.34"]] });
    const result = await fetchFor(url, { lookup });
    expect(result.kind).toBe("net-refusal");
    expect(JSON.stringify(result)).not.toMatch(/s3/);
    expect(asked).toEqual([]);
  });
});

describe("permission", () => {
  it("is asked at each hop, before the look-up, and only a plain yes lets through", async () => {
    const last = await serveHttp(ok());
    const first = await serveHttp((_request, response) => {
      response.writeHead(302, { location: `http://Denied.test.:${last.port}/` }).end();
    });
    const resolver = stubResolver({ "denied.test.": [["127.0.0.1"]] });
    const asked: string[] = [];
    const result = await fetchFor(first.url, {
      lookup: resolver.lookup,
      privateHosts: [first.host, `denied.test.:${last.port}`],
      mayConnect: (host, port) => {
        asked.push(`${host}:${port}`);
        return host === "127.0.0.1" ? { allowed: true } : { allowed: false, rule: "connects(denied.test)" };
      },
    });
    expect(expectRefused(result, "url-blocked")).toMatchObject({
      by: "permission",
      host: "denied.test",
      rule: "connects(denied.test)",
      hop: 1,
    });
    expect(asked).toEqual([first.host, `denied.test:${last.port}`]);
    expect(resolver.asked).toEqual([]);
    expect(last.connections()).toBe(0);
    for (const mayConnect of [
      () => undefined,
      () => {
        throw new Error("x");
      },
      async () => ({}),
      () => ({ allowed: "yes" }),
    ]) {
      expectRefused(
        await fetchFor(first.url, { privateHosts: [first.host], mayConnect: mayConnect as never }),
        "url-blocked",
      );
    }
    expect(first.connections()).toBe(1);
  });
});
