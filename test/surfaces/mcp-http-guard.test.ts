/**
 * Owns who may speak to `haft mcp --http`: pages of other origins, names that were bound to this machine, tokens.
 * Leaves what is served to mcp-http.test.ts. Rule: bare requests, since no client would send these.
 */
import { spawnSync } from "node:child_process";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { createHttpGuard, isLoopback } from "../../src/surfaces/mcp/http-guard.ts";
import { connectHttp, INITIALIZE, sendBare, startHttp } from "./http-server.ts";
import { HAFT, makeFolder, textOf } from "./start-server.ts";

const TOKEN = "a-long-random-text";

describe("the guard", () => {
  const open = createHttpGuard({ host: "127.0.0.1" });
  it.each([
    [{ host: "localhost:3000" }, undefined],
    [{ host: "127.0.0.1:3000" }, undefined],
    [{ host: "[::1]:3000" }, undefined],
    [{ host: "localhost", origin: "http://localhost:8080" }, undefined],
    [{ host: "evil.example" }, 403],
    [{ host: "localhost.evil.example:3000" }, 403],
    [{ host: "127.0.0.1.nip.io" }, 403],
    [{ host: "" }, 403],
    [{}, 403],
    [{ host: "localhost", origin: "http://evil.example" }, 403],
    [{ host: "localhost", origin: "null" }, 403],
    [{ host: "localhost", origin: "https://localhost.evil.example" }, 403],
    [{ host: "localhost", origin: "file://" }, 403],
  ] as const)("judges %j", (headers, status) => {
    expect(open.judge(headers)?.status).toBe(status);
  });

  it.each([
    [undefined, 401],
    ["", 401],
    ["Bearer", 401],
    [`Bearer ${TOKEN}x`, 401],
    [`Bearer ${TOKEN.slice(0, -1)}`, 401],
    [`Basic ${TOKEN}`, 401],
    [`Bearer ${TOKEN}`, undefined],
    [`bearer ${TOKEN}`, undefined],
  ] as const)("takes the token of %j or not", (authorization, status) => {
    const guard = createHttpGuard({ host: "0.0.0.0", token: TOKEN });
    expect(guard.judge({ host: "any.example", authorization })?.status).toBe(status);
    expect(guard.judge({ host: "any.example", authorization, origin: "http://evil.example" })?.status).toBe(
      403,
    );
  });

  it("knows which addresses only this machine reaches", () => {
    expect(["127.0.0.1", "127.9.9.9", "localhost", "::1"].map(isLoopback)).toEqual([true, true, true, true]);
    expect(["0.0.0.0", "::", "10.0.0.1", "127.example.com", ""].map(isLoopback)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe("a server without a token", () => {
  it("answers pages of elsewhere and names of elsewhere with a refusal, and gives them no session", async () => {
    const { url } = await startHttp(["--root", makeFolder()]);
    const rows = [
      [{ host: "evil.example" }, 403],
      [{ origin: "http://evil.example" }, 403],
      [{ "content-type": "text/plain" }, 415],
      [{}, 200],
    ] as const;
    for (const [headers, status] of rows) {
      const answer = await sendBare({ url, headers, body: INITIALIZE });
      expect(answer.status).toBe(status);
      expect(answer.headers["mcp-session-id"] === undefined).toBe(status !== 200);
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    }
  });

  it("gives no session to a guessed id, none without initialize, and nothing elsewhere", async () => {
    const { url } = await startHttp(["--root", makeFolder()]);
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    expect((await sendBare({ url, headers: { "mcp-session-id": "1" }, body: list })).status).toBe(404);
    expect((await sendBare({ url, body: list })).status).toBe(400);
    expect((await sendBare({ url, body: "{" })).status).toBe(400);
    expect((await sendBare({ url: url.replace("/mcp", "/"), body: INITIALIZE })).status).toBe(404);
    expect((await sendBare({ url, method: "PUT", body: INITIALIZE })).status).toBeGreaterThanOrEqual(400);
  });

  it("refuses a message that is too large before reading it", async () => {
    const { url } = await startHttp(["--root", makeFolder()]);
    const headers = { "content-length": String(1024 ** 3) };
    await expect(sendBare({ url, headers, body: "{}" })).resolves.toMatchObject({ status: 413 });
  });
});

describe("a server with a token", () => {
  it("answers those who show it and nobody else", async () => {
    const { url } = await startHttp(["--root", makeFolder()], { env: { HAFT_HTTP_TOKEN: TOKEN } });
    const answer = await sendBare({ url, body: INITIALIZE });
    expect(answer).toMatchObject({ status: 401, headers: { "www-authenticate": "Bearer" } });
    expect(answer.text).not.toContain(TOKEN);
    await expect(connectHttp(url, { token: "wrong" })).rejects.toThrow();
    const { client } = await connectHttp(url, { token: TOKEN });
    expect(textOf(await client.callTool({ name: "list", arguments: {} }))).toContain("empty directory");
  });
});

describe("haft mcp --http", () => {
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, [HAFT, "mcp", "--root", makeFolder(), ...args], {
      encoding: "utf8",
      timeout: 20_000,
      env: { ...process.env, HAFT_HTTP_TOKEN: "" },
    });

  it.each([
    [["--http", "0", "--host", "0.0.0.0"], 1, "HAFT_HTTP_TOKEN"],
    [["--http", "0", "--host", "::"], 1, "HAFT_HTTP_TOKEN"],
    [["--http", "x"], 2, "--http takes a port"],
    [["--http", "70000"], 2, "--http takes a port"],
    [["--host", "127.0.0.1"], 2, "--host needs --http"],
  ] as const)("%j is refused with the way out", (args, status, words) => {
    const ran = run(...args);
    expect(ran.status).toBe(status);
    expect(ran.stderr).toContain(words);
    expect(ran.stdout).toBe("");
  });
});

it("answers what nobody could understand in words, and goes on", async () => {
  const { url } = await startHttp(["--root", makeFolder()]);
  const { port } = new URL(url);
  const sent = async (line: string, body = ""): Promise<string> => {
    const socket = connect({ host: "127.0.0.1", port: Number(port) });
    const length = Buffer.byteLength(body);
    socket.end(
      `${line} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${body}`,
    );
    let text = "";
    for await (const chunk of socket) text += String(chunk);
    return text;
  };
  expect(await sent("GET //")).toMatch(/^HTTP\/1.1 400 /);
  for (const method of ["TRACE", "PUT", "OPTIONS"]) {
    const answer = await sent(`${method} /mcp`);
    expect(answer).toMatch(/^HTTP\/1.1 405 /);
    expect(answer).toMatch(/^allow: GET, POST, DELETE\r$/m);
  }
  for (const body of ["", "{bad", "[".repeat(200_000) + "]".repeat(200_000)]) {
    const answer = await sent("POST /mcp", body);
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain('"code":-32700');
  }
  const { client } = await connectHttp(url);
  expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  const second = spawnSync(process.execPath, [HAFT, "mcp", "--root", makeFolder(), "--http", port], {
    encoding: "utf8",
  });
  expect(second.status).toBe(1);
  expect(second.stderr).toContain(`port ${port} of 127.0.0.1: something listens there already`);
  await client.close();
});
