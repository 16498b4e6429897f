/**
 * Owns where the links of a page lead: absolute, by the page's address and its `<base>`.
 * Leaves whether anybody may go there to the screen of net/. No I/O.
 * Rule: what leads nowhere but into the page itself, or runs a program, is no link.
 */

export interface LinkBase {
  readonly page: URL | undefined;
  readonly base: URL | undefined;
}

/** Longer ones are data, and not an address that anybody would call. */
const MAX_LINK = 2_000;

const PROTOCOLS = new Set(["http:", "https:", "mailto:", "tel:", "ftp:"]);

export function makeLinkBase(url: string, baseHref: string | undefined): LinkBase {
  const page = parse(url, undefined);
  if (page !== undefined) page.hash = "";
  const base = baseHref === undefined ? undefined : parse(baseHref, page);
  const isUsable = base !== undefined && /^https?:$/.test(base.protocol);
  return { page, base: isUsable ? base : page };
}

function parse(href: string, base: URL | undefined): URL | undefined {
  try {
    return new URL(href, base);
  } catch {
    return undefined;
  }
}

/** The absolute address, ready to stand in Markdown. */
export function resolveLink(href: string, { page, base }: LinkBase): string | undefined {
  const written = href.trim();
  if (written.startsWith("#") || written.length > MAX_LINK) return undefined;
  // Each of many links would repeat it.
  if (base !== undefined && base.href.length > MAX_LINK && !/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(written))
    return undefined;
  const url = parse(written, base);
  if (url === undefined || !PROTOCOLS.has(url.protocol) || url.href.length > MAX_LINK) return undefined;
  if (url.hash !== "" && page !== undefined && url.href.slice(0, -url.hash.length) === page.href)
    return undefined;
  return url.href.replaceAll("(", "%28").replaceAll(")", "%29");
}
