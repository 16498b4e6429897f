import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { nodeDisk } from "../../src/root/disk.ts";
import { inspect } from "../../src/root/inspect.ts";
import { globTool } from "../../src/tools/glob/glob.ts";
import { listTool } from "../../src/tools/list/list.ts";
import { mountTools } from "../../src/toolset/mount-tools.ts";
import { type Fixture, makeFixture, placeAt } from "./fixture.ts";

let fixture: Fixture;
beforeEach(() => {
  fixture = makeFixture();
});
afterEach(() => {
  fixture.remove();
});

/** A disk on which something happens as soon as `name` was looked at. */
function diskThat(name: string, happens: () => void) {
  let done = false;
  return {
    ...nodeDisk,
    lstat: async (path: string | Buffer) => {
      const stats = await nodeDisk.lstat(path);
      if (!done && basename(String(path)) === name) {
        done = true;
        happens();
      }
      return stats;
    },
  };
}

describe("an entry that is exchanged while it is looked at", () => {
  test.each([
    ["a directory", (path: string) => mkdirSync(path)],
    ["nothing", () => {}],
  ])("is path-changed where a link becomes %s", async (_what, make) => {
    const path = join(fixture.box, "l");
    symlinkSync("nowhere", path);
    const disk = diskThat("l", () => {
      rmSync(path);
      make(path);
    });
    const root = fixture.withDisk(disk);
    const place = await placeAt(fixture.root, "l", "itself");
    expect(await inspect(root, place)).toMatchObject({ kind: "refusal", code: "path-changed" });
  });

  test.runIf(process.platform === "linux").each([
    ["list", { path: "d" }, "after"],
    ["list", { path: "d" }, "before"],
    ["list", { path: "d" }, "resolved, before"],
    ["glob", { pattern: "*", path: "d" }, "resolved, before"],
  ])(
    "is path-changed for %s %j of a directory that becomes a link %s it was looked at",
    async (tool, args, when) => {
      const path = join(fixture.box, "d");
      mkdirSync(path);
      writeFileSync(join(fixture.base, "secret"), "");
      const exchange = () => {
        renameSync(path, join(fixture.box, "x"));
        symlinkSync("..", path);
      };
      const disk = when === "after" ? diskThat("d", exchange) : { ...nodeDisk };
      if (when === "before") {
        let looked = 0;
        disk.lstat = async (at) => {
          if (basename(String(at)) === "d" && looked++ === 0) exchange();
          return nodeDisk.lstat(at);
        };
      }
      if (when === "resolved, before") {
        disk.realpath = async (at) => {
          const real = await nodeDisk.realpath(at);
          if (basename(String(at)) === "d") exchange();
          return real;
        };
      }
      const toolset = mountTools(
        { catalog: [listTool, globTool], preset: { tools: ["list", "glob"], prefix: "" } },
        { root: fixture.box },
        { disk },
      );
      const output = await toolset.call(tool, args);
      await toolset.close();
      expect(output).toMatchObject({ isError: true, refusal: { code: "path-changed" } });
      expect(output.content).not.toContain("secret");
    },
  );
});
