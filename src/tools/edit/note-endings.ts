/**
 * Owns telling the model that the file's line endings stayed although its new text asked for others.
 * Rule: said wherever a line ending that was asked for is not written, and never for a newline sent out of habit.
 */
import type { MountedNames } from "../../contract/context.ts";
import type { Note } from "../../contract/output.ts";
import type { LineBreak } from "../../text/line-breaks.ts";

export function nameBreak(used: LineBreak): "LF" | "CRLF" {
  return used === "\n" ? "LF" : "CRLF";
}

/** By the index of the edit that asked for the other one. */
export function noteEndings(kept: ReadonlyMap<number, LineBreak>, names: MountedNames): Note[] {
  const write = names.name("write");
  const other = write === undefined ? "" : `; to change them, ${write} the whole file`;
  return [...kept].map(([index, used]) => ({
    code: "line-endings",
    text: `edits[${index}]: the file's line endings were kept (${nameBreak(used)}), not those of new_text${other}`,
    audience: "model",
  }));
}
