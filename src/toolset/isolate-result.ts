/**
 * Owns checking what a worker says that a tool gave, and what a tool of a host's own gives.
 * Leaves what becomes of it to run.ts. Rule: whatever the host goes on to use has the shape that it expects, or the
 * call is refused as one whose worker does not keep to its protocol.
 */
import { WorkerError } from "../contract/errors.ts";
import type { Note, SeenRange, Sight, ToolResult } from "../contract/output.ts";
import type { Refusal } from "../contract/refusal.ts";

type Fields = Readonly<Record<string, unknown>>;

const MEDIA_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

export function readToolResult(value: unknown): ToolResult<unknown> {
  if (findMisfit(value) !== undefined) throw unfit();
  return value as ToolResult<unknown>;
}

/** What of a value is not as a tool's result has it; undefined where it is one. */
export function findMisfit(value: unknown): string | undefined {
  if (isRefusalShape(value)) return undefined;
  if (!isFields(value)) return "an object";
  const { kind, content, refusal, images, notes, sights, changed } = value;
  if (typeof content !== "string") return "content, a string";
  if (kind !== undefined && kind !== "failed") return 'kind, absent or "failed"';
  if (kind === "failed" && !isRefusalShape(refusal)) return "refusal, as refuse() makes it";
  if (!isListOf(images, isImage)) return "images, each { mediaType, base64, width, height }";
  if (!isListOf(notes, isNote)) return "notes, each { code, text, audience }";
  if (!isListOf(sights, isSight)) return "sights, each { file, ranges, replace }";
  return isListOf(changed, isText) ? undefined : "changed, an array of paths";
}

export function readPreview(value: unknown): string | Refusal | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string" || isRefusalShape(value)) return value;
  throw unfit();
}

function unfit(): WorkerError {
  return new WorkerError("sent something that is not its protocol");
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isRefusalShape(value: unknown): value is Refusal {
  return (
    isFields(value) && value.kind === "refusal" && typeof value.code === "string" && isFields(value.facts)
  );
}

function isListOf(value: unknown, fits: (one: unknown) => boolean): boolean {
  return value === undefined || (Array.isArray(value) && value.every(fits));
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isImage(value: unknown): boolean {
  if (!isFields(value)) return false;
  const { mediaType, base64, width, height } = value;
  return MEDIA_TYPES.includes(String(mediaType)) && isText(base64) && isCount(width) && isCount(height);
}

function isNote(value: unknown): value is Note {
  return (
    isFields(value) &&
    isText(value.code) &&
    isText(value.text) &&
    (value.audience === "model" || value.audience === "host")
  );
}

function isSight(value: unknown): value is Sight {
  return (
    isFields(value) &&
    isText(value.file) &&
    typeof value.replace === "boolean" &&
    Array.isArray(value.ranges) &&
    value.ranges.every(isRange)
  );
}

function isRange(value: unknown): value is SeenRange {
  if (!isFields(value)) return false;
  const { start, end, hash, endsFile } = value;
  return isCount(start) && isCount(end) && isText(hash) && typeof endsFile === "boolean";
}
