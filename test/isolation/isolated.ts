/**
 * Owns mounting tools in a worker for the tests of isolation, and looking for workers that are left.
 * Rule: a folder of its own for each; looks only.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach } from "vitest";
import { CATALOG } from "../../src/tools/catalog.ts";
import type { WorkerInternals } from "../../src/toolset/give-worker.ts";
import { mountTools } from "../../src/toolset/mount-tools.ts";
import { FILE_TOOLS, type LooseToolset } from "../support/loose-toolset.ts";

export function programFile(name: string): string {
  return fileURLToPath(new URL(`programs/${name}`, import.meta.url));
}

const opened: { readonly base: string; readonly tools: LooseToolset[] }[] = [];

afterEach(async () => {
  for (const { base, tools } of opened.splice(0)) {
    for (const one of tools) await one.close();
    rmSync(base, { recursive: true, force: true });
  }
});

export function openIsolated(
  worker: WorkerInternals = {},
  options: Readonly<Record<string, unknown>> = {},
): { readonly root: string; readonly tools: LooseToolset; mountAgain(): LooseToolset } {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-isolated-")));
  const root = join(base, "root");
  mkdirSync(root);
  const held: LooseToolset[] = [];
  opened.push({ base, tools: held });
  const mountAgain = () => {
    const request = { catalog: CATALOG, preset: { prefix: "", tools: [...FILE_TOOLS, "bash", "jobs"] } };
    const all = { root, isolation: "worker", ripgrep: "never", ...options };
    const tools = mountTools(request, all, { worker }) as unknown as LooseToolset;
    held.push(tools);
    return tools;
  };
  return { root, tools: mountAgain(), mountAgain };
}

/** Pids of this process's children that run this file. A zombie runs nothing. */
export function listWorkers(file: string): number[] {
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
        const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        if (Number(parent) !== process.pid || state === "Z" || state === "X") return false;
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(file);
      } catch {
        return false;
      }
    });
}
