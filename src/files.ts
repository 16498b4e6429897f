/**
 * Owns `haft/files`: the file tools alone, under the prefix `file_`.
 * Leaves everything else unloaded: this entry imports the file tools and nothing of shell, web or sessions.
 * Rule: the order is the catalogue's.
 */

import { deleteTool } from "./tools/delete/delete.ts";
import { editTool } from "./tools/edit/edit.ts";
import { grepTool } from "./tools/grep/grep.ts";
import { listTool } from "./tools/list/list.ts";
import { moveTool } from "./tools/move/move.ts";
import { readTool } from "./tools/read/read.ts";
import { writeTool } from "./tools/write/write.ts";
import { mountTools } from "./toolset/mount-tools.ts";
import type { MountOptions } from "./toolset/options.ts";
import type { OwnToolsOf, PrefixOf, Toolset } from "./toolset/toolset.ts";

const FILE_TOOLS = [readTool, listTool, grepTool, editTool, writeTool, deleteTool, moveTool] as const;

/** The tools of the preset, as types. */
export type FileTool = (typeof FILE_TOOLS)[number];

/** Put before the names of the preset. Not `file.`: providers accept letters, digits, `_` and `-` in names. */
export const DEFAULT_PREFIX = "file_";

/** What `files` mounts where `tools` is absent. `delete` and `move` are mounted only when named: neither is needed to make a change, and both lose work when wrong. */
export const DEFAULT_FILE_TOOLS = ["read", "list", "grep", "edit", "write"] as const;

/** Mounts the file tools over one directory. Throws `OptionsError` for wrong options; no call throws after that. */
export function files<const Options extends MountOptions<FileTool["name"]>>(
  options: Options,
): Toolset<FileTool | OwnToolsOf<Options>, PrefixOf<Options, typeof DEFAULT_PREFIX>> {
  return mountTools(
    { catalog: FILE_TOOLS, preset: { prefix: DEFAULT_PREFIX, tools: DEFAULT_FILE_TOOLS } },
    options,
  );
}
