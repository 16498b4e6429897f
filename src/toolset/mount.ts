/**
 * Owns `mount`: all tools of the catalogue over one root, those that stay inside it by default.
 * Leaves the file preset to files.ts. Rule: tools that run commands or reach the network are mounted only when named.
 */
import { CATALOG } from "../tools/catalog.ts";
import { mountTools } from "./mount-tools.ts";
import type { MountOptions } from "./options.ts";
import type { OwnToolsOf, PrefixOf, Toolset } from "./toolset.ts";

export type CatalogTool = (typeof CATALOG)[number];

/** Mounted where `tools` is absent: what stays inside the root and loses nothing by itself. */
export const DEFAULT_TOOLS = ["read", "list", "glob", "grep", "edit", "write"] as const;

/**
 * Mounts tools over one directory. `delete`, `move` and what reaches beyond the root (`bash`, `jobs`, `webfetch`,
 * `browse`) are mounted only when named. Nothing asks before a call runs: what is mounted may be used. For permission, open a session.
 * Throws `OptionsError` for wrong options; no call throws after that.
 */
export function mount<const Options extends MountOptions<CatalogTool["name"]>>(
  options: Options,
): Toolset<CatalogTool | OwnToolsOf<Options>, PrefixOf<Options, "">> {
  return mountTools({ catalog: CATALOG, preset: { prefix: "", tools: DEFAULT_TOOLS } }, options);
}
