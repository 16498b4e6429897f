/**
 * Owns what a page says of itself beside its text: title, description, base address, where it sends its reader on,
 * and whether it needs its programs to run before it says anything.
 * Leaves its text to the renderers. No I/O. Rule: what is told is cut to a line.
 */
import { clipLine } from "./clean-text.ts";
import type { HtmlElement } from "./parse-tree.ts";

export interface PageHead {
  readonly title?: string;
  readonly description?: string;
  readonly baseHref?: string;
  /** As the page has it: relative, maybe. */
  readonly refresh?: string;
  /** Text that is for readers without JavaScript. */
  readonly withoutScripts: string;
  readonly scripts: number;
  /** There is an empty element of the kind that programs fill. */
  readonly hasEmptyMount: boolean;
}

const MAX_TITLE = 200;
const MAX_DESCRIPTION = 500;

type Found = { -readonly [K in keyof PageHead]: PageHead[K] } & { sharedTitle?: string; heading?: string };

export function readHead(tree: HtmlElement): PageHead {
  const found: Found = { withoutScripts: "", scripts: 0, hasEmptyMount: false };
  visit(tree, found);
  const title = found.title ?? found.sharedTitle ?? found.heading;
  const { sharedTitle: _shared, heading: _heading, ...head } = found;
  return { ...head, ...(title === undefined ? {} : { title }) };
}

function visit(element: HtmlElement, found: Found): void {
  // A drawing has titles too.
  if (element.name === "svg") return;
  READERS[element.name]?.(element, found);
  if (MOUNTS.test(element.attributes.get("id") ?? "") && plainText(element).trim().length < 40)
    found.hasEmptyMount = true;
  for (const child of element.children) if (typeof child !== "string") visit(child, found);
}

const MOUNTS = /^(?:root|app|__next|__nuxt|___gatsby|svelte|application|main-app|react-root|app-root)$/i;

const READERS: Readonly<Record<string, ((element: HtmlElement, found: Found) => void) | undefined>> = {
  title: (element, found) => {
    const text = clipLine(plainText(element), MAX_TITLE);
    if (text !== "") found.title ??= text;
  },
  h1: (element, found) => {
    const text = clipLine(plainText(element), MAX_TITLE);
    if (text !== "") found.heading ??= text;
  },
  base: ({ attributes }, found) => {
    const href = attributes.get("href");
    if (href !== undefined && href !== "") found.baseHref ??= href;
  },
  script: (_element, found) => {
    found.scripts++;
  },
  noscript: (element, found) => {
    if (found.withoutScripts.length < 2_000) found.withoutScripts += ` ${plainText(element).slice(0, 2_000)}`;
  },
  meta: readMeta,
};

function readMeta({ attributes }: HtmlElement, found: Found): void {
  const name = (attributes.get("name") ?? attributes.get("property") ?? "").toLowerCase();
  const content = attributes.get("content") ?? "";
  if (name === "description" || name === "og:description") {
    const description = clipLine(content, MAX_DESCRIPTION);
    if (description !== "") found.description ??= description;
  }
  if (name === "og:title" && content.trim() !== "") found.sharedTitle ??= clipLine(content, MAX_TITLE);
  if (attributes.get("http-equiv")?.toLowerCase() !== "refresh") return;
  const target = /^\s*\d{1,4}[\d.]{0,10}\s*[;,]\s*(?:url\s*=\s*)?(.+)$/i.exec(content.slice(0, 2_000))?.[1];
  const url = target?.trim().replace(/^(['"])(.*)\1$/, "$2");
  if (url !== undefined && url !== "") found.refresh ??= url;
}

/** The text of an element and all below it, blanks and all. */
function plainText(element: HtmlElement): string {
  const parts: string[] = [];
  const collect = ({ children }: HtmlElement): void => {
    for (const child of children) {
      if (typeof child === "string") parts.push(child);
      else collect(child);
    }
  };
  collect(element);
  return parts.join("");
}

/** Less than this is no page: a frame, a spinner, a request to turn JavaScript on. */
const HARDLY_ANY = 200;
const ASKS_FOR_SCRIPTS =
  /\b(?:enable|requires?|needs?|turn on|activate|without|supports?)\s[^.]{0,40}\bJavaScript\b|\bJavaScript\b[^.]{0,30}\b(?:enabled?|disabled|required|is off|to run)\b/i;

/** `text` is what the page says as it was sent. */
export function needsJavaScript(head: PageHead, text: string): boolean {
  const { length } = text.trim();
  if (length >= 600) return false;
  if (ASKS_FOR_SCRIPTS.test(text.slice(0, 600))) return true;
  if (head.scripts === 0 || length >= HARDLY_ANY) return false;
  return length === 0 || head.hasEmptyMount || ASKS_FOR_SCRIPTS.test(head.withoutScripts.slice(0, 2_000));
}
