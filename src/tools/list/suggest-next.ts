/**
 * Owns the call that goes on where a listing was cut: a folder, or the entries of one whose names begin alike.
 * Leaves finding the block to text/next-block.ts. Rule: its answer holds the first entry that was not shown; where none
 * can be told, there is none.
 */
import type { Place } from "../../contract/access.ts";
import type { ToolContext } from "../../contract/context.ts";
import { isRefusal } from "../../contract/refusal.ts";
import { isPlainName, showBinary } from "../../root/show-path.ts";
import type { WalkEntry } from "../../root/walk-counts.ts";
import { compileGlob, steerFilter } from "../../text/glob-pattern.ts";
import { findNextBlock } from "../../text/next-block.ts";

export interface ListArguments {
  readonly depth?: number | undefined;
  readonly glob?: string | undefined;
}

export function suggestNext(at: {
  context: ToolContext;
  place: Place;
  args: ListArguments;
  last: WalkEntry | undefined;
  next: WalkEntry | undefined;
}): string | undefined {
  const { context, place, args, last, next } = at;
  if (last === undefined || next === undefined || !isPlainName(last.path) || !isPlainName(next.path))
    return undefined;
  const { shown } = place;
  const block = findNextBlock(showBinary(last.path), showBinary(next.path));
  if (block === undefined || shown.startsWith("/") || !isPlainName(Buffer.from(shown).toString("latin1")))
    return undefined;
  const path = [shown, block.folder].filter((part) => part !== "" && part !== ".").join("/") || ".";
  // A pattern of paths is relative to the folder that is listed.
  if (args.glob?.includes("/") === true) return undefined;
  const levels = block.folder === "" ? 0 : block.folder.split("/").length;
  const depth = args.depth === undefined ? {} : { depth: Math.max(args.depth - levels, 1) };
  if (block.prefix === undefined)
    return context.names.suggest("list", {
      path,
      ...depth,
      ...(args.glob !== undefined && { glob: args.glob }),
    });
  const names = args.glob ?? "*";
  const glob = `${block.prefix}${names}`;
  if (!/^\*(?![*(])/.test(names) || !takesName(glob, next.path)) return undefined;
  return context.names.suggest("list", { path, glob });
}

function takesName(pattern: string, path: string): boolean {
  const glob = compileGlob(pattern);
  if (isRefusal(glob)) return false;
  const steering = steerFilter(glob);
  return steering.takesFile(steering.start, path.slice(path.lastIndexOf("/") + 1));
}
