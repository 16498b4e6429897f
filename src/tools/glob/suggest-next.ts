/**
 * Owns the call that goes on where a glob's answer was cut: a folder, or a pattern of names with the same beginning.
 * Leaves finding the block to text/next-block.ts. Rule: its answer begins with the first path that was not shown; where
 * the pattern does not allow to tell such a call, there is none.
 */
import type { ToolContext } from "../../contract/context.ts";
import { isRefusal } from "../../contract/refusal.ts";
import { isPlainName, showBinary } from "../../root/show-path.ts";
import { compileGlob, steerGlob } from "../../text/glob-pattern.ts";
import { findNextBlock } from "../../text/next-block.ts";
import type { GlobBase } from "./base.ts";

export function suggestNext(at: {
  context: ToolContext;
  base: GlobBase;
  /** As the walk tells them. */
  last: string | undefined;
  next: string | undefined;
}): string | undefined {
  const { context, base, last, next } = at;
  if (last === undefined || next === undefined || !isPlainName(last) || !isPlainName(next)) return undefined;
  const { shown } = base.place;
  const block = findNextBlock(showBinary(last), showBinary(next));
  if (block === undefined || shown.startsWith("/") || !isPlainName(Buffer.from(shown).toString("latin1")))
    return undefined;
  const path = [shown, block.folder].filter((part) => part !== "" && part !== ".").join("/") || ".";
  const anywhere = base.pattern.startsWith("**/");
  if (block.prefix === undefined)
    return anywhere ? context.names.suggest("glob", { pattern: base.pattern, path }) : undefined;
  const names = anywhere ? base.pattern.slice(3) : base.pattern;
  const pattern = `${block.prefix}${names}`;
  const isOfNames = anywhere || block.folder === "";
  if (!isOfNames || !mayBegin(names) || !takesName(pattern, next)) return undefined;
  return context.names.suggest("glob", { pattern, path });
}

/** What a name begins with can be put before a pattern of names that may begin with anything. */
function mayBegin(names: string): boolean {
  return /^\*(?![*(])[^/]*$/.test(names);
}

function takesName(pattern: string, path: string): boolean {
  const glob = compileGlob(pattern);
  if (isRefusal(glob)) return false;
  const steering = steerGlob(glob);
  return steering.takesFile(steering.start, path.slice(path.lastIndexOf("/") + 1));
}
