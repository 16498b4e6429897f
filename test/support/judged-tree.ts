/**
 * Owns a small tree with links and odd names, and calls made on it under rules: real file tools, and stand-ins for
 * those that run commands, connect, or belong to a host.
 * Leaves expectations to the tests. Rule: a call goes the whole way, through gate and permission, and what runs says so.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { Decision } from "../../src/contract/decision.ts";
import type { ToolOutput } from "../../src/contract/output.ts";
import { type AnyTool, NO_ACCESS } from "../../src/contract/tool.ts";
import {
  openPermission,
  type Permission,
  type PermissionOptions,
  type Verdict,
} from "../../src/permission/permission.ts";
import { openRoot } from "../../src/root/open-root.ts";
import { deleteTool } from "../../src/tools/delete/delete.ts";
import { editTool } from "../../src/tools/edit/edit.ts";
import { globTool } from "../../src/tools/glob/glob.ts";
import { grepTool } from "../../src/tools/grep/grep.ts";
import { listTool } from "../../src/tools/list/list.ts";
import { moveTool } from "../../src/tools/move/move.ts";
import { readTool } from "../../src/tools/read/read.ts";
import { writeTool } from "../../src/tools/write/write.ts";
import { mountTools } from "../../src/toolset/mount-tools.ts";
import { WHERE } from "./where-tools-run.ts";

const FILES: Readonly<Record<string, string>> = {
  "src/a.ts": "alpha\n",
  "src/deep/b.ts": "beta\n",
  "src/a,b.ts": "comma\n",
  "secrets/key.pem": "alpha key\n",
  "secrets/deep/more.pem": "alpha more\n",
  "docs/readme.md": "alpha docs\n",
  "app/[id]/page.tsx": "page\n",
  "app/i/page.tsx": "other page\n",
  "caf\u00e9/menu": "soup\n",
  "notes/with space.txt": "spaced\n",
  "config/.env": "TOKEN=alpha\n",
  ".env": "TOKEN=alpha\n",
};

/** Makes the tree; `remove` removes it. */
export function makeJudgedTree() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "haft-judged-")));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  symlinkSync("secrets", join(root, "link"));
  symlinkSync("../secrets/key.pem", join(root, "docs/key"));
  symlinkSync("../src", join(root, "docs/source"));
  mkdirSync(join(root, "empty"));
  return { root, remove: () => rmSync(root, { recursive: true }) };
}

/** A tool that only says that it ran. */
function standIn(name: string, shape: Record<string, z.ZodType>, access: (input: never) => object): AnyTool {
  return {
    name,
    annotations: {
      title: name,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: true,
    },
    alwaysLoaded: false,
    input: z.object(shape),
    describe: () => `The ${name} of a test.`,
    access: (input: never) => ({ ...NO_ACCESS, ...access(input) }),
    run: async () => ({ content: `${name} ran`, details: {} }),
  } as unknown as AnyTool;
}

const nothing = () => ({});

const TOOLS: readonly AnyTool[] = [
  readTool,
  listTool,
  globTool,
  grepTool,
  editTool,
  writeTool,
  deleteTool,
  moveTool,
  standIn("bash", { command: z.string(), cwd: z.string().optional() }, (input: { command: string }) => ({
    paths: [{ argument: "cwd", path: ".", effect: "enters", link: "follow", mustExist: true }],
    runs: [input.command],
  })),
  standIn("jobs", { id: z.string().optional() }, nothing),
  standIn("webfetch", { host: z.string() }, (input: { host: string }) => ({ connects: [input.host] })),
  standIn("browse", { host: z.string() }, (input: { host: string }) => ({ connects: [input.host] })),
  standIn("recall", {}, nothing),
  standIn("commitments", {}, nothing),
  standIn("deploy", {}, nothing),
  standIn("measure", { path: z.string() }, (input: { path: string }) => ({
    paths: [{ argument: "path", path: input.path, effect: "reads", link: "follow", mustExist: true }],
  })),
];

export interface JudgedOptions extends Partial<Omit<PermissionOptions, "root">> {
  readonly root: string;
  readonly ripgrep?: "always" | "never";
}

export interface Judged {
  readonly permission: Permission;
  /** What is decided, with nothing run. */
  judge(name: string, args: object): Promise<Verdict | { readonly refused: string }>;
  call(name: string, args: object, signal?: AbortSignal): Promise<ToolOutput>;
  /** In the order of the calls. */
  readonly decisions: readonly Decision[];
  close(): Promise<void>;
}

/** Mounts the tools on a tree under rules. */
export function openJudged({ root, ripgrep, ...options }: JudgedOptions): Judged {
  const permission = openPermission({
    mode: "workspace-write",
    tools: ["deploy", "measure"],
    ...options,
    root: openRoot({ root }),
  });
  const decisions: Decision[] = [];
  let judging: ((verdict: Verdict) => void) | undefined;
  const toolset = mountTools(
    { catalog: TOOLS, preset: { prefix: "", tools: TOOLS.map(({ name }) => name) } },
    { root, overwriteUnread: true, ...(ripgrep === undefined ? {} : { ripgrep }), ...WHERE },
    {
      ports: { withholds: permission.withholds },
      withheld: permission.withheld,
      stations: (mounted, { find }) => ({
        around: [],
        between: [
          (next) => async (call, callOptions) => {
            const prepared = find(call);
            if (judging === undefined || prepared === undefined) return next(call, callOptions);
            judging(await permission.judge(prepared));
            return JUDGED;
          },
          permission.station({ mounted, find, onDecision: (_call, decision) => decisions.push(decision) }),
        ],
      }),
    },
  );
  return {
    permission,
    decisions,
    async judge(name, args) {
      let verdict: Verdict | undefined;
      judging = (found) => {
        verdict = found;
      };
      const output = await toolset.call(name, args);
      judging = undefined;
      return verdict ?? { refused: output.content };
    },
    call: (name, args, signal) => toolset.call(name, args, signal === undefined ? {} : { signal }),
    close: () => toolset.close(),
  };
}

const JUDGED: ToolOutput = { isError: false, content: "judged", images: [], details: {}, notes: [] };

/** A root of which only the path is looked at. */
export function makeFakeRoot() {
  return openRoot({ root: realpathSync(tmpdir()) });
}
