/**
 * Owns the definitions of a server of which nothing is configured, as the build wrote them down (scripts/bundle-cli.mjs):
 * making them takes every tool with its schemas, and most servers need them before anything else.
 * Rule: they are what list-definitions.ts gives for the same start. Wherever a flag or a file may have a say, and where
 * anything is not as it should be, there are none, and they are made.
 */
import { readFileSync, statSync } from "node:fs";
import { MODES } from "../../contract/decision.ts";
import type { ToolDefinition } from "../../toolset/toolset.ts";
import { isConfigured } from "../config/places.ts";
import type { Listed } from "../mcp/greet.ts";
import { listAskedByMode } from "./asking-of-modes.ts";
import type { ListRequest } from "./list-definitions.ts";

/** Flags that no definition depends on, and that are seen to be right without opening anything. */
const SILENT = ["root", "mode", "http", "host"];

export function listStandard({ flags, root, cwd }: Omit<ListRequest, "warn">): Listed | undefined {
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  if (given.some(([name]) => !SILENT.includes(name))) return undefined;
  const mode = MODES.find((one) => one === (flags.mode ?? "workspace-write"));
  const place = root ?? cwd;
  if (mode === undefined || !isFolder(place) || isConfigured(place)) return undefined;
  const definitions = readWritten();
  if (definitions === undefined) return undefined;
  const names = new Set(definitions.map(({ name }) => name));
  return { definitions, asking: listAskedByMode(mode, (bare) => (names.has(bare) ? bare : undefined)) };
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Absent where the sources run as they are. */
function readWritten(): readonly ToolDefinition[] | undefined {
  try {
    const text = readFileSync(new URL("./definitions.json", import.meta.url), "utf8");
    return JSON.parse(text) as readonly ToolDefinition[];
  } catch {
    return undefined;
  }
}
