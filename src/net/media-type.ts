/**
 * Owns reading a `Content-Type`: the type, its charset, and whether it is a type of text.
 * Leaves what the bytes say to content.ts. No I/O. Rule: a header that cannot be read counts as none.
 */

export interface MediaType {
  /** In lower case, without parameters: `text/html`. */
  readonly essence: string;
  readonly charset?: string;
}

/** How the text of a type is best shown. */
export type TextKind = "html" | "markdown" | "json" | "xml" | "plain";

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const ESSENCE = new RegExp(`^(${TOKEN}/${TOKEN})\\s*(?:;|,|$)`);
const CHARSET = new RegExp(`;\\s*charset\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|'([^']*)'|(${TOKEN}))`, "i");

export function readMediaType(header: string | undefined): MediaType | undefined {
  // Longer ones are an attack on whoever shows them.
  const text = header?.trim().slice(0, 500) ?? "";
  const essence = ESSENCE.exec(text)?.[1]?.toLowerCase();
  if (essence === undefined) return undefined;
  const found = CHARSET.exec(text);
  const charset = (found?.[1] ?? found?.[2] ?? found?.[3])?.replace(/\\(.)/g, "$1").trim();
  return { essence, ...(charset === undefined || charset === "" ? {} : { charset }) };
}

/** Types of text that do not say so in their first half. */
const TEXT_TYPES: ReadonlyMap<string, TextKind> = new Map([
  ["text/html", "html"],
  ["application/xhtml+xml", "html"],
  ["text/markdown", "markdown"],
  ["text/x-markdown", "markdown"],
  ["text/json", "json"],
  ["text/xml", "xml"],
  ["application/json", "json"],
  ["application/jsonl", "json"],
  ["application/x-ndjson", "json"],
  ["application/ndjson", "json"],
  ["application/json5", "json"],
  ["application/xml", "xml"],
  ["application/xml-dtd", "xml"],
  ["application/yaml", "plain"],
  ["application/x-yaml", "plain"],
  ["application/toml", "plain"],
  ["application/javascript", "plain"],
  ["application/x-javascript", "plain"],
  ["application/ecmascript", "plain"],
  ["application/typescript", "plain"],
  ["application/csv", "plain"],
]);

/** Undefined where the type is none of text. */
export function findTextKind(essence: string): TextKind | undefined {
  const named = TEXT_TYPES.get(essence);
  if (named !== undefined) return named;
  if (essence.endsWith("+json")) return "json";
  if (essence.endsWith("+xml")) return "xml";
  if (essence.endsWith("+yaml")) return "plain";
  return essence.startsWith("text/") ? "plain" : undefined;
}
