/**
 * Owns what is shown of a page that a browser gave: the first line, the text, the picture.
 * Leaves making text of HTML to the port. Rule: the first line says where the page came from and everything that is
 * missing; the same page gives the same bytes.
 */
import type { BlockedRequests, Visited } from "../../contract/browser.ts";
import type { ToolContext } from "../../contract/context.ts";
import type { Done, Image, Note } from "../../contract/output.ts";
import type { PageFormat, PageText } from "../../contract/page.ts";
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
  readonly page: Page;
  readonly format: BrowseFormat;
  readonly wantsScreenshot: boolean;
  readonly context: ToolContext;
}

const MAX_TITLE = 200;
const MAX_URL = 500;
/** Blocked requests that are told one by one. */
const MAX_BLOCKED = 5;
/** Characters of base64: providers refuse 5 MB and more, counted on the encoded image. */
const MAX_BASE64_CHARACTERS = 4_999_000;

export async function renderPage(request: RenderRequest): Promise<Done<BrowseDetails>> {
  const { page, format } = request;
  const shown = await makeText(request);
  const { image, missing } = takeScreenshot(request);
  const isCut = page.isCut || shown.isCut;
  const head = [
    describePlace(page),
    `${page.bytes} bytes of DOM`,
    ...(shown.title === undefined ? [] : [`title ${JSON.stringify(clip(shown.title, MAX_TITLE))}`]),
    ...(isCut ? ["cut"] : []),
    ...(page.isUnfinished ? ["unfinished: the browser was ended after 20 s"] : []),
    ...(shown.leftOut.length === 0 ? [] : [`left out: ${shown.leftOut.join(", ")}`]),
    ...(page.blocked.count === 0 ? [] : [describeBlocked(page.blocked)]),
    ...(image === undefined ? [] : [`screenshot ${image.width}×${image.height}`]),
  ];
  const end = isCut ? [describeCut(request)] : [];
  const text = shown.text === "" ? "(no text)" : shown.text;
  return {
    content: [keepOnOneLine(head.join(", ")), "", text, ...end].join("\n").toWellFormed(),
    ...(image === undefined ? {} : { images: [image] }),
    notes: [...shown.notes, ...missing],
    details: makeDetails(page, { format, title: shown.title, isCut }),
  };
}

function makeDetails(
  page: Page,
  { format, title, isCut }: { format: BrowseFormat; title: string | undefined; isCut: boolean },
): BrowseDetails {
  const { url, status, mediaType, bytes, isUnfinished, blocked, connected } = page;
  return {
    url,
    ...(status === undefined ? {} : { status }),
    ...(mediaType === undefined ? {} : { mediaType }),
    ...(title === undefined ? {} : { title }),
    format,
    bytes,
    isCut,
    isUnfinished,
    blocked,
    connected,
    browser: page.browser,
    isSandboxed: page.isSandboxed,
    durationMs: page.durationMs,
  };
}

interface ShownText extends Pick<PageText, "text" | "leftOut" | "isCut"> {
  readonly title?: string | undefined;
  readonly notes: readonly Note[];
}

async function makeText({ page, format, context }: RenderRequest): Promise<ShownText> {
  const { pages } = context.ports;
  const source: ShownText = { text: page.dom, leftOut: [], isCut: false, notes: [] };
  if (pages === undefined) return source;
  const converted = await pages.convert({
    html: page.dom,
    url: page.url,
    // The title is wanted for the source too.
    format: format === "source" ? "text" : format,
    maxChars: context.limits.fetchMax,
    signal: context.signal,
  });
  if (converted.kind === "converted") {
    const { title } = converted.page;
    return format === "source" ? { ...source, title } : { ...converted.page, title, notes: [] };
  }
  const text = `the page could not be made readable (${converted.why}): this is its DOM`;
  return format === "source" ? source : { ...source, notes: [{ code: "other", text, audience: "model" }] };
}

/** `http://a.test/: 404 text/html`. */
function describePlace({ url, status, mediaType }: Page): string {
  const answer = [status, mediaType].filter((part) => part !== undefined).join(" ");
  return `${clip(url, MAX_URL)}: ${answer === "" ? "a page" : answer}`;
}

/** `3 requests were blocked: http://127.0.0.1:80/ (loopback address), …`. */
function describeBlocked({ count, first }: BlockedRequests): string {
  const shown = first.slice(0, MAX_BLOCKED).map(({ url, why }) => `${clip(url, 120)} (${why})`);
  const more = first.length > shown.length || count > first.length ? " and more" : "";
  return `${count === 1 ? "1 request was" : `${count} requests were`} blocked: ${shown.join(", ")}${more}`;
}

function describeCut({ page, context }: RenderRequest): string {
  return page.isCut
    ? `[cut: the DOM goes on after ${context.limits.fetchMax} bytes; nothing returns the rest]`
    : `[cut: the text goes on after ${context.limits.fetchMax} characters; format "links" or "text" may be shorter]`;
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

function clip(text: string, longest: number): string {
  const characters = [...text.slice(0, longest * 2)];
  return characters.length > longest ? `${characters.slice(0, longest).join("")}…` : characters.join("");
}
