/**
 * Owns whether a response is text, by its header and by its bytes, and that text.
 * Leaves the charset to charset.ts, HTML to its converter. No I/O.
 * Rule: both have to agree. A picture called `text/html` is a picture, and a program called nothing is judged by its
 * bytes.
 */
import { KIND_BYTES, kindOf } from "../text/kinds.ts";
import { type Charset, decodeText, findCharset } from "./charset.ts";
import { findTextKind, readMediaType, type TextKind } from "./media-type.ts";
import type { Fetched, ResponseHead } from "./pinned-fetch.ts";

export interface TextContent {
  readonly kind: "text";
  /** As the header says; absent where it says nothing. */
  readonly mediaType?: string;
  readonly textKind: TextKind;
  readonly charset: Charset;
  readonly text: string;
  /** Whether some bytes did not fit the encoding. */
  readonly isDamaged: boolean;
}

/** `by: "bytes"` means that the header says text, or nothing, and the bytes do not. */
export interface NotText {
  readonly kind: "not-text";
  readonly by: "header" | "bytes";
  readonly mediaType?: string;
  /** What the bytes are, where that was looked at: `png image`, `zip archive`, `binary`. */
  readonly found?: string;
}

/** Whether the body is worth reading: for `wantsBody` of a fetch. */
export function mayBeText({ headers }: Pick<ResponseHead, "headers">): boolean {
  const type = readMediaType(headers.get("content-type"));
  return type === undefined || findTextKind(type.essence) !== undefined;
}

export async function readContent(
  of: Pick<Fetched, "headers" | "body" | "isCut">,
): Promise<TextContent | NotText> {
  const { body } = of;
  const type = readMediaType(of.headers.get("content-type"));
  const named = type === undefined ? {} : { mediaType: type.essence };
  const declared = type === undefined ? sniffKind(body) : findTextKind(type.essence);
  if (declared === undefined) return { kind: "not-text", by: "header", ...named };
  const charset = await findCharset({ body, label: type?.charset, kind: declared });
  const found = findBinary(body, charset);
  if (found !== undefined) return { kind: "not-text", by: "bytes", found, ...named };
  const decoded = decodeText({ body, encoding: charset.encoding, isCut: of.isCut });
  return { kind: "text", textKind: declared, charset, ...decoded, ...named };
}

/** What the bytes are where they are no text. */
function findBinary(body: Uint8Array, charset: Charset): string | undefined {
  const kind = kindOf(body.subarray(0, KIND_BYTES));
  if (kind.kind === "image") return `${kind.image} image`;
  if (kind.kind === "pdf") return "PDF";
  if (kind.kind === "binary") return kind.name;
  // Every other character of UTF-16 has a NUL; in all other encodings there is none in text.
  return !charset.encoding.startsWith("utf-16") && body.includes(0) ? "binary" : undefined;
}

const HTML_START = /^\s*<(?:!doctype\s+html|html|head|body|title|meta|link|script|style|div|p|h1|a|table)\b/i;

/** For a response that does not say what it is. */
function sniffKind(body: Uint8Array): TextKind {
  const start = Buffer.from(body.subarray(0, KIND_BYTES * 4)).toString("latin1");
  // Comments go first, each to its own end: as a repeated part of the pattern they could be divided in countless ways.
  const head = start.replace(/^\xef\xbb\xbf/, "").replace(/<!--[\s\S]*?-->/g, "");
  if (HTML_START.test(head)) return "html";
  return /^\s*<\?xml\s/.test(head) ? "xml" : "plain";
}
