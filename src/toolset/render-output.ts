/**
 * Owns putting a result or a refusal into the output that leaves: content, notes, the host's own words.
 * Leaves refusal prose to phrase.ts. Rule: what leaves is well-formed; notes for the model are the last lines of
 * `content`, each `[note] …`.
 */
import { NotFoundError, OutsideRootError } from "../contract/errors.ts";
import type { Done, Failed, Note, ToolOutput } from "../contract/output.ts";
import type { Refusal } from "../contract/refusal.ts";
import type { AnyTool } from "../contract/tool.ts";
import type { Mounted } from "./mounted.ts";
import { phraseRefusal } from "./phrase.ts";
import { clipText } from "./show-value.ts";

/** The last lines of a content: what its notes say to the model. */
export function renderNotes(notes: readonly Note[]): string {
  return notes
    .filter((note) => note.audience === "model")
    .map((note) => `\n[note] ${note.text.replace(/\s*\n\s*/g, " ")}`)
    .join("")
    .toWellFormed();
}

export function renderDone(done: Done<unknown>, notes: readonly Note[]): ToolOutput {
  return {
    isError: false,
    content: appendNotes(done.content.toWellFormed(), notes),
    images: done.images ?? [],
    details: done.details,
    notes,
  };
}

/** A call that failed with a result of its own: that is the content, whole. */
export function renderFailed(failed: Failed<unknown>, notes: readonly Note[]): ToolOutput {
  return {
    isError: true,
    content: appendNotes(failed.content.toWellFormed(), notes),
    images: failed.images ?? [],
    refusal: failed.refusal,
    details: failed.details,
    notes,
  };
}

export interface RefusedCall {
  readonly refusal: Refusal;
  readonly mounted: Mounted;
  /** Absent where the name is unknown. */
  readonly tool?: AnyTool | undefined;
  readonly notes?: readonly Note[];
}

export function renderRefusal({ refusal, mounted, tool, notes = [] }: RefusedCall): ToolOutput {
  const standard = phraseRefusal(refusal, { names: mounted.names, tool });
  const text = askHost(refusal, standard, mounted) ?? standard;
  const ending = renderNotes(notes);
  const longest = Math.max(mounted.limits.resultMax - ending.length, 0);
  return {
    isError: true,
    content: appendNotes(clipText(text.toWellFormed(), longest), notes),
    images: [],
    refusal,
    notes,
  };
}

function appendNotes(content: string, notes: readonly Note[]): string {
  const ending = renderNotes(notes);
  return ending === "" ? content : (content.endsWith("\n") ? content.slice(0, -1) : content) + ending;
}

/** The host's own text for a path refusal; a hook that throws or gives no text changes nothing. */
function askHost(refusal: Refusal, standard: string, { refusal: hook }: Mounted): string | undefined {
  if (hook === undefined) return undefined;
  const reason =
    refusal.code === "path-outside-root"
      ? new OutsideRootError(refusal.facts.path, refusal.facts.why, standard)
      : refusal.code === "path-missing"
        ? new NotFoundError(refusal.facts.path, standard)
        : undefined;
  if (reason === undefined) return undefined;
  try {
    const text: unknown = hook(reason.path, reason);
    return typeof text === "string" && text !== "" ? text : undefined;
  } catch {
    return undefined;
  }
}
