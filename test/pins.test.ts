/**
 * Owns what others build on, as literals: exports, names, codes, defaults, options, definitions.
 * Leaves the alias table to src/toolset/aliases.test.ts. Rule: a red pin means "be deliberate", never "update me".
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { RefusalCode } from "../src/contract/refusal.ts";
import * as filesEntry from "../src/files.ts";
import * as haft from "../src/index.ts";
import * as mcpEntry from "../src/mcp.ts";
import { SESSION_OPTION_NAMES } from "../src/session/session-options.ts";
import { CATALOG } from "../src/tools/catalog.ts";
import { mountTools } from "../src/toolset/mount-tools.ts";
import { OPTION_NAMES } from "../src/toolset/options.ts";

const root = mkdtempSync(join(tmpdir(), "haft-pins-"));
afterAll(() => rmSync(root, { recursive: true }));

/** Of every tool, those that only a session can give among them. */
const definitions = mountTools(
  { catalog: CATALOG, preset: { prefix: "", tools: haft.TOOL_NAMES, inSession: true } },
  { root },
).definitions();

/** Every code stands here once: a missing or misspelled one does not compile. */
const CODES: Readonly<Record<RefusalCode, true>> = {
  "path-outside-root": true,
  "path-missing": true,
  "path-invalid": true,
  "path-protected": true,
  "path-not-regular": true,
  "path-is-directory": true,
  "path-not-directory": true,
  "path-exists": true,
  "path-denied": true,
  "path-changed": true,
  "move-into-itself": true,
  "file-binary": true,
  "file-too-large": true,
  "file-encoding": true,
  "file-unread": true,
  "file-changed": true,
  "file-generated": true,
  "file-hard-links": true,
  "file-owner": true,
  "notebook-broken": true,
  "image-invalid": true,
  "pdf-unreadable": true,
  "range-outside": true,
  "edit-no-match": true,
  "edit-ambiguous": true,
  "edit-count": true,
  "edit-no-change": true,
  "input-invalid": true,
  "input-truncated": true,
  "tool-unknown": true,
  "tool-failed": true,
  "pattern-unsupported": true,
  "command-failed": true,
  "command-timed-out": true,
  "command-syntax": true,
  "command-not-started": true,
  "job-unknown": true,
  "worker-lost": true,
  "url-invalid": true,
  "url-blocked": true,
  "redirect-failed": true,
  "fetch-failed": true,
  "fetch-timed-out": true,
  "content-encoding": true,
  "http-status": true,
  "content-type": true,
  "browser-missing": true,
  "browser-failed": true,
  "permission-denied": true,
  "result-missing": true,
  "result-range": true,
  "commitment-unknown": true,
  "commitment-ambiguous": true,
  "commitment-exists": true,
  "commitment-invalid": true,
  "commitment-transition": true,
  "commitment-unproven": true,
  "commitment-criterion": true,
  "commitment-question": true,
  "call-cancelled": true,
  closed: true,
  fault: true,
};

describe("pinned", () => {
  it("the exports of haft", () => {
    expect(Object.keys(haft).sort()).toEqual([
      "DEFAULT_FILE_TOOLS",
      "DEFAULT_LIMITS",
      "DEFAULT_PREFIX",
      "LedgerError",
      "NotFoundError",
      "OptionsError",
      "OutsideRootError",
      "RefusalError",
      "TOOL_NAMES",
      "bounded",
      "defineTool",
      "files",
      "isRefusal",
      "mount",
      "openSession",
      "refuse",
      "under",
      "window",
    ]);
  });

  it("the exports of haft/files", () => {
    expect(Object.keys(filesEntry).sort()).toEqual(["DEFAULT_FILE_TOOLS", "DEFAULT_PREFIX", "files"]);
  });

  it("the exports of haft/mcp", () => {
    expect(Object.keys(mcpEntry)).toEqual(["serveMcp"]);
  });

  it("the names of tools, in catalogue order", () => {
    expect(haft.TOOL_NAMES).toEqual([
      "read",
      "list",
      "glob",
      "grep",
      "edit",
      "write",
      "delete",
      "move",
      "bash",
      "jobs",
      "webfetch",
      "browse",
      "recall",
      "commitments",
    ]);
    expect(haft.DEFAULT_FILE_TOOLS).toEqual(["read", "list", "grep", "edit", "write"]);
    expect(haft.DEFAULT_PREFIX).toBe("file_");
  });

  it("what mount and files give by default, under readOnly, and with all tools named in any order", () => {
    const all = haft.TOOL_NAMES.filter((name) => name !== "recall" && name !== "commitments").reverse();
    expect(haft.mount({ root }).names()).toEqual(["read", "list", "glob", "grep", "edit", "write"]);
    expect(haft.mount({ root, readOnly: true, tools: all }).names()).toEqual([
      "read",
      "list",
      "glob",
      "grep",
      "webfetch",
      "browse",
    ]);
    expect(haft.mount({ root, tools: all }).names()).toEqual(all.toReversed());
    for (const name of ["recall", "commitments"] as const)
      expect(() => haft.mount({ root, tools: [name] })).toThrow(`${name} needs a session`);
    expect(haft.files({ root }).names()).toEqual([
      "file_read",
      "file_list",
      "file_grep",
      "file_edit",
      "file_write",
    ]);
    expect(haft.files({ root, readOnly: true, prefix: "" }).names()).toEqual(["read", "list", "grep"]);
    expect(haft.files({ root, prefix: undefined, tools: ["move", "delete", "read"] }).names()).toEqual([
      "file_read",
      "file_delete",
      "file_move",
    ]);
  });

  it("the options", () => {
    expect(OPTION_NAMES).toEqual([
      "root",
      "tools",
      "readOnly",
      "prefix",
      "limits",
      "extraIgnore",
      "allowGenerated",
      "overwriteUnread",
      "strictEdits",
      "ripgrep",
      "resolve",
      "refusal",
      "afterWrite",
      "shell",
      "network",
      "browser",
      "isolation",
      "confine",
    ]);
  });

  it("the options of a session beside them", () => {
    expect(SESSION_OPTION_NAMES).toEqual([
      "mode",
      "rules",
      "approve",
      "ledger",
      "stateDir",
      "agentId",
      "sessionId",
      "commitments",
      "use",
      "onEvent",
      "saveRule",
      "repeatNotice",
      "signal",
    ]);
  });

  it("what a session has: every tool, the face of a toolset, and what only it can do", async () => {
    const session = await haft.openSession({ root, ledger: "memory" });
    expect(session.names()).toEqual(haft.TOOL_NAMES.filter((name) => name !== "commitments"));
    expect(Object.keys(session).sort()).toEqual([
      "agentId",
      "bare",
      "batch",
      "call",
      "close",
      "commitments",
      "definitions",
      "dispatch",
      "explain",
      "handles",
      "id",
      "ledger",
      "name",
      "names",
      "root",
      "run",
      "wrap",
    ]);
    await session.close();
    const owing = await haft.openSession({ root, ledger: "memory", commitments: { enabled: true } });
    expect(owing.names()).toEqual(haft.TOOL_NAMES);
    expect(Object.keys(owing.commitments).sort()).toEqual([
      "accept",
      "answer",
      "assert",
      "attest",
      "block",
      "cite",
      "close",
      "endEpisode",
      "evaluate",
      "find",
      "history",
      "list",
      "listAll",
      "open",
      "propose",
      "receive",
      "resume",
      "startEpisode",
      "supersede",
      "suspend",
      "unblock",
    ]);
    await owing.close();
    const few = await haft.openSession({ root, ledger: "memory", readOnly: true });
    expect(few.names()).toEqual(["read", "list", "glob", "grep", "recall"]);
    await few.close();
  });

  it("the limits", () => {
    expect(haft.DEFAULT_LIMITS).toEqual({
      readMax: 65_536,
      unrangedMax: 8_192,
      grepMax: 100,
      listMax: 200,
      globMax: 500,
      resultMax: 65_536,
      bashMax: 1_048_576,
      fetchMax: 524_288,
      contextMax: 20,
      lineWindow: 400,
    });
    expect(Object.isFrozen(haft.DEFAULT_LIMITS)).toBe(true);
  });

  it("the codes of refusals", () => {
    expect(Object.keys(CODES)).toHaveLength(62);
  });

  it("the arguments of each tool, and which are required", () => {
    const shown = definitions.map(({ name, inputSchema }) => [
      name,
      ...Object.entries(inputSchema.properties).map(
        ([key, { type }]) => `${key}${inputSchema.required.includes(key) ? "" : "?"}: ${type}`,
      ),
    ]);
    expect(shown).toEqual([
      ["read", "path: string", "offset?: integer", "limit?: integer", "column?: integer", "grep?: string"],
      ["list", "path?: string", "depth?: integer", "glob?: string"],
      ["glob", "pattern: string", "path?: string"],
      [
        "grep",
        "pattern: string",
        "path?: string",
        "glob?: string",
        "ignore_case?: boolean",
        "literal?: boolean",
        "context?: integer",
        "multiline?: boolean",
        "mode?: string",
        "limit?: integer",
      ],
      ["edit", "path: string", "edits: array"],
      ["write", "path: string", "content: string", "overwrite?: boolean"],
      ["delete", "path: string", "recursive?: boolean"],
      ["move", "from: string", "to: string", "overwrite?: boolean"],
      ["bash", "command: string", "timeout_ms?: integer", "cwd?: string", "background?: boolean"],
      ["jobs", "id?: string", "action?: string", "pattern?: string", "port?: integer"],
      ["webfetch", "url: string", "format?: string"],
      ["browse", "url: string", "wait_ms?: integer", "format?: string", "screenshot?: boolean"],
      ["recall", "id?: string", "range?: object", "chars?: object", "grep?: string"],
      ["commitments", "id?: string", "include_closed?: boolean"],
    ]);
  });

  it("what hosts are told of each tool", () => {
    const marks = definitions.map(({ name, annotations, alwaysLoaded }) =>
      [
        name,
        annotations.readOnlyHint && "reads",
        annotations.destructiveHint && "destroys",
        annotations.openWorldHint && "reaches out",
        alwaysLoaded && "always loaded",
      ]
        .filter(Boolean)
        .join(", "),
    );
    expect(marks).toEqual([
      "read, reads, always loaded",
      "list, reads",
      "glob, reads, always loaded",
      "grep, reads, always loaded",
      "edit, destroys",
      "write, destroys",
      "delete, destroys",
      "move, destroys",
      "bash, destroys, reaches out",
      "jobs, destroys",
      "webfetch, reads, reaches out",
      "browse, reads, reaches out",
      "recall, reads, always loaded",
      "commitments, reads, always loaded",
    ]);
  });

  it("schemas as plain as every host can read", () => {
    const check = (node: Record<string, unknown>): void => {
      expect(typeof node.type).toBe("string");
      for (const key of ["$schema", "anyOf", "oneOf", "allOf", "not", "hidden", "nullable"])
        expect(node).not.toHaveProperty(key);
      expect(Math.abs(Number(node.maximum ?? 0))).toBeLessThan(Number.MAX_SAFE_INTEGER);
      if (node.type === "array") check(node.items as Record<string, unknown>);
      if (node.type !== "object") return;
      expect(node.additionalProperties).toBe(false);
      expect(Array.isArray(node.required)).toBe(true);
      for (const inner of Object.values(node.properties as Record<string, Record<string, unknown>>))
        check(inner);
    };
    for (const { inputSchema, description } of definitions) {
      check(inputSchema as unknown as Record<string, unknown>);
      expect(description.isWellFormed()).toBe(true);
    }
  });
});
