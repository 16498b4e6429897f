/**
 * Owns that everyday work goes on in the fence, and that what may not is told with its cause.
 * Leaves the commands to ordinary.ts. Rule: the answer is the one that an unconfined command gives, but for the notes.
 */
import { spawnSync } from "node:child_process";
import { createServer, get } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
