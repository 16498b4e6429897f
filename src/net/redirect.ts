/**
 * Owns where a response sends its reader.
 * Leaves whether anybody may go there to screen.ts and pinned-fetch.ts. No I/O.
 * Rule: only a `Location` of a redirect status counts; what stands in a page is the page's.
 */
import { parseUrl } from "./shown-url.ts";

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Undefined where the response is no redirect. `to` is undefined where it names no place, a string where that is no URL. */
export function findRedirect(of: {
  readonly url: URL;
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
}): { readonly to: URL | string | undefined } | undefined {
  if (!REDIRECTS.has(of.status)) return undefined;
  const location = of.headers.get("location");
  if (location === undefined || location.trim() === "") return { to: undefined };
  const to = parseUrl(location, of.url);
  if (to === undefined) return { to: location };
  // RFC 9110: a fragment that was asked for stays, where the redirect names none.
  if (to.hash === "") to.hash = of.url.hash;
  return { to };
}
