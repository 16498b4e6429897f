/**
 * Owns where a page came from at last, as the browser's own log of requests tells it: URL, status, type, or why not.
 * Leaves reading the DOM to run-browser.ts. No I/O. Rule: the log is a convenience. What is not in it, or is cut off
 * by the browser's end, is not known; nothing is concluded about what was connected to.
 */

export interface PageHead {
  /** After redirects, and after a page that went to another by itself. */
  readonly url: string;
  readonly status?: number;
  readonly mediaType?: string;
  /** The answer is the proxy's own: no server was reached. */
  readonly isFromProxy?: true;
  /** `net::ERR_TUNNEL_CONNECTION_FAILED`: what the browser shows is its own page about that. */
  readonly error?: string;
}

interface Entry {
  readonly params?: {
    readonly request_type?: unknown;
    readonly url?: unknown;
    readonly headers?: unknown;
    readonly net_error?: unknown;
  };
  readonly source?: { readonly id?: unknown };
}

/** Given up, for the page goes elsewhere, or because what came is to be saved: the page before it stays. */
const ABORTED = -3;

/** One event stands on each line, the numbers' names on the first. */
export function readPageHead(log: string): PageHead | undefined {
  /** One for each request that a page was asked for by; redirects are one request. */
  const heads = new Map<unknown, PageHead & { readonly isNoPage?: true }>();
  for (const line of log.split("\n")) {
    const isStart = line.includes('"main frame"');
    if (!isStart && (heads.size === 0 || !/"headers":\["HTTP|"net_error":-/.test(line))) continue;
    const { params, source } = parse(line);
    const id = source?.id;
    const head = heads.get(id);
    if (isStart && params?.request_type === "main frame" && typeof params.url === "string") {
      heads.delete(id);
      heads.set(id, { url: params.url });
    } else if (head !== undefined && Array.isArray(params?.headers))
      heads.set(id, { url: head.url, ...readHeaders(params.headers) });
    else if (head !== undefined && head.status === undefined && typeof params?.net_error === "number")
      heads.set(id, { ...head, ...readError(log, params.net_error) });
  }
  const shown = [...heads.values()].filter((head) => head.isNoPage === undefined);
  return shown.findLast(({ status, error }) => status !== undefined || error !== undefined) ?? shown.at(-1);
}

function parse(line: string): Entry {
  try {
    return JSON.parse(line.replace(/,\s*$/, "")) as Entry;
  } catch {
    return {};
  }
}

interface Headers {
  readonly status?: number;
  readonly mediaType?: string;
  readonly isFromProxy?: true;
  readonly isNoPage?: true;
}

/** What 204 and 205 answer, and what is to be saved, is no page. */
function readHeaders(headers: readonly unknown[]): Headers {
  const [first = "", ...rest] = headers.filter((line) => typeof line === "string");
  const status = Number(/^HTTP\/[\d.]+ (\d{3})/.exec(first)?.[1]);
  const type = rest.find((line) => /^content-type:/i.test(line))?.slice("content-type:".length);
  const mediaType = type?.split(";")[0]?.trim().toLowerCase();
  const isSaved = rest.some((line) => /^content-disposition:\s*attachment/i.test(line));
  return {
    ...(Number.isNaN(status) ? {} : { status }),
    ...(mediaType === undefined || mediaType === "" ? {} : { mediaType }),
    ...(rest.some((line) => /^proxy-status:\s*haft;/i.test(line)) ? { isFromProxy: true as const } : {}),
    ...(status === 204 || status === 205 || isSaved ? { isNoPage: true as const } : {}),
  };
}

function readError(log: string, code: number): { readonly error: string } | { readonly isNoPage: true } {
  if (code === ABORTED) return { isNoPage: true };
  const names = log.slice(0, log.indexOf("\n"));
  return { error: `net::${new RegExp(`"(ERR_[A-Z0-9_]+)":${code}[,}]`).exec(names)?.[1] ?? code}` };
}
