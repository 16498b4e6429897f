/**
 * Owns what tests of list, glob and grep share: a tree made by a shell script and a call of one tool on it.
 * Leaves arguments and permission to the toolset's own tests. Rule: the tool sees real files and a real root.
 */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Place } from "../src/contract/access.ts";
import type { Ports, ToolContext } from "../src/contract/context.ts";
import { DEFAULT_LIMITS, type Limits } from "../src/contract/limits.ts";
import type { Done } from "../src/contract/output.ts";
import type { Programs } from "../src/contract/program.ts";
import { isRefusal, type Refusal } from "../src/contract/refusal.ts";
import type { AnyTool } from "../src/contract/tool.ts";
import { openPrograms } from "../src/process/programs.ts";
import { openRoot } from "../src/root/open-root.ts";
import { locate } from "../src/root/resolve.ts";
import { SHELL_LIMITS } from "./support/shell-limits.ts";

/**
 * The engine that grep is held to, and what was seen of it. The built-in one runs with an empty PATH: it needs neither
 * ripgrep nor git.
 */
export const searchEngine: { option: "always" | "never"; ran: Record<"builtin" | "ripgrep", number> } = {
  option: "never",
  ran: { builtin: 0, ripgrep: 0 },
};

export interface FixtureOptions {
  /** The root, relative to the made directory. Default `root`. */
  readonly root?: string;
  readonly limits?: Partial<Limits>;
  readonly extraIgnore?: readonly string[];
  readonly withholds?: Ports["withholds"];
  readonly signal?: AbortSignal;
}

export interface Fixture {
  /** The directory around the root. */
  readonly around: string;
  readonly root: string;
  shell(script: string): string;
  call(
    tool: AnyTool,
    args: Record<string, unknown>,
    options?: FixtureOptions,
  ): Promise<Done<unknown> | Refusal>;
  /** The text of a call that must succeed. */
  text(tool: AnyTool, args: Record<string, unknown>, options?: FixtureOptions): Promise<string>;
  remove(): void;
}

/** Makes `<tmp>/root` and runs `script` with bash in it. */
export function makeFixture(script: string): Fixture {
  const around = realpathSync(mkdtempSync(join(tmpdir(), "haft-search-")));
  const root = join(around, "root");
  mkdirSync(root);
  const shell = (text: string) =>
    execFileSync("bash", ["-euc", text], {
      cwd: root,
      encoding: "utf8",
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    });
  shell(script);
  const call: Fixture["call"] = async (tool, args, options = {}) => {
    const opened = openRoot({
      root: join(around, options.root ?? "root"),
      extraIgnore: options.extraIgnore ?? [],
    });
    const input = tool.input.parse(args) as never;
    const places = new Map<string, Place>();
    for (const use of tool.access(input).paths) {
      const place = await locate(opened, use);
      if (isRefusal(place)) return place;
      places.set(use.argument, place);
    }
    const result = await withEngine(opened.path, (programs) =>
      tool.run(input, makeContext({ opened, places, options, programs })),
    );
    checkEngine(result, args);
    return result;
  };
  return {
    around,
    root,
    shell,
    call,
    text: async (tool, args, options) => {
      const result = await call(tool, args, options);
      if (isRefusal(result)) throw new Error(`refused: ${result.code} ${JSON.stringify(result.facts)}`);
      return result.content;
    },
    remove: () => rmSync(around, { recursive: true, force: true }),
  };
}

async function withEngine<T>(root: string, act: (programs: Programs | undefined) => Promise<T>): Promise<T> {
  if (searchEngine.option === "always") return act(openPrograms({ root }));
  const path = process.env.PATH;
  process.env.PATH = "";
  try {
    return await act(undefined);
  } finally {
    process.env.PATH = path;
  }
}

/** Fails where another engine ran than the one that the test is about. */
function checkEngine(result: Done<unknown> | Refusal, args: Record<string, unknown>): void {
  if (isRefusal(result)) return;
  const { engine } = result.details as { engine?: "builtin" | "ripgrep" };
  if (engine === undefined) return;
  searchEngine.ran[engine]++;
  const wanted = searchEngine.option === "never" ? "builtin" : "ripgrep";
  if (engine !== wanted) throw new Error(`${engine} ran, not ${wanted}: ${JSON.stringify(args)}`);
}

function makeContext(at: {
  opened: ReturnType<typeof openRoot>;
  places: ReadonlyMap<string, Place>;
  options: FixtureOptions;
  programs: Programs | undefined;
}): ToolContext {
  const { opened, places, options, programs } = at;
  return {
    root: opened,
    cwd: opened.path,
    signal: options.signal ?? new AbortController().signal,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    options: {
      overwriteUnread: false,
      strictEdits: false,
      ripgrep: searchEngine.option,
      shell: SHELL_LIMITS,
    },
    names: { name: (bare) => bare, suggest: (bare, args) => `${bare} ${JSON.stringify(args)}` },
    agentId: "main",
    sessionId: "test",
    ports: {
      seen: () => [],
      withholds: options.withholds ?? (() => undefined),
      keepOldBytes: () => {},
      seenFiles: () => [],
      ...(programs === undefined ? {} : { programs }),
    },
    place: (argument) => {
      const place = places.get(argument);
      if (place === undefined) throw new Error(`no place for ${argument}`);
      return place;
    },
    progress: () => {},
    delegate: () => Promise.reject(new Error("nothing to delegate to")),
  };
}
