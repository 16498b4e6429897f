/**
 * Owns what is shown of a page that a browser gave: its text, what it could not have, its picture.
 * Leaves converting to the port `pages`, how a page is told to text/html/present-page.ts, which webfetch tells it by
 * too. Rule: the first line says everything that is missing; the same page gives the same bytes.
 */
import type { BlockedRequests, Visited } from "../../contract/browser.ts";
import type { ToolContext } from "../../contract/context.ts";
import type { Done, Image, Note } from "../../contract/output.ts";
import type { ConvertedPage, PageFormat } from "../../contract/page.ts";
import { clipLine } from "../../text/html/clean-text.ts";
import { type PresentedPage, presentPage, presentText } from "../../text/html/present-page.ts";
import { imageFault, imageSize } from "../../text/images.ts";
import { keepOnOneLine } from "../../text/one-line.ts";

export type BrowseFormat = PageFormat | "source";

export interface BrowseDetails {
  /** After redirects, as far as the browser told. */
  readonly url: string;
  readonly status?: number;
  readonly mediaType?: string;
  readonly title?: string;
  readonly format: BrowseFormat;
  /** Of the DOM, as far as it was kept. */
  readonly bytes: number;
  readonly isCut: boolean;
  /** The browser was ended before it had finished. */
  readonly isUnfinished: boolean;
  readonly leftOut: readonly string[];
  /** What of the page's requests the screen or a rule refused. */
  readonly blocked: BlockedRequests;
  /** Requests and tunnels that were let through. */
  readonly connected: number;
  /** Absolute path of the browser. */
  readonly browser: string;
  /** False where it ran as uid 0, with `--no-sandbox`. */
  readonly isSandboxed: boolean;
  readonly durationMs: number;
}

type Page = Visited & { readonly kind: "page" };

export interface RenderRequest {
  /** As it was asked for. */
  readonly asked: string;
  readonly page: Page;
  readonly format: BrowseFormat;
  readonly wantsScreenshot: boolean;
  readonly context: ToolContext;
}

/** Blocked requests that are told one by one. */
const MAX_BLOCKED = 5;
const MAX_BLOCKED_URL = 120;
/** Characters of base64: providers refuse 5 MB and more, counted on the encoded image. */
const MAX_BASE64_CHARACTERS = 4_999_000;

export async function renderPage(request: RenderRequest): Promise<Done<BrowseDetails>> {
  const { page } = request;
  const { image, missing } = takeScreenshot(request);
  const clauses = [
    ...(page.isUnfinished ? ["unfinished: the browser was ended before the page was whole"] : []),
    ...(page.blocked.count === 0 ? [] : [describeBlocked(page.blocked)]),
    ...(image === undefined ? [] : [`screenshot of ${image.width}×${image.height} pixels`]),
  ];
  const shown = await makeText(request, clauses);
  return {
    content: shown.content,
    ...(image === undefined ? {} : { images: [image] }),
    notes: [...shown.notes, ...missing, ...noteOpen(page)],
    details: describeDetails(request, shown),
  };
}

/** What ran without the fence that was preferred is not taken for confined. */
function noteOpen({ open }: Page): Note[] {
  if (open === undefined) return [];
  const text = keepOnOneLine(`the browser was not confined: ${open}`).toWellFormed();
  return [{ code: "other", text, audience: "model" }];
}

type Shown = Pick<PresentedPage, "content" | "notes" | "title" | "leftOut">;

async function makeText(request: RenderRequest, clauses: readonly string[]): Promise<Shown> {
  const { page, format, context } = request;
  const response = describeResponse(request);
  if (format === "source")
    return { content: presentText(response, { text: page.dom, clauses }), notes: [], leftOut: [] };
  const { limits, names, ports, signal } = context;
  const maxChars = limits.fetchMax;
  const html = page.dom;
  const converted: ConvertedPage = (await ports.pages?.convert({
    html,
    url: page.url,
    format,
    maxChars,
    signal,
  })) ?? { kind: "not-converted", why: "is not possible here" };
  return presentPage(response, { html, maxChars, converted, names, isRendered: true, clauses });
}

function describeResponse({ asked, page }: RenderRequest) {
  const { url, status, mediaType = "text/html", bytes, isCut } = page;
  const redirects = new URL(asked).href === url ? [] : [asked];
  return { url, status, mediaType, bytes, isCut, redirects };
}

function describeDetails({ page, format }: RenderRequest, { title, leftOut }: Shown): BrowseDetails {
  const { url, status, mediaType, bytes, isCut, isUnfinished, blocked, connected } = page;
  return {
    url,
    ...(status === undefined ? {} : { status }),
    ...(mediaType === undefined ? {} : { mediaType }),
    ...(title === undefined ? {} : { title }),
    format,
    bytes,
    isCut,
    isUnfinished,
    leftOut,
    blocked,
    connected,
    browser: page.browser,
    isSandboxed: page.isSandboxed,
    durationMs: page.durationMs,
  };
}

/** `2 requests were blocked: http://127.0.0.1:80/ (loopback address), …`. In the order of URLs, each once: how often and when a page asks varies. */
function describeBlocked({ first }: BlockedRequests): string {
  const told = first.map(({ url, why }) => `${clipLine(url, MAX_BLOCKED_URL)} (${why})`).sort();
  const shown = told.slice(0, MAX_BLOCKED);
  const more = told.length > shown.length ? ` and ${told.length - shown.length} more` : "";
  return `${told.length === 1 ? "1 request was" : `${told.length} requests were`} blocked: ${shown.join(", ")}${more}`;
}

function takeScreenshot({ page, wantsScreenshot }: RenderRequest): {
  readonly image?: Image;
  readonly missing: readonly Note[];
} {
  if (!wantsScreenshot) return { missing: [] };
  const none = (why: string) => ({
    missing: [{ code: "other", text: `no screenshot: ${why}`, audience: "model" } satisfies Note],
  });
  if (page.screenshot === undefined) return none("the browser gave none");
  const bytes = Buffer.from(page.screenshot);
  const fault = imageFault(bytes, "png");
  const size = imageSize(bytes, "png");
  if (fault !== undefined || size === undefined) return none(fault ?? "its dimensions cannot be read");
  const base64 = bytes.toString("base64");
  if (base64.length > MAX_BASE64_CHARACTERS) return none("it is larger than model providers accept");
  return { image: { mediaType: "image/png", base64, ...size }, missing: [] };
}
