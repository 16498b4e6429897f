/**
 * Owns what `webfetch` tells of what came: formats, types, charsets, cuts, statuses, broken and slow answers.
 * Leaves the text of pages to pages.test.ts. Rule: the first line says what this is; what is no text is an error and
 * never shown as text.
 */
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { serveHttp, serveRaw, untilClosed } from "../net/loopback.ts";
import { expectRefusal, expectSuccess } from "../support/loose-toolset.ts";
import { mountWeb, serveBody, type WebOptions } from "./web-fixture.ts";

async function fetchBody(
  body: string | Uint8Array,
  of: {
    type?: string;
    status?: number;
    headers?: Record<string, string>;
    args?: object;
    web?: WebOptions;
  } = {},
) {
  const headers = { ...(of.type === "" ? {} : { "content-type": of.type ?? "text/html" }), ...of.headers };
  const server = await serveBody(body, headers, of.status);
  const tools = mountWeb({ allow: [server], ...of.web });
  const output = await tools.fetch(server.url, { ...of.args });
  return { ...output, content: output.content.replaceAll(server.url, "http://server/") };
}

const PAGE =
  "<title>T</title><nav><a href=/n>n</a></nav><h1>H</h1><p>a <a href=/x>b</a></p><script>s</script>";

describe("the formats of a page", () => {
  it.each([
    [undefined, '"T"; left out: 1 navigation block, 1 script\n# H\n\na [b](http://server/x)'],
    ["markdown", '"T"; left out: 1 navigation block, 1 script\n# H\n\na [b](http://server/x)'],
    ["text", '"T"; left out: 1 navigation block, 1 script\nH\n\na b'],
    ["links", '"T"; 2 links\n- [n](http://server/n)\n- [b](http://server/x)'],
  ])("%s", async (format, expected) => {
    const args = format === undefined ? {} : { format };
    const { content } = expectSuccess(await fetchBody(PAGE, { args }));
    expect(content).toBe(`http://server/: 200, text/html, ${PAGE.length} bytes, ${expected}`);
  });

  it("source is what was sent", async () => {
    const { content } = expectSuccess(await fetchBody(PAGE, { args: { format: "source" } }));
    expect(content).toBe(`http://server/: 200, text/html, ${PAGE.length} bytes\n${PAGE}`);
  });

  it("tell details for the host", async () => {
    const { details } = expectSuccess(await fetchBody(PAGE));
    expect(details).toMatchObject({
      status: 200,
      mediaType: "text/html",
      format: "markdown",
      bytes: PAGE.length,
      isCut: false,
      encoding: "utf-8",
      title: "T",
      leftOut: ["1 navigation block", "1 script"],
      needsJavaScript: false,
      isPlain: false,
    });
  });
});

describe("types of content", () => {
  it.each([
    ["text/plain; charset=utf-8", "plain"],
    ["text/markdown", "# m"],
    ["application/json", '{"a":1}'],
    ["application/ld+json", '{"a":1}'],
    ["application/xml", "<a>1</a>"],
    ["application/atom+xml", "<feed/>"],
    ["application/yaml", "a: 1"],
    ["text/javascript", "let a = 1"],
    ["application/javascript", "let a = 1"],
    ["text/csv", "a,b"],
    ["text/x-unknown", "u"],
    ["", "no type"],
  ])("%j are text, as sent", async (type, body) => {
    const { content } = expectSuccess(await fetchBody(body, { type }));
    expect(content.split("\n").slice(1).join("\n")).toBe(body);
  });

  it.each([
    [
      "application/xhtml+xml",
      "<?xml version='1.0'?><html><head><script src='x'/></head><body><p>x</p></body></html>",
    ],
    ["", "<!DOCTYPE html><p>x"],
  ])("%j is a page", async (type, body) => {
    expect(expectSuccess(await fetchBody(body, { type })).content).toMatch(/\nx$/);
  });

  it.each([
    ["image/png", "x", "is image/png and not text"],
    ["application/octet-stream", "x", "application/octet-stream and not text"],
    ["application/pdf", "%PDF-1.7", "application/pdf and not text"],
    [
      "text/html",
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      "png image and not text, though it is called text/html",
    ],
    [
      "text/plain",
      Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]),
      "not text, though it is called text/plain",
    ],
  ] as const)("%j may not be text: %j", async (type, body, words) => {
    const refused = expectRefusal(await fetchBody(body, { type }), "content-type");
    expect(refused.content).toContain(words);
    expect(refused.content).toContain("Only text is fetched");
  });

  it("links of what is no page are the addresses in it", async () => {
    const body = "See https://a.example/x, (https://b.example/y) and https://a.example/x.";
    const { content } = expectSuccess(
      await fetchBody(body, { type: "text/plain", args: { format: "links" } }),
    );
    expect(content.split("\n").slice(1)).toEqual(["- https://a.example/x", "- https://b.example/y"]);
    expect(content).toContain("; 2 links");
  });
});

describe("charsets", () => {
  it.each([
    ["of the header", "text/html; charset=Shift_JIS", [0x93, 0xfa, 0x96, 0x7b], "日本"],
    ["in quotes", 'text/html; charset="gbk"', [0xd6, 0xd0, 0xce, 0xc4], "中文"],
    [
      "that the page names",
      "text/html",
      [...Buffer.from("<meta charset=gbk>"), 0xd6, 0xd0, 0xce, 0xc4],
      "中文",
    ],
    ["of a mark", "text/html", [0xff, 0xfe, 0x61, 0, 0x2d, 0x4e], "a中"],
    ["that nobody names", "text/plain", [0x63, 0x61, 0x66, 0xe9, 0x2e], "café."],
    ["UTF-8", "text/plain", [...Buffer.from("日本")], "日本"],
  ])("%s", async (_name, type, bytes, expected) => {
    const { content } = expectSuccess(await fetchBody(Buffer.from(bytes), { type }));
    expect(content.split("\n").slice(1).join("\n")).toBe(expected);
  });

  it("that do not fit are told", async () => {
    const { content } = expectSuccess(
      await fetchBody(Buffer.from([0x61, 0xff, 0x62]), { type: "text/plain; charset=utf-8" }),
    );
    expect(content).toMatch(/\[note\] some bytes are not utf-8 and were read as best they could be$/);
  });

  it("that are none are told, and the text is read as UTF-8", async () => {
    const { content } = expectSuccess(await fetchBody("é", { type: "text/html; charset=x-nope" }));
    expect(content).toMatch(/\né\n\[note\] the charset "x-nope" is not known: the text was read as utf-8$/);
  });
});

describe("bodies without an end", () => {
  const zeros = Buffer.alloc(64 * 1_048_576, "a");
  it.each([
    ["gzip", gzipSync(zeros, { level: 1 })],
    ["deflate", deflateSync(zeros, { level: 1 })],
    ["br", brotliCompressSync(zeros.subarray(0, 8 * 1_048_576))],
  ])("packed by %s are cut at the bound, and that is said", async (encoding, body) => {
    const output = await fetchBody(body, { type: "text/plain", headers: { "content-encoding": encoding } });
    const { content, details } = expectSuccess(output);
    expect(details).toMatchObject({ bytes: 524_288, isCut: true });
    expect(content.split("\n")[0]).toBe(
      "http://server/: 200, text/plain, 524288 bytes; cut: the body goes on after these bytes",
    );
    expect(content).toMatch(/\n\[cut here: what follows was not read, and no call reads on from here\]$/);
  });

  it("at full speed are cut, and the socket closed", async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      const write = (): void => {
        while (response.write("<p>more".repeat(5_000)) && !response.destroyed);
      };
      response.on("drain", write);
      write();
    });
    const { content } = expectSuccess(await mountWeb({ allow: [server] }).fetch(server.url));
    expect(content).toContain("cut: the body goes on after these bytes");
    await untilClosed(server);
  });

  it("that become longer as text are cut too", async () => {
    const body = "<a href=x>y</a> ".repeat(400);
    const options = { limits: { fetchMax: 6_500 } };
    const server = await serveBody(body);
    const { content } = expectSuccess(await mountWeb({ allow: [server], options }).fetch(server.url));
    expect(content).toContain("; cut: the text goes on\n");
    expect(content.length).toBeLessThan(6_500 + 300);
  });
});

describe("answers that are errors", () => {
  it("show a little of what the server says", async () => {
    const output = await fetchBody(`<title>Oops</title><h1>Not here</h1><p>${"long ".repeat(1_000)}`, {
      status: 404,
    });
    const { content, refusal, details } = expectRefusal(output, "http-status");
    expect(refusal.facts).toMatchObject({ status: 404 });
    expect(details).toMatchObject({ status: 404, title: "Oops" });
    expect(content).toMatch(
      /^http:\/\/server\/: 404, text\/html, \d+ bytes, "Oops"; only its beginning is shown\n# Not here\n/,
    );
    expect(content.length).toBeLessThan(1_300);
  });

  it("are told where their body is no text", async () => {
    const { content } = expectRefusal(
      await fetchBody("x", { type: "image/png", status: 503 }),
      "http-status",
    );
    expect(content).toBe("http://server/: 503, image/png, which is no text");
  });

  it.each([
    ["gzip on plain text", "gzip", "plain text"],
    ["an encoding that is none", "foo", "x"],
    ["a body that ends in the middle", "gzip", gzipSync("hello ".repeat(1_000)).subarray(0, 30)],
  ] as const)("%s is one, and never shown as text", async (_name, encoding, body) => {
    const output = await fetchBody(body, { type: "text/plain", headers: { "content-encoding": encoding } });
    const { content } = expectRefusal(output, "content-encoding");
    expect(content).toContain("The server is at fault");
  });

  it("an empty answer is none", async () => {
    expect(expectSuccess(await fetchBody("", { type: "text/plain", status: 204 })).content).toBe(
      "http://server/: 204, text/plain, 0 bytes\n(empty)",
    );
  });
});

describe("a page that needs JavaScript", () => {
  const SHELL =
    "<title>App</title><meta name=description content='Tides.'><div id=root></div><script src=x></script>";

  it("says so, and names browse where that is mounted alone", async () => {
    const alone = expectSuccess(await fetchBody(SHELL));
    expect(alone.content).toContain(
      "; needs JavaScript\n(its description: Tides.)\n[note] the page says hardly",
    );
    expect(alone.content).not.toContain("browse");
    const server = await serveBody(SHELL);
    const options = { tools: ["webfetch", "browse"], prefix: "web_" };
    const tools = mountWeb({ allow: [server], options });
    const { content } = expectSuccess(await tools.call("web_webfetch", { url: server.url }));
    expect(content).toContain(`web_browse {"url":"${server.url}"}`);
  });
});

describe("slow servers", () => {
  it("are left at once where the call is cancelled", async () => {
    const server = await serveRaw((socket) => {
      socket.resume();
      socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n<p>");
    });
    const tools = mountWeb({ allow: [server] });
    const host = new AbortController();
    const pending = tools.call("webfetch", { url: server.url }, { signal: host.signal });
    while (server.connections() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    host.abort();
    expectRefusal(await pending, "call-cancelled");
    await untilClosed(server);
  });
});
