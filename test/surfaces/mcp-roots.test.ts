/**
 * Owns which directory an MCP client gets: by flag, by its roots, by the working directory.
 * Leaves the tools to mcp-tools.test.ts. Rule: a real client and the built server, in both revisions of the protocol.
 */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, it, vi } from "vitest";
import { type ConnectOptions, connect, makeFolder, startBare, textOf } from "./start-server.ts";

/** A folder with one file that tells which folder it is. */
function makeNamedFolder(name: string): string {
  const folder = makeFolder();
  writeFileSync(join(folder, "which.txt"), `${name}\n`);
  return folder;
}

async function whichRoot(client: Client): Promise<string> {
  const text = textOf(await client.callTool({ name: "read", arguments: { path: "which.txt" } }));
  return text.split("\t")[1]?.trim() ?? text;
}

/** A client that names these roots whenever it is asked. */
function withRoots(
  roots: () => readonly string[],
  revision: "2025" | "2026" = "2025",
): Omit<ConnectOptions, "args"> {
  return {
    client: {
      capabilities: { roots: { listChanged: true } },
      ...(revision === "2026" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {}),
    },
    prepare: (client) => {
      client.setRequestHandler("roots/list", () => ({ roots: roots().map((uri) => ({ uri })) }));
    },
  };
}

const uriOf = (path: string): string => pathToFileURL(path).href;

describe("the root of the server", () => {
  it.each([
    ["with a slash at the end", (root: string) => `${root}/`, undefined],
    ["with two slashes", (root: string) => root.replace(/\/([^/]+)$/, "//$1"), undefined],
    ["over its parent", (root: string) => `${root}/../${basename(root)}`, undefined],
    ["relative", (root: string) => `./${basename(root)}`, "parent"],
    ["as a dot", () => ".", "root"],
  ] as const)("may be spelled %s", async (_name, spell, from) => {
    const root = makeNamedFolder("here");
    const cwd = from === "parent" ? dirname(root) : root;
    const { client } = await connect({ args: ["--root", spell(root)], cwd });
    expect(await whichRoot(client)).toBe("here");
    const absolute = await client.callTool({ name: "read", arguments: { path: join(root, "which.txt") } });
    expect(textOf(absolute)).toContain("1\there");
  });

  it("may be named through a link, and absolute paths inside it in either spelling", async () => {
    const root = makeNamedFolder("real");
    const link = join(makeFolder(), "link");
    symlinkSync(root, link);
    const { client } = await connect({ args: ["--root", link] });
    for (const path of ["which.txt", join(link, "which.txt"), join(root, "which.txt")]) {
      expect(textOf(await client.callTool({ name: "read", arguments: { path } }))).toBe(
        "which.txt: 1 line\n1\treal",
      );
    }
  });

  it("is the flag's, whatever the client names", async () => {
    const flagged = makeNamedFolder("flag");
    const { client } = await connect({
      args: ["--root", flagged],
      ...withRoots(() => [uriOf(makeNamedFolder("client"))]),
    });
    expect(await whichRoot(client)).toBe("flag");
  });

  it("is a usage error where it is no directory", async () => {
    for (const root of [join(makeFolder(), "missing"), join(makeNamedFolder("file"), "which.txt")]) {
      const server = startBare(["--root", root]);
      expect(await server.ended()).toBe(2);
      expect(server.errors()).toMatch(/^haft: --root: .*\n$/);
      expect(server.lines).toEqual([]);
    }
  });

  it("is the working directory where the client offers no roots, and that is said", async () => {
    const cwd = makeNamedFolder("cwd");
    const { client, errors } = await connect({ args: [], cwd });
    expect(await whichRoot(client)).toBe("cwd");
    expect(errors()).toContain(`the root is the working directory, ${cwd}`);
  });

  it("is never the top of the file system unless named", async () => {
    const { client } = await connect({ args: [], cwd: "/" });
    const result = await client.callTool({ name: "list", arguments: {} });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain("--root DIR");
  });
});

describe.each(["2025", "2026"] as const)("the roots of a client of %s", (revision) => {
  it("give the first file root, and the others are named as out of reach", async () => {
    const [first, second] = [makeNamedFolder("first"), makeNamedFolder("second")];
    const named = ["https://example.invalid/a", uriOf(first), uriOf(second)];
    const { client, errors } = await connect({
      args: [],
      cwd: makeFolder(),
      ...withRoots(() => named, revision),
    });
    expect(await whichRoot(client)).toBe("first");
    const { tools } = await client.listTools();
    expect(tools[0]?.description).toContain(second);
    expect(tools[0]?.description).not.toContain(first);
    expect(errors()).toContain(second);
    expect(client.getInstructions()).toContain("the first `file:` root");
  });

  it("may hold spaces and other characters", async () => {
    const root = join(makeFolder(), "ä b%20c");
    mkdirSync(root);
    writeFileSync(join(root, "which.txt"), "odd\n");
    const { client } = await connect({
      args: [],
      cwd: makeFolder(),
      ...withRoots(() => [uriOf(root)], revision),
    });
    expect(await whichRoot(client)).toBe("odd");
  });

  it("fall back to the working directory where none is a file", async () => {
    const cwd = makeNamedFolder("cwd");
    const { client } = await connect({ args: [], cwd, ...withRoots(() => [], revision) });
    expect(await whichRoot(client)).toBe("cwd");
  });

  it("leave no root where the first does not exist", async () => {
    const missing = join(makeFolder(), "missing");
    const { client } = await connect({
      args: [],
      cwd: makeNamedFolder("cwd"),
      ...withRoots(() => [uriOf(missing)], revision),
    });
    const result = await client.callTool({ name: "read", arguments: { path: "which.txt" } });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(missing);
  });
});

describe("the roots of a client that changes them", () => {
  it("are followed, and the next call already works in the new one", async () => {
    let root = makeNamedFolder("before");
    const { client } = await connect({ args: [], cwd: makeFolder(), ...withRoots(() => [uriOf(root)]) });
    expect(await whichRoot(client)).toBe("before");
    root = makeNamedFolder("after");
    await client.sendRootsListChanged();
    expect(await whichRoot(client)).toBe("after");
  });

  it("announce a changed list of tools where the roots out of reach changed", async () => {
    const roots = [uriOf(makeNamedFolder("one"))];
    const { client } = await connect({ args: [], cwd: makeFolder(), ...withRoots(() => roots) });
    await client.listTools();
    const changed = vi.fn();
    client.setNotificationHandler("notifications/tools/list_changed", changed);
    const other = makeNamedFolder("other");
    roots.push(uriOf(other));
    await client.sendRootsListChanged();
    await vi.waitFor(() => expect(changed).toHaveBeenCalled(), { timeout: 5_000 });
    expect((await client.listTools()).tools[0]?.description).toContain(other);
  });
});
