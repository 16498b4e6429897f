/**
 * Owns where a page came from at last, as the browser's own log of requests tells it: URL, status, type.
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
}

interface Entry {
  readonly params?: {
    readonly request_type?: unknown;
    readonly url?: unknown;
    readonly headers?: unknown;
    readonly method?: unknown;
  };
  readonly source?: { readonly id?: unknown };
}

/** One event stands on each line. */
export function readPageHead(log: string): PageHead | undefined {
  let source: unknown;
  let head: ({ url: string } & Headers) | undefined;
  for (const line of log.split("\n")) {
    const isStart = line.includes('"main frame"');
    if (!isStart && (head === undefined || !line.includes('"headers":["HTTP'))) continue;
    const { params, source: from } = parse(line);
    if (isStart && params?.request_type === "main frame" && typeof params.url === "string") {
      source = from?.id;
      head = { url: params.url };
    } else if (head !== undefined && from?.id === source && Array.isArray(params?.headers))
      Object.assign(head, readHeaders(params.headers));
  }
  return head;
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
}

function readHeaders(headers: readonly unknown[]): Headers {
  const [first, ...rest] = headers.filter((line) => typeof line === "string");
  const status = Number(/^HTTP\/[\d.]+ (\d{3})/.exec(first ?? "")?.[1]);
  const type = rest.find((line) => /^content-type:/i.test(line))?.slice("content-type:".length);
  const mediaType = type?.split(";")[0]?.trim().toLowerCase();
  return {
    ...(Number.isNaN(status) ? {} : { status }),
    ...(mediaType === undefined || mediaType === "" ? {} : { mediaType }),
    ...(rest.some((line) => /^proxy-status:\s*haft;/i.test(line)) ? { isFromProxy: true as const } : {}),
  };
}
