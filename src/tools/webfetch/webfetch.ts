/**
 * Owns `webfetch`: the text at a URL, by one GET.
 * Leaves connecting and its screen to the port `network`, making pages readable to the port `pages`, the words of a
 * page to text/html/. Refuses what is no text. Rule: nothing of the host's is sent: no cookies, no credentials, no
 * referrer; the first line says what came before any text of it does.
 */

import { z } from "zod";
import type { Access } from "../../contract/access.ts";
import type { ToolContext } from "../../contract/context.ts";
import {
  type BareResponse,
  FETCH_TIMEOUT_MS,
  MAX_REDIRECTS,
  type TextResponse,
} from "../../contract/network.ts";
import type { Done, Failed, Note, ToolResult } from "../../contract/output.ts";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import type { DescriptionContext, Tool } from "../../contract/tool.ts";
import { showBytes } from "../../text/show-bytes.ts";
import { type Body, readBody } from "./read-body.ts";
import { excerptBody } from "./show-failure.ts";

const FORMATS = ["markdown", "text", "links", "source"] as const;

const input = z.object({
  url: z.string().min(1).describe("Absolute http or https URL."),
  format: z
    .enum(FORMATS)
    .optional()
    .describe(
      "markdown (default) or text: the readable part of a page; links: all its links; source: as sent.",
    ),
});

type Arguments = z.output<typeof input>;

export interface WebfetchDetails {
  /** After redirects. */
  readonly url: string;
  readonly status: number;
  readonly mediaType?: string;
  readonly format: (typeof FORMATS)[number];
  /** Decoded bytes that were kept. */
  readonly bytes: number;
  readonly isCut: boolean;
  readonly encoding?: string;
  readonly redirects: readonly string[];
  readonly title?: string;
  readonly leftOut: readonly string[];
  readonly needsJavaScript: boolean;
  /** Whether the page could not be converted, so that only its tags were taken out. */
  readonly isPlain: boolean;
}

export const webfetchTool: Tool<"webfetch", typeof input, WebfetchDetails> = {
  name: "webfetch",
  annotations: {
    title: "Fetch a URL",
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  },
  alwaysLoaded: false,
  input,
  describe,
  access,
  run: runWebfetch,
};

function describe({ limits, names }: DescriptionContext): string {
  const browse = names.name("browse");
  const scripts = browse === undefined ? "" : ` Scripts are not run; ${browse} runs them.`;
  return `Fetches the text at a public URL with GET, without cookies or credentials: at most ${MAX_REDIRECTS} redirects, ${FETCH_TIMEOUT_MS / 1_000} s and ${showBytes(limits.fetchMax)}. HTML becomes readable Markdown; navigation, advertisements, forms and scripts are left out, and counted.${scripts}`;
}

/** The port always: a rule for a host and a port does not cover a host alone. What is no web URL connects nowhere. */
function access({ url }: Arguments): Access {
  return { paths: [], runs: [], connects: listHosts(url) };
}

function listHosts(url: string): readonly string[] {
  try {
    const { protocol, hostname, port } = new URL(url);
    if (protocol !== "http:" && protocol !== "https:") return [];
    return [`${hostname}:${port === "" ? (protocol === "https:" ? "443" : "80") : port}`];
  } catch {
    return [];
  }
}

async function runWebfetch(args: Arguments, context: ToolContext): Promise<ToolResult<WebfetchDetails>> {
  const { network } = context.ports;
  if (network === undefined) throw new Error("webfetch was mounted without a network");
  const { limits, mayConnect, signal } = context;
  const response = await network.fetchText({
    url: args.url,
    maxBytes: limits.fetchMax,
    mayConnect,
    signal,
  });
  if (response.kind === "refusal") return response;
  if (response.kind === "bare-response") return failBare(response, args);
  const body = await readBody(response, { format: args.format ?? "markdown", context });
  return response.status >= 400 ? fail(response, body, args) : succeed(response, body, args);
}

function succeed(response: TextResponse, body: Body, args: Arguments): Done<WebfetchDetails> {
  return {
    content: body.content,
    details: describeDetails(response, body, args),
    notes: [...noteEncoding(response), ...body.notes],
  };
}

/** A little of the body: what the server says of the error. */
function fail(response: TextResponse, body: Body, args: Arguments): Failed<WebfetchDetails> {
  return {
    kind: "failed",
    refusal: refuseStatus(response),
    content: excerptBody(body.content),
    details: describeDetails(response, body, args),
    notes: noteEncoding(response),
  };
}

function refuseStatus({ url, status }: Pick<TextResponse, "url" | "status">): Refusal {
  return refuse("http-status", { url, status });
}

function failBare(response: BareResponse, { format = "markdown" }: Arguments): Failed<WebfetchDetails> {
  const { url, status, mediaType } = response;
  return {
    kind: "failed",
    refusal: refuseStatus(response),
    content: excerptBody(`${url}: ${status}, ${mediaType ?? "no type"}, which is no text`),
    details: { url, status, format, ...(mediaType === undefined ? {} : { mediaType }) },
  };
}

function describeDetails(
  response: TextResponse,
  { title, leftOut, needsJavaScript, isPlain }: Body,
  { format = "markdown" }: Arguments,
): WebfetchDetails {
  const { url, status, mediaType, bytes, isCut, encoding, redirects } = response;
  return {
    url,
    status,
    ...(mediaType === undefined ? {} : { mediaType }),
    format,
    bytes,
    isCut,
    encoding,
    redirects,
    ...(title === undefined ? {} : { title }),
    leftOut,
    needsJavaScript,
    isPlain,
  };
}

function noteEncoding({ unknownCharset, encoding, isDamaged }: TextResponse): readonly Note[] {
  const texts = [
    unknownCharset === undefined
      ? undefined
      : `the charset ${JSON.stringify(unknownCharset)} is not known: the text was read as ${encoding}`,
    isDamaged ? `some bytes are not ${encoding} and were read as best they could be` : undefined,
  ].filter((text) => text !== undefined);
  return texts.map((text) => ({ code: "encoding", text, audience: "model" }));
}
