/**
 * Owns that everyday work goes on in the fence, and that what may not is told with its cause.
 * Leaves the commands to ordinary.ts. Rule: the answer is the one that an unconfined command gives, but for the notes.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, get } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSession } from "../../src/index.ts";
import { type LooseToolset, mountLoosely } from "../support/loose-toolset.ts";
import { makeOutside, type Outside, probe, saySkipped } from "./confine-fixture.ts";
import { HELD, ORDINARY } from "./ordinary.ts";

saySkipped();
const has = (program: string) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
const rows = ORDINARY.filter(({ needs }) => needs === undefined || has(needs));

describe.runIf(probe.canFence)(`${rows.length} ordinary commands in the fence`, () => {
  let outside: Outside;
  let tools: LooseToolset;
  beforeAll(async () => {
    outside = await makeOutside();
    const shell = { env: { set: { HOME: outside.variables.HOME } } };
    tools = mountLoosely(outside.root, {
      tools: ["bash", "jobs", "grep"],
      confine: "prefer",
      ripgrep: "auto",
      shell,
    });
  });
  afterAll(async () => {
    await tools.close();
    await outside.remove();
  });

  it.each(rows.map((row) => [row.about, row] as const))("%s", { timeout: 120_000 }, async (_about, row) => {
    outside.reset();
    const { isError, content, notes } = await tools.call("bash", { command: row.command });
    expect(content).toMatch(row.prints);
    expect(isError, content).toBe(false);
    expect(notes).toEqual([]);
  });

  it.each(HELD.map((row) => [row.about, row] as const))(
    "%s is refused, and told why",
    async (_about, row) => {
      outside.reset();
      const { content } = await tools.call("bash", { command: row.command });
      expect(content).toContain("git's configuration, hooks and attributes are read-only for commands");
    },
  );

  it("names what it removed", async () => {
    outside.reset();
    const { content, isError } = await tools.call("bash", {
      command:
        "echo '* filter=x' >.git/info/attributes; echo x >.git/config.worktree; echo '{}' >haft.config.json",
    });
    expect(isError).toBe(false);
    expect(content).toContain(
      "removed, because a command may not make it: .git/config.worktree, .git/info/attributes, haft.config.json",
    );
  });

  it("runs a job that is read, waited for and stopped", async () => {
    outside.reset();
    const started = await tools.call("bash", { command: "echo begun; sleep 300", background: true });
    const id = /job_\d+/.exec(started.content)?.[0];
    expect((await tools.call("jobs", { action: "wait", id, pattern: "begun" })).content).toContain("begun");
    const stopped = await tools.call("jobs", { action: "stop", id });
    expect(stopped.isError, stopped.content).toBe(false);
  });

  it("keeps /tmp from one command to the next, and from the host", async () => {
    await tools.call("bash", { command: "echo kept >/tmp/between" });
    expect((await tools.call("bash", { command: "cat /tmp/between" })).content).toContain("kept");
    expect(spawnSync("cat", ["/tmp/between"]).status).not.toBe(0);
  });

  it("leaves a server behind that the host reaches", async () => {
    const port = await findPort();
    const server = `require("http").createServer((q, s) => s.end("served")).listen(${port}, "127.0.0.1", () => console.log("listens"))`;
    const left = await tools.call("bash", { command: `node -e '${server}' & sleep 0.2` });
    const id = /job_\d+/.exec(left.content)?.[0];
    const met = await tools.call("jobs", { action: "wait", id, port });
    expect(met.isError, met.content).toBe(false);
    expect(await fetchText(port)).toBe("served");
    await tools.call("jobs", { action: "stop", id });
    await expect(fetchText(port)).rejects.toThrow();
  });

  it("lets grep search by ripgrep", async () => {
    outside.reset();
    expect((await tools.call("grep", { pattern: "^one$" })).content).toContain("a.txt");
  });
});

/** A folder above something that is kept apart is another mount: what is renamed across its border has to be copied. */
describe.runIf(probe.canFence)("the same where rules withhold and lock below folders", () => {
  let outside: Outside;
  let session: Awaited<ReturnType<typeof openSession>>;
  const kept = ["nested/deep/.env", "nested/deep/keys/one", "held/a/b.lock"];
  beforeAll(async () => {
    outside = await makeOutside();
    session = await openSession({
      root: outside.root,
      ledger: "memory",
      mode: "full-access",
      confine: "prefer",
      rules: {
        deny: ["reads(**/.env)", "reads(nested/deep/keys/**)", "writes(**/*.lock)", "writes(locked/**)"],
      },
      shell: { env: { set: { HOME: outside.variables.HOME ?? "" } } },
    });
  });
  afterAll(async () => {
    await session.close();
    await outside.remove();
  });
  function reset(): void {
    outside.reset();
    for (const path of kept) {
      mkdirSync(join(outside.root, path, ".."), { recursive: true });
      writeFileSync(join(outside.root, path), "kept\n");
    }
    writeFileSync(join(outside.root, ".gitignore"), "nested\nheld\n");
  }

  it.each(rows.map((row) => [row.about, row] as const))("%s", { timeout: 120_000 }, async (_about, row) => {
    reset();
    const { isError, content } = await session.call("bash", { command: row.command });
    expect(content).toMatch(row.prints);
    expect(isError, content).toBe(false);
  });

  it.each([
    [
      "moves a file into such a folder and out of it",
      "mv a.txt nested/deep/ && mv nested/deep/a.txt b && cat b",
    ],
    ["moves a file within one", "echo one >held/x && mv held/x held/y && cat held/y"],
    [
      "builds in one",
      "mkdir -p held/out.tmp && echo one >held/out.tmp/f && mv held/out.tmp held/out && cat held/out/f",
    ],
    ["moves a folder of one out of it", "mkdir held/d && echo one >held/d/f && mv held/d d && cat d/f"],
    [
      "sees the names in it, and what is not withheld",
      "echo one >nested/deep/mine && cat nested/deep/mine && ls held/a",
    ],
  ])("%s", { timeout: 60_000 }, async (_about, command) => {
    reset();
    const { isError, content } = await session.call("bash", { command });
    expect(content).toContain("one");
    expect(isError, content).toBe(false);
  });

  it("tells why a program that renames across the border, and does not copy, fails", async () => {
    reset();
    const { content } = await session.call("bash", { command: "git mv a.txt held/a.txt" });
    expect(content).toContain("what is renamed into it or out of it has to be copied instead");
  });
});

function findPort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

function fetchText(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ host: "127.0.0.1", port }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => resolve(text));
    }).on("error", reject);
  });
}
