/**
 * Owns what stays in the host when tools run in a worker: what the session knows, locks, the host's own functions.
 * Rule: whatever becomes of a worker, the next one's calls go on where the last one's were.
 */
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { CATALOG } from "../../src/tools/catalog.ts";
import { mountTools } from "../../src/toolset/mount-tools.ts";
import { echoTool } from "../support/echo-tools.ts";
import { expectRefusal, expectSuccess, type LooseToolset } from "../support/loose-toolset.ts";
import { listWorkers, openIsolated } from "./isolated.ts";

const ENTRY = "dist/worker-entry/main.js";

/** Ends the one worker there is, from outside. */
function killWorker(): void {
  const [pid, ...others] = listWorkers(ENTRY);
  expect(others).toEqual([]);
  if (pid !== undefined) process.kill(pid, "SIGKILL");
}

/** The host may notice a moment later: a call that comes before that is refused, and no later one. */
async function callAgain(tools: LooseToolset, name: string, args: unknown) {
  const first = await tools.call(name, args);
  return first.isError && first.refusal.code === "worker-lost" ? tools.call(name, args) : first;
}

describe("a worker that is replaced", () => {
  it("leaves known what was read", async () => {
    const { root, tools } = openIsolated();
    writeFileSync(join(root, "a.txt"), "one\ntwo\n");
    expectSuccess(await tools.call("read", { path: "a.txt" }));
    killWorker();
    expectSuccess(await callAgain(tools, "write", { path: "a.txt", content: "three\n" }));
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("three\n");
    writeFileSync(join(root, "b.txt"), "one\n");
    expectRefusal(await tools.call("write", { path: "b.txt", content: "x" }), "file-unread");
  });

  it("leaves known which jobs there were, and that they are lost", async () => {
    const { tools } = openIsolated();
    expectSuccess(await tools.call("bash", { command: "sleep 100", background: true }));
    killWorker();
    const listed = expectSuccess(await callAgain(tools, "jobs", {}));
    expect(listed.content).toContain("job_1");
    const next = expectSuccess(await tools.call("bash", { command: "sleep 100", background: true }));
    expect(next.content).toContain("job_2");
  });
});

describe("locks", () => {
  it("hold between the workers of two toolsets: no edit is lost", async () => {
    const { root, tools, mountAgain } = openIsolated();
    const other = mountAgain();
    writeFileSync(join(root, "a.txt"), "start\n");
    const edits = Array.from({ length: 24 }, (_, index) =>
      (index % 2 === 0 ? tools : other).call("edit", {
        path: "a.txt",
        edits: [{ old_text: "start\n", new_text: `start\n${index}\n` }],
      }),
    );
    for (const output of await Promise.all(edits)) expectSuccess(output);
    const lines = readFileSync(join(root, "a.txt"), "utf8").trim().split("\n").slice(1).map(Number);
    expect(lines.sort((one, two) => one - two)).toEqual(edits.map((_, index) => index));
  });
});

describe("the host's own functions", () => {
  it("run in the host: resolve, refusal, afterWrite", async () => {
    const told: string[] = [];
    const { root, tools } = openIsolated(
      {},
      {
        resolve: (path: string, of: { root: string }) => {
          told.push(`resolve ${process.pid}`);
          return join(of.root, "sub", path);
        },
        refusal: (path: string) => `no ${path} here`,
        afterWrite: (paths: readonly string[]) => void told.push(`${paths.join()} ${process.pid}`),
      },
    );
    expectSuccess(await tools.call("write", { path: "a.txt", content: "x" }));
    expect(readFileSync(join(root, "sub", "a.txt"), "utf8")).toBe("x");
    expect(told).toEqual([`resolve ${process.pid}`, `sub/a.txt ${process.pid}`]);
    expect((await tools.call("read", { path: "b.txt" })).content).toBe("no sub/b.txt here");
  });

  it("own tools do too, even under the name of one of ours", async () => {
    const { root } = openIsolated();
    const own = echoTool({
      name: "read",
      changes: false,
      input: z.object({}),
      run: async () => ({ content: String(process.pid), details: {} }),
    });
    const catalog = [own, ...CATALOG.filter(({ name }) => name === "list")];
    const request = { catalog, preset: { prefix: "", tools: ["read", "list"] } };
    const tools = mountTools(request, { root, isolation: "worker" }) as unknown as LooseToolset;
    expect((await tools.call("read", {})).content).toBe(String(process.pid));
    expect(listWorkers(ENTRY)).toEqual([]);
    expectSuccess(await tools.call("list", {}));
    expect(listWorkers(ENTRY)).toHaveLength(1);
    await tools.close();
  });
});

describe("the worker's process", () => {
  it("is one for all tools, with no key of the host in its environment or arguments", async () => {
    process.env.HAFT_TEST_KEY = "key-of-the-host";
    const { root, tools } = openIsolated({}, { shell: { env: { pass: ["HAFT_TEST_KEY"] } } });
    symlinkSync("/proc", join(root, "link"));
    expectSuccess(await tools.call("list", {}));
    expect(expectSuccess(await tools.call("bash", { command: "echo $HAFT_TEST_KEY" })).content).toContain(
      "key-of-the-host",
    );
    delete process.env.HAFT_TEST_KEY;
    const pids = listWorkers(ENTRY);
    expect(pids).toHaveLength(1);
    for (const file of ["environ", "cmdline"])
      expect(readFileSync(`/proc/${pids[0]}/${file}`, "latin1")).not.toContain("key-of-the-host");
  });

  it("takes arguments and gives results of any size", async () => {
    const { root, tools } = openIsolated({}, { limits: { readMax: 50_000_000, resultMax: 60_000_000 } });
    const content = "ä0123456789\n".repeat(2_000_000);
    expectSuccess(await tools.call("write", { path: "a.txt", content }));
    expect(readFileSync(join(root, "a.txt"), "utf8") === content).toBe(true);
    const read = expectSuccess(await tools.call("read", { path: "a.txt", limit: 1_900_000 }));
    expect(read.content.length).toBeGreaterThan(20_000_000);
  });
});
