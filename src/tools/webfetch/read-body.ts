/**
 * Owns the text of a response in the format that was asked for.
 * Leaves converting pages to the port `pages`, how a page is told to text/html/present-page.ts.
 * Rule: what is no page is given as it was sent, in every format but links.
 */
import type { ToolContext } from "../../contract/context.ts";
import type { TextResponse } from "../../contract/network.ts";
import type { ConvertedPage, PageFormat } from "../../contract/page.ts";
import { findLinksInText } from "../../text/html/links-in-text.ts";
import { type PresentedPage, presentPage, presentText } from "../../text/html/present-page.ts";

export type Body = PresentedPage;

export async function readBody(
  response: TextResponse,
  { format, context }: { readonly format: PageFormat | "source"; readonly context: ToolContext },
): Promise<Body> {
  const { text, textKind, url } = response;
  if (textKind === "html" && format !== "source") {
    const { names, limits, signal } = context;
    const maxChars = limits.fetchMax;
    const converted = await convert({ html: text, url, format, maxChars, signal }, context);
    return presentPage(response, { html: text, maxChars, converted, names, isRendered: false });
  }
  const bare = { notes: [], leftOut: [], needsJavaScript: false, isPlain: false };
  if (format !== "links") return { ...bare, content: presentText(response, { text }) };
  const links = findLinksInText(text);
  const clauses = [links.count === 1 ? "1 link" : `${links.count} links`];
  return { ...bare, content: presentText(response, { text: links.text, clauses }) };
}

async function convert(
  conversion: Parameters<NonNullable<ToolContext["ports"]["pages"]>["convert"]>[0],
  { ports }: ToolContext,
): Promise<ConvertedPage> {
  return (await ports.pages?.convert(conversion)) ?? { kind: "not-converted", why: "is not possible here" };
}
