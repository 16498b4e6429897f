/**
 * Owns what a prepared call would change, as a diff, before it runs.
 * Leaves computing it to the tools, which do it by the code that makes the change. Rule: nothing is written, nothing
 * counts as seen, and a preview that fails is none.
 */
import type { ToolContext } from "../contract/context.ts";
import type { Refusal } from "../contract/refusal.ts";
import type { Mounted, PreparedCall } from "./mounted.ts";
import { makeContext } from "./run.ts";

/** The diff; the refusal that the call would end in; undefined where the tool cannot tell. */
export async function previewCall(
  mounted: Mounted,
  prepared: PreparedCall,
  signal: AbortSignal = new AbortController().signal,
): Promise<string | Refusal | undefined> {
  const { tool, input } = prepared;
  if (tool.preview === undefined) return undefined;
  const context = makeContext(mounted, prepared, { signal });
  try {
    if (mounted.isolation !== undefined)
      return await mounted.isolation.preview({ mounted, prepared, context });
    const preview = tool.preview as (input: unknown, context: ToolContext) => Promise<string | Refusal>;
    return await preview(input, context);
  } catch {
    // The call itself will meet the same failure and tell it.
    return undefined;
  }
}
