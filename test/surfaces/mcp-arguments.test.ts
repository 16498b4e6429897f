/**
 * Owns what the server does with calls whose arguments are not the object that the protocol asks for.
 * Leaves what is inside them to the argument gate's own tests. Rule: a model gets words that it can use.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { makeFolder, openBare, startBare, textOf } from "./start-server.ts";

async function startServer() {
  const root = makeFolder();
  writeFileSync(join(root, "a.txt"), "a\nb\n");
  const server = startBare(["--root", root]);
  await openBare(server);
  const call = (id: number, name: string, args: unknown) =>
    server.send({ id, method: "tools/call", params: { name, arguments: args } });
  return { server, call };
}

describe("arguments over the wire", () => {
  it("A01 are read where they come as text", async () => {
    const { server, call } = await startServer();
    call(1, "read", '{"path":"a.txt","offset":2}');
    expect(textOf((await server.answer(1)).result)).toContain("2\tb");
  });

  it("A01 are refused for the model to read where the text was cut off", async () => {
    const { server, call } = await startServer();
    call(1, "write", '{"path":"b.txt","content":"half');
    const { result, error } = await server.answer(1);
    expect(error).toBeUndefined();
    expect(result?.isError).toBe(true);
    expect(textOf(result)).toContain("cut off");
  });

  it("A07 are none where they are null or left out", async () => {
    const { server, call } = await startServer();
    call(1, "list", null);
    expect(textOf((await server.answer(1)).result)).toContain("a.txt");
    call(2, "list", undefined);
    expect(textOf((await server.answer(2)).result)).toContain("a.txt");
    call(3, "read", null);
    expect(textOf((await server.answer(3)).result)).toContain("path is required");
  });

  it("C04 end no connection whatever they are: a list, a number, a call without a name", async () => {
    const { server, call } = await startServer();
    call(1, "read", [{ path: "a.txt" }]);
    call(2, "read", 5);
    server.send({ id: 3, method: "tools/call", params: {} });
    server.send({ id: 4, method: "tools/call" });
    server.send({ id: 5, method: "no/such/method", params: {} });
    for (const id of [1, 2, 3, 4, 5]) expect((await server.answer(id)).error?.code).toBeLessThan(-32_600);
    call(6, "read", { path: "a.txt" });
    expect(textOf((await server.answer(6)).result)).toContain("1\ta");
  });

  it("C04 are answered under every kind of id, and twice under an id that is used again", async () => {
    const { server, call } = await startServer();
    server.send({ id: "text", method: "ping" });
    call(7, "read", { path: "a.txt" });
    await server.answer(7);
    call(7, "read", { path: "a.txt" });
    await vi.waitFor(
      () => expect(server.lines.filter((line) => line.includes('"id":7'))).toHaveLength(2),
      10_000,
    );
    expect(server.lines.filter((line) => line.includes('"id":"text"'))).toHaveLength(1);
  });

  it("C04 are read from lines that end as on Windows, and past empty ones", async () => {
    const { server } = await startServer();
    server.child.stdin.write('\r\n\n{"jsonrpc":"2.0","id":9,"method":"ping"}\r\n');
    expect((await server.answer(9)).error).toBeUndefined();
  });
});
