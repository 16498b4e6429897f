/**
 * Owns the port by which tools get text from the network.
 * Leaves hops to pinned-fetch.ts, what the bytes are to content.ts. Rule: opening loads nothing that connects; what
 * a host allows is read once.
 */
import type { BareResponse, Network, TextRequest, TextResponse } from "../contract/network.ts";
import { type Refusal, refuse } from "../contract/refusal.ts";
import type { Lookup } from "./look-up.ts";
import type { Fetched } from "./pinned-fetch.ts";
import { showUrl } from "./shown-url.ts";

export interface NetworkOptions {
  readonly privateHosts?: readonly string[] | undefined;
  readonly lookup?: Lookup | undefined;
}

export function openNetwork(options: NetworkOptions): Network {
  return { fetchText: (request) => fetchText(options, request) };
}

async function fetchText(
  { privateHosts, lookup }: NetworkOptions,
  { url, maxBytes, mayConnect, signal }: TextRequest,
): Promise<TextResponse | BareResponse | Refusal> {
  const [{ fetchPinned }, { openScreen }, { mayBeText }, { toRefusal }] = await Promise.all([
    import("./pinned-fetch.ts"),
    import("./screen.ts"),
    import("./content.ts"),
    import("./net-refusal.ts"),
  ]);
  const screen = openScreen({
    ...(privateHosts === undefined ? {} : { privateHosts }),
    ...(lookup === undefined ? {} : { lookup }),
    ...(mayConnect === undefined ? {} : { mayConnect }),
  });
  const fetched = await fetchPinned({ url, screen, maxBytes, signal, wantsBody: mayBeText });
  return fetched.kind === "fetched" ? await readText(fetched) : toRefusal(fetched, signal);
}

async function readText(fetched: Fetched): Promise<TextResponse | BareResponse | Refusal> {
  const { readContent } = await import("./content.ts");
  const { status, redirects, body, isCut } = fetched;
  const url = fetched.url.href;
  const content = await readContent(fetched);
  const type = content.mediaType === undefined ? {} : { mediaType: content.mediaType };
  if (content.kind === "not-text") {
    if (status >= 400) return { kind: "bare-response", url, status, ...type };
    const found = content.found === undefined ? {} : { found: content.found };
    return refuse("content-type", { url: showUrl(url), by: content.by, ...type, ...found });
  }
  const { charset, text, textKind, isDamaged } = content;
  return {
    kind: "response",
    url,
    status,
    ...type,
    textKind,
    text,
    bytes: body.length,
    isCut,
    encoding: charset.encoding,
    ...(charset.unknownLabel === undefined ? {} : { unknownCharset: charset.unknownLabel }),
    isDamaged,
    redirects: redirects.map((redirect) => redirect.url),
  };
}
