/**
 * Owns the words for what the fence around a command has to say.
 * Leaves finding that out to the worker's side of the host. Rule: a command that the fence stopped is not taken for a
 * bug, and one that ran without a fence is not taken for confined.
 */
import type { Note } from "../../contract/output.ts";
import type { CommandEnd, FenceReport } from "../../contract/shell.ts";
import { keepOnOneLine } from "../../text/one-line.ts";

const MAX_NAMED = 20;

export function noteFence(end: Extract<CommandEnd, { readonly fence?: FenceReport }>): Note[] {
  if (end.fence === undefined) return [];
  const { open, denied, removed } = end.fence;
  const words = [
    ...(open === undefined ? [] : [`not confined: ${open}`]),
    ...denied.map((one) => `commands are confined here, which may be why it failed: ${one}`),
    ...(removed.length === 0 ? [] : [`removed, because a command may not make it: ${nameSome(removed)}`]),
  ];
  return words.map((text) => ({
    code: "other",
    text: keepOnOneLine(text).toWellFormed(),
    audience: "model",
  }));
}

function nameSome(paths: readonly string[]): string {
  const more = paths.length > MAX_NAMED ? [`${paths.length - MAX_NAMED} more`] : [];
  return [...paths.slice(0, MAX_NAMED), ...more].join(", ");
}
