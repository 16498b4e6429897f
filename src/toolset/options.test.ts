import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ECHO_TOOLS, mountEcho } from "../../test/support/echo-tools.ts";
import { OptionsError } from "../contract/errors.ts";
import { mountTools } from "./mount-tools.ts";

let root = "";
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "haft-options-")));
  writeFileSync(join(root, "f"), "x\n");
  mkdirSync(join(root, ".git"));
});
afterAll(() => rmSync(root, { recursive: true }));

function thrownBy(act: () => unknown): OptionsError {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(OptionsError);
    return error as OptionsError;
  }
  return expect.fail("nothing was thrown");
}

describe("options", () => {
  it.each([
    [{ root: 5 }, "root"],
    [{ root: undefined }, "root"],
    [{ root: "/nowhere/at/all" }, "root"],
    [{ tools: "read" }, "tools"],
    [{ tools: ["read", "raed"] }, "tools"],
    [{ tools: [1] }, "tools"],
    [{ tools: ["recall"] }, "tools"],
    [{ readOnly: "yes" }, "readOnly"],
    [{ prefix: "file." }, "prefix"],
    [{ prefix: null }, "prefix"],
    [{ prefix: "p".repeat(61) }, "prefix"],
    [{ limits: 5 }, "limits"],
    [{ limits: { readMax: -1 } }, "limits.readMax"],
    [{ limits: { readMax: 1.5 } }, "limits.readMax"],
    [{ limits: { readMax: "9" } }, "limits.readMax"],
    [{ limits: { readMx: 9 } }, "limits.readMx"],
    [{ extraIgnore: "x" }, "extraIgnore"],
    [{ allowGenerated: 1 }, "allowGenerated"],
    [{ overwriteUnread: null }, "overwriteUnread"],
    [{ strictEdits: 0 }, "strictEdits"],
    [{ ripgrep: "maybe" }, "ripgrep"],
    [{ resolve: "x" }, "resolve"],
    [{ refusal: {} }, "refusal"],
    [{ afterWrite: true }, "afterWrite"],
    [{ shell: { timeoutMs: 0 } }, "shell.timeoutMs"],
    [{ shell: { env: { pass: "PATH" } } }, "shell.env.pass"],
    [{ shell: { timeout: 5 } }, "shell.timeout"],
    [{ network: { lookup: 5 } }, "network.lookup"],
    [{ browser: { path: "" } }, "browser.path"],
    [{ isolation: "vm" }, "isolation"],
    [{ confine: "always" }, "confine"],
    [{ redOnly: true }, "redOnly"],
  ])("%j throws with the option's name", (options, name) => {
    const error = thrownBy(() => mountEcho(root, { options: { root, ...options } }));
    expect(error.option).toBe(name);
    expect(error.expected).not.toBe("");
    expect(error.message).toContain(`option ${name}: expected `);
  });

  it("throws for what is no options at all", () => {
    for (const options of [undefined, null, 5, "x", []])
      expect(
        thrownBy(() => mountTools({ catalog: ECHO_TOOLS, preset: { prefix: "", tools: [] } }, options))
          .option,
      ).toBe("root");
  });

  it("names the nearest option, limit and tool", () => {
    expect(thrownBy(() => mountEcho(root, { options: { redOnly: true } })).expected).toContain(
      "readOnly (the nearest name)",
    );
    expect(thrownBy(() => mountEcho(root, { options: { limits: { readMx: 1 } } })).expected).toContain(
      "limits.readMax (the nearest",
    );
    expect(thrownBy(() => mountEcho(root, { options: { tools: ["raed"] } })).expected).toContain(
      "did you mean read?",
    );
    expect(thrownBy(() => mountEcho(root, { options: { tools: ["recall"] } })).expected).toContain(
      "recall needs a session",
    );
  });

  it("takes undefined for every default, and 0 for the default of a limit", () => {
    const undefinedAll = {
      tools: undefined,
      readOnly: undefined,
      prefix: undefined,
      limits: { readMax: 0, grepMax: undefined },
    };
    const tools = mountEcho(root, { options: undefinedAll });
    expect(tools.names()).toEqual(ECHO_TOOLS.map((tool) => tool.name));
  });

  it("mounts in catalogue order, once each, whatever the order here", () => {
    const tools = mountEcho(root, { options: { tools: ["write", "read", "write"] } });
    expect(tools.names()).toEqual(["read", "write"]);
    expect(tools.definitions().map((one) => one.name)).toEqual(["read", "write"]);
    expect(mountEcho(root, { options: { tools: [] } }).names()).toEqual([]);
  });

  it("keeps only tools that change nothing under readOnly, whatever is named", async () => {
    const tools = mountEcho(root, { options: { tools: ["read", "write", "edit"], readOnly: true } });
    expect(tools.names()).toEqual(["read"]);
    const out = await tools.call("write", { path: "a", content: "x" });
    expect(out.isError && out.refusal.code).toBe("tool-unknown");
  });

  it("puts the prefix before each name", async () => {
    const tools = mountEcho(root, { options: { prefix: "file_" } });
    expect(tools.name("read")).toBe("file_read");
    expect(tools.name("list")).toBeUndefined();
    expect(tools.bare("file_read")).toBe("read");
    expect(tools.bare("read")).toBeUndefined();
    expect(tools.handles("file_read")).toBe(true);
    expect(tools.handles("read")).toBe(false);
    expect((await tools.call("file_read", { path: "a" })).isError).toBe(false);
  });

  it("gives the root with its links resolved", () => {
    const alias = join(root, "..", `${root.split("/").at(-1)}-alias`);
    symlinkSync(root, alias);
    expect(mountEcho(alias).root).toBe(root);
    rmSync(alias);
  });
});

describe("definitions", () => {
  it("are plain JSON Schema, made anew each time", () => {
    const tools = mountEcho(root);
    const [first] = tools.definitions();
    expect(first).toEqual({
      name: "read",
      description: "The read of a test.",
      inputSchema: {
        type: "object",
        properties: {
          path: { type: "string" },
          offset: { type: "integer" },
          limit: { type: "integer", minimum: 1 },
          grep: { type: "string" },
        },
        required: ["path"],
        additionalProperties: false,
      },
      annotations: {
        title: "read",
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      },
      alwaysLoaded: false,
    });
    (
      first as unknown as { inputSchema: { properties: Record<string, unknown> } }
    ).inputSchema.properties.path = 5;
    expect(tools.definitions()[0]?.inputSchema.properties.path).toEqual({ type: "string" });
  });

  it("do not show hidden arguments", () => {
    const edit = mountEcho(root)
      .definitions()
      .find((one) => one.name === "edit");
    expect(Object.keys(edit?.inputSchema.properties.edits?.items?.properties ?? {})).toEqual([
      "old_text",
      "new_text",
      "replace_all",
    ]);
  });
});
