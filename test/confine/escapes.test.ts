/**
 * Owns that a confined command stays in its fence. Leaves the attempts to escapes.ts.
 * Rule: each is shown to succeed unconfined first, so that a row which could not succeed anywhere proves nothing.
 */
import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mountLoosely } from "../support/loose-toolset.ts";
import { isRoot, makeOutside, type Outside, probe, saySkipped } from "./confine-fixture.ts";
import { ESCAPES } from "./escapes.ts";
import type { Escape } from "./file-escapes.ts";

saySkipped();
const has = (program: string) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
const rows = ESCAPES.filter(
  (row) =>
    (isRoot || row.needsRoot !== true) &&
    (probe.canCutNetwork || row.needsRequire !== true) &&
    (row.needs === undefined || has(row.needs)),
);

describe.runIf(probe.canFence)(
  `of ${rows.length} escapes each succeeds unconfined, and none confined`,
  () => {
    let outside: Outside;
    let segment: string | undefined;
    const toolsets = new Map<string, ReturnType<typeof mountLoosely>>();

    beforeAll(async () => {
      outside = await makeOutside();
      if (has("ipcmk"))
        segment = /\d+/.exec(spawnSync("ipcmk", ["-M", "64"], { encoding: "utf8" }).stdout)?.[0];
    });
    afterAll(async () => {
      await Promise.all([...toolsets.values()].map((tools) => tools.close()));
      if (segment !== undefined) spawnSync("ipcrm", ["-m", segment]);
      await outside.remove();
    });

    async function attempt(row: Escape, confine: "off" | "prefer" | "require") {
      outside.reset();
      const env = { set: outside.variables };
      // The variables change with each process that was ended.
      const key = `${confine} ${outside.variables.VICTIM}`;
      const tools =
        toolsets.get(key) ??
        mountLoosely(outside.root, { tools: ["bash"], confine, shell: { env, timeoutMs: 20_000 } });
      toolsets.set(key, tools);
      const { content } = await tools.call("bash", { command: row.command });
      const says = /^ESCAPED$/m.test(content);
      const isSeen = row.effect?.(outside) ?? says;
      return { content, says, hasEscaped: isSeen && (says || !row.command.includes("ESCAPED")), isSeen };
    }

    it.each(rows.map((row) => [row.about, row] as const))("%s", { timeout: 60_000 }, async (_about, row) => {
      const free = await attempt(row, "off");
      expect(free.hasEscaped, free.content).toBe(true);
      // What is fenced where the network is kept is fenced where it is taken away.
      const mode = row.needsRequire === true ? "require" : "prefer";
      const fenced = await attempt(row, mode);
      expect({ says: fenced.says, isSeen: fenced.isSeen }, `${mode}: ${fenced.content}`).toEqual({
        says: false,
        isSeen: false,
      });
    });
  },
);
