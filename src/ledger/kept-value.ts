/**
 * Owns how a value stands in an entry: as JSON in its place, or, where it is long, as the address of its JSON.
 * Leaves keeping the bytes to the store. Rule: whatever a tool or a host put into a call, it has a JSON form; a value
 * that has none never fails the call that it belongs to.
 *
 * JSON also makes any text safe for SQLite: NUL and lone surrogates are escaped in it. Drivers cut text at a NUL.
 */
import { type EncodedBlob, encodeText } from "./blob.ts";
import { getBlob, readBlobText } from "./read-blob.ts";
import type { Store } from "./store.ts";

/** Characters of JSON that stay in the entry: most arguments do, a whole file that is written does not. */
const INLINE_MAX = 2_048;

export type Kept = { readonly value: unknown } | { readonly at: string };

/** `blobs` gets what has to be kept beside the entry. Undefined for undefined. */
export function keepValue(value: unknown, blobs: EncodedBlob[]): Kept | undefined {
  if (value === undefined) return undefined;
  const json = toJson(value);
  if (json.length <= INLINE_MAX) return { value: JSON.parse(json) };
  const blob = encodeText(json);
  blobs.push(blob);
  return { at: blob.hash };
}

export function loadValue(kept: Kept | undefined, store: Store): unknown {
  const json = loadJson(kept, store);
  return json === undefined ? undefined : JSON.parse(json);
}

/** The JSON text alone, for whoever only looks into it. */
export function loadJson(kept: Kept | undefined, store: Store): string | undefined {
  if (kept === undefined) return undefined;
  if (!("at" in kept)) return JSON.stringify(kept.value);
  return readBlobText(store, getBlob(kept.at, store));
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value, replaceOdd) ?? "null";
  } catch (error) {
    // A cycle, or a `toJSON` that throws.
    const why = error instanceof Error ? (error.message.split("\n")[0] ?? "") : "unknown";
    return JSON.stringify({ notJson: why });
  }
}

function replaceOdd(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Error) return { name: value.name, message: value.message };
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString("base64") };
  return value;
}
