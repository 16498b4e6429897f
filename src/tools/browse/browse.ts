/**
 * Owns `browse`: a page as a browser makes it, after its scripts have run.
 * Leaves the browser and the screen to the port, HTML to text/html/ by way of the worker, the words of refusals to
 * toolset/. Rule: what the page could not have, what was cut and what was not finished is said; a page that a browser
 * did not give is never made up from something else.
 */

import { z } from "zod";
import type { Access } from "../../contract/access.ts";
import type { PageVisit, Visited } from "../../contract/browser.ts";
import type { ToolContext } from "../../contract/context.ts";
import { refuseLostWorker } from "../../contract/lost-worker.ts";
import type { ToolResult } from "../../contract/output.ts";
import { PAGE_FORMATS } from "../../contract/page.ts";
import { isRefusal, type Refusal, refuse } from "../../contract/refusal.ts";
import type { DescriptionContext, Tool } from "../../contract/tool.ts";
import { showBytes } from "../../text/show-bytes.ts";
import { type BrowseDetails, renderPage } from "./render-page.ts";

export type { BrowseDetails } from "./render-page.ts";

/** Timers that show a page's content are seldom longer; virtual time costs next to nothing. */
const WAIT_MS = 5_000;
const MAX_WAIT_MS = 30_000;
/** After a cancellation the browser has 500 ms to end by itself; then it is killed and its profile removed. */
const CANCEL_GRACE_MS = 1_400;

const input = z.object({
  url: z.string().min(1).describe("Absolute http or https URL."),
  wait_ms: z
    .int()
    .min(0)
    .max(MAX_WAIT_MS)
    .optional()
    .describe(`How long timers of the page may run, in its own time (default ${WAIT_MS}).`),
  format: z
    .enum([...PAGE_FORMATS, "source"])
    .optional()
    .describe("Default markdown. source is the DOM as HTML."),
  screenshot: z.boolean().optional().describe("Adds a picture of the page's top, 1280×800."),
});

type Arguments = z.output<typeof input>;

export const browseTool: Tool<"browse", typeof input, BrowseDetails> = {
  name: "browse",
  annotations: {
    title: "Read a page in a browser",
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  },
  alwaysLoaded: false,
  input,
  describe,
  access,
  run: runBrowse,
  cancelGraceMs: CANCEL_GRACE_MS,
};

function describe({ limits, names }: DescriptionContext): string {
  const webfetch = names.name("webfetch");
  const first = webfetch === undefined ? "" : ` Slower than ${webfetch}: for pages that need JavaScript.`;
  return `Reads a page of the public web as a browser shows it, after its JavaScript has run: headless, without cookies or sign-in, at most 20 s and ${showBytes(limits.fetchMax)} of DOM.${first} Private and local addresses are refused, to the page too.`;
}

function access({ url }: Arguments): Access {
  const target = readTarget(url);
  return { paths: [], runs: [], connects: target === undefined ? [] : [target] };
}

/** `host:port`; undefined for what no browser is started on. */
function readTarget(text: string): string | undefined {
  try {
    const url = new URL(text);
    if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
    return `${url.hostname}:${url.port === "" ? (url.protocol === "https:" ? 443 : 80) : url.port}`;
  } catch {
    return undefined;
  }
}

async function runBrowse(args: Arguments, context: ToolContext): Promise<ToolResult<BrowseDetails>> {
  const { browser } = context.ports;
  if (browser === undefined)
    return refuse("browser-failed", { reason: "not-started", lastWords: "this toolset has no browser" });
  const visit: PageVisit = {
    url: args.url,
    waitMs: args.wait_ms ?? WAIT_MS,
    screenshot: args.screenshot === true,
    maxBytes: context.limits.fetchMax,
    mayConnect: context.mayConnect,
    signal: context.signal,
  };
  const tool = context.names.name("browse") ?? "browse";
  const visited = await refuseLostWorker(tool, browser.visit(visit));
  if (isRefusal(visited)) return visited;
  const page = checkVisit(visited, args.url);
  if (isRefusal(page)) return page;
  const { format = "markdown", url: asked } = args;
  return renderPage({ asked, page, format, wantsScreenshot: visit.screenshot, context });
}

function checkVisit(visited: Visited, url: string): (Visited & { readonly kind: "page" }) | Refusal {
  if (visited.kind === "page") return visited;
  if (visited.kind === "refused") return visited.refusal;
  const reason = visited.isTimedOut ? "timed-out" : "no-page";
  return refuse("browser-failed", { reason, url, lastWords: visited.lastWords });
}
