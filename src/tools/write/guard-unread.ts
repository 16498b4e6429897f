/**
 * Owns refusing to overwrite a text that the session has not been shown as it stands.
 * Leaves what was shown to text/seen.ts. Rule: the refusal names what is missing, and a read only where one helps.
 */
import type { Place } from "../../contract/access.ts";
import type { ToolContext } from "../../contract/context.ts";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import { countLinesOf } from "../../text/newline-scanner.ts";
import { coverageOf } from "../../text/seen.ts";
import { linesOfSpans } from "./lines-of-spans.ts";
import { findNoRead } from "./no-read.ts";

/** `bytes` is absent where the file is too large to compare. */
export function guardUnread(context: ToolContext, place: Place, bytes?: Buffer): Refusal | undefined {
  const path = place.shown;
  if (bytes === undefined) return refuse("file-unread", { path, lines: 0, unseen: [], noRead: "too-large" });
  const coverage = coverageOf(context.ports.seen(place.real), bytes);
  if (coverage.known) return undefined;
  const why = findNoRead(place, bytes);
  const noRead = why === undefined ? {} : { noRead: why };
  // All that was not shown as it stands now, so that one read of it is enough.
  const unseen = linesOfSpans(bytes, coverage.unseen);
  if (coverage.isChanged) return refuse("file-changed", { path, lines: unseen, ...noRead });
  return refuse("file-unread", { path, lines: countLinesOf(bytes), unseen, ...noRead });
}
