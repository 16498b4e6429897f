/**
 * Owns the hosts that a person allows beside the public Internet: `host:port`, exactly.
 * Leaves what stays refused for them to screen.ts. No I/O.
 * Rule: both sides are compared as the URL standard writes them, and nothing else is folded: another spelling of the
 * same machine is another host.
 */
import { isWeb, parseUrl } from "./shown-url.ts";

/** `host:port` in the URL standard's spelling, or undefined where the text is not exactly that. */
export function readPrivateHost(text: string): string | undefined {
  if (!/^[^\s/\\?#@]+:\d{1,5}$/.test(text)) return undefined;
  const url = parseUrl(`http://${text}`);
  return url === undefined ? undefined : hostAndPort(url);
}

export function hostAndPort(url: URL): string {
  return `${url.hostname}:${portOf(url)}`;
}

/** The name or address alone, without the brackets of one of IPv6. */
export function hostOf(privateHost: string): string {
  return (readPrivateHost(privateHost) ?? "").replace(/:\d+$/, "").replace(/^\[|\]$/g, "");
}

/** The port that a connection goes to. */
export function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return isWeb(url) && url.protocol === "https:" ? 443 : 80;
}
