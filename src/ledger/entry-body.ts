/**
 * Owns what an entry says: the words of a call on its way in, and of what it gave.
 * Leaves rows and bytes to the store. Rule: what is written here stays readable for ever; a field is added, never
 * given another meaning.
 */
import type { Image, Note, Sight, ToolOutput } from "../contract/output.ts";
import type { Refusal } from "../contract/refusal.ts";
import { type EncodedBlob, encodeBytes, encodeText } from "./blob.ts";
import { type Kept, keepValue, loadValue } from "./kept-value.ts";
import { getBlob, readBlobBytes, readBlobText } from "./read-blob.ts";
import type { Store } from "./store.ts";

/** A call before its tool runs. */
export interface StartedEntry {
  /** Its id in the session. */
  readonly callId: string;
  /** The mounted name. */
  readonly name: string;
  /** The arguments as they were sent. */
  readonly sent: string;
  /** As normalised; absent where they could not be. */
  readonly args?: unknown;
  /** What it said it would touch. */
  readonly access?: unknown;
  /** What permission decided. */
  readonly decision?: unknown;
  /** Milliseconds since 1970. */
  readonly atMs: number;
}

/** The old bytes of a file that a call changed, kept before by `keepBytes`. */
export interface OldBytes {
  /** The real path. */
  readonly path: string;
  /** The address under which `bytes` gives them. */
  readonly hash: string;
  /** How many. */
  readonly bytes: number;
}

export interface EndedEntry {
  readonly callId: string;
  /** Whole, before any window. */
  readonly output: ToolOutput;
  readonly window?: unknown;
  readonly sights: readonly Sight[];
  readonly oldBytes: readonly OldBytes[];
  readonly atMs: number;
  readonly durationMs: number;
}

interface StartedBody {
  readonly name: string;
  readonly sent?: Kept | undefined;
  readonly args?: Kept | undefined;
  readonly access?: Kept | undefined;
  readonly decision?: Kept | undefined;
}

interface KeptImage extends Omit<Image, "base64"> {
  readonly at: string;
}

export interface EndedBody {
  readonly isError: boolean;
  /** The first line of the content, shortened. */
  readonly head: string;
  /** The address of the content. */
  readonly content: string;
  readonly images: readonly KeptImage[];
  readonly details?: Kept | undefined;
  readonly refusal?: Kept | undefined;
  /** The refusal's code, for lists. */
  readonly code?: string | undefined;
  readonly notes?: Kept | undefined;
  readonly window?: Kept | undefined;
  readonly oldBytes?: Kept | undefined;
  readonly durationMs: number;
}

/** An entry and the bytes that must be kept with it. */
export interface Draft<Body> {
  readonly body: Body;
  readonly blobs: readonly EncodedBlob[];
}

/** Characters of a head: one line of a terminal, and a little. */
const HEAD_MAX = 120;

export function draftStarted(entry: StartedEntry): Draft<StartedBody> {
  const blobs: EncodedBlob[] = [];
  const body = {
    name: entry.name,
    sent: keepValue(entry.sent, blobs),
    args: keepValue(entry.args, blobs),
    access: keepValue(entry.access, blobs),
    decision: keepValue(entry.decision, blobs),
  };
  return { body, blobs };
}

export function draftEnded({ output, window, oldBytes, durationMs }: EndedEntry): Draft<EndedBody> {
  const content = encodeText(output.content);
  const blobs = [content];
  const images = output.images.map(({ base64, ...image }) => {
    const blob = encodeBytes(Buffer.from(base64, "base64"));
    blobs.push(blob);
    return { ...image, at: blob.hash };
  });
  const refusal = output.isError ? output.refusal : undefined;
  const body = {
    isError: output.isError,
    head: firstLine(output.content),
    content: content.hash,
    images,
    details: keepValue(output.details, blobs),
    refusal: keepValue(refusal, blobs),
    code: refusal?.code,
    notes: output.notes.length === 0 ? undefined : keepValue(output.notes, blobs),
    window: keepValue(window, blobs),
    oldBytes: oldBytes.length === 0 ? undefined : keepValue(oldBytes, blobs),
    durationMs,
  };
  return { body, blobs };
}

function firstLine(content: string): string {
  // Enough for the head in whatever characters it is written.
  const start = content.slice(0, 2 * HEAD_MAX + 1);
  const line = start.slice(0, start.search(/\r?\n|$/)).toWellFormed();
  return [...line].slice(0, HEAD_MAX).join("");
}

export function loadStarted(json: string, store: Store): Omit<StartedEntry, "callId" | "atMs"> {
  const body = JSON.parse(json) as StartedBody;
  return {
    name: body.name,
    sent: String(loadValue(body.sent, store) ?? ""),
    args: loadValue(body.args, store),
    access: loadValue(body.access, store),
    decision: loadValue(body.decision, store),
  };
}

/** For lists: the tool's name alone. */
export function readName(json: string): string {
  return (JSON.parse(json) as StartedBody).name;
}

export function readStartedBody(json: string): StartedBody {
  return JSON.parse(json) as StartedBody;
}

export function readEndedBody(json: string): EndedBody {
  return JSON.parse(json) as EndedBody;
}

/** The output as the tool gave it. What has no JSON form came back as its nearest (kept-value.ts). */
export function loadOutput(body: EndedBody, store: Store): ToolOutput {
  const shared = {
    content: loadText(body.content, store),
    images: body.images.map(({ at, ...image }) => ({ ...image, base64: loadBase64(at, store) })),
    notes: (loadValue(body.notes, store) ?? []) as Note[],
  };
  const details = loadValue(body.details, store);
  if (!body.isError) return { isError: false, ...shared, details };
  const refusal = loadValue(body.refusal, store) as Refusal;
  return { isError: true, ...shared, refusal, ...(details ? { details } : {}) };
}

export function loadOldBytes(body: EndedBody, store: Store): readonly OldBytes[] {
  return (loadValue(body.oldBytes, store) ?? []) as OldBytes[];
}

function loadText(hash: string, store: Store): string {
  return readBlobText(store, getBlob(hash, store));
}

function loadBase64(hash: string, store: Store): string {
  return Buffer.from(readBlobBytes(store, getBlob(hash, store))).toString("base64");
}
