/**
 * Owns the ordered list of tools: this order is the order of names, definitions, documentation and listings.
 * Leaves mounting to the toolset. Rule: a tool that is not here does not exist.
 */
import { bashTool } from "./bash/bash.ts";
import { browseTool } from "./browse/browse.ts";
import { commitmentsTool } from "./commitments/commitments.ts";
import { deleteTool } from "./delete/delete.ts";
import { editTool } from "./edit/edit.ts";
import { globTool } from "./glob/glob.ts";
import { grepTool } from "./grep/grep.ts";
import { jobsTool } from "./jobs/jobs.ts";
import { listTool } from "./list/list.ts";
import { moveTool } from "./move/move.ts";
import { readTool } from "./read/read.ts";
import { recallTool } from "./recall/recall.ts";
import { webfetchTool } from "./webfetch/webfetch.ts";
import { writeTool } from "./write/write.ts";

export const CATALOG = [
  readTool,
  listTool,
  globTool,
  grepTool,
  editTool,
  writeTool,
  deleteTool,
  moveTool,
  bashTool,
  jobsTool,
  webfetchTool,
  browseTool,
  recallTool,
  commitmentsTool,
] as const;

/** The tools by their bare names, as types. */
export type Catalog = { [T in (typeof CATALOG)[number] as T["name"]]: T };
export type ToolName = keyof Catalog;

/** The bare names of haft's tools, in the order that holds everywhere. */
export const TOOL_NAMES: readonly ToolName[] = CATALOG.map((tool) => tool.name);
