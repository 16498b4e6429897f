/**
 * Owns the flags that say which tools are mounted and where, the same for every command that mounts.
 * Leaves checking them to `mount`, which names what is wrong. Rule: a flag is an option of `mount` and no more.
 */
import type { Command } from "commander";
import { type CatalogTool, mount } from "../../toolset/mount.ts";
import type { Toolset } from "../../toolset/toolset.ts";

/** What a surface mounts where the person names nothing: every tool that stays inside the root. */
const SURFACE_TOOLS = ["read", "list", "glob", "grep", "edit", "write", "delete", "move"] as const;

export interface ToolsetFlags {
  readonly root?: string;
  readonly tools?: readonly string[];
  readonly prefix?: string;
  readonly readOnly?: boolean;
}

export function addToolsetFlags(command: Command, rootDefault: string): Command {
  return command
    .option("--root <dir>", `the directory that every path is relative to (default: ${rootDefault})`)
    .option("--tools <names>", `comma-separated names (default: ${SURFACE_TOOLS.join(",")})`, splitNames)
    .option("--prefix <text>", "put before each tool's name")
    .option("--read-only", "mount only the tools that change nothing");
}

export function mountWithFlags(flags: ToolsetFlags, root: string): Toolset {
  return mount({
    root,
    // Names as a person wrote them: `mount` says which are wrong, with the nearest.
    tools: (flags.tools as readonly CatalogTool["name"][] | undefined) ?? SURFACE_TOOLS,
    prefix: flags.prefix ?? "",
    readOnly: flags.readOnly ?? false,
  });
}

function splitNames(value: string): string[] {
  return value
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
