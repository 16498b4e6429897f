/**
 * Owns how a URL is shown: without user info, whatever else is wrong with it, and not longer than is worth reading.
 * Leaves judging it to screen.ts. No I/O.
 * Rule: a password is never repeated. What cannot be parsed is cut at its last `@`, since nobody can say where its
 * user info ends.
 */

const MAX_SHOWN = 500;

/** `@`, percent-encoded, full-width or small: each is how somebody may have meant to end user info. */
const AT_SIGNS = ["@", "%40", "\uff20", "\ufe6b"];

export function showUrl(url: URL | string): string {
  const parsed = typeof url === "string" ? parseUrl(url) : url;
  if (parsed === undefined || !isWeb(parsed)) return shorten(hideUserInfo(String(url)));
  const copy = new URL(parsed);
  copy.username = "";
  copy.password = "";
  return shorten(copy.href);
}

export function parseUrl(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

export function isWeb({ protocol }: URL): boolean {
  return protocol === "http:" || protocol === "https:";
}

function hideUserInfo(text: string): string {
  const end = Math.max(
    ...AT_SIGNS.map((sign) => (text.includes(sign) ? text.lastIndexOf(sign) + sign.length : 0)),
  );
  return end === 0 ? text : `…@${text.slice(end)}`;
}

function shorten(text: string): string {
  const characters = [...text.toWellFormed().slice(0, MAX_SHOWN * 2)];
  return characters.length > MAX_SHOWN ? `${characters.slice(0, MAX_SHOWN).join("")}…` : characters.join("");
}
