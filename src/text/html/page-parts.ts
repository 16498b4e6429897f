/**
 * Owns what kind of part an element of a page is, by its name, role and class: navigation, an advertisement, hidden.
 * Leaves what is then left out to choose-content.ts. No I/O.
 * Rule: what the page's author said with an element or a role counts; a class counts where its words leave no doubt.
 */
import { CONTROL, EMBEDDED } from "./elements.ts";
import type { HtmlElement } from "./parse-tree.ts";

export type PartKind =
  | "navigation block"
  /** A trail of breadcrumbs. */
  | "way here"
  | "page header"
  | "page footer"
  | "sidebar"
  | "advertisement"
  | "notice"
  | "sharing block"
  | "form"
  | "form field"
  | "hidden part"
  | "embedded frame or media"
  | "script"
  | "other part"
  /** Left out without a word: styles, drawings, buttons. */
  | "silent";

const SILENT = new Set(["style", "title", "meta", "link", "base", "noframes", "noembed", "rp", "svg"]);

/** Parts that are never text, wherever they stand. */
export function findFixedKind(element: HtmlElement): PartKind | undefined {
  const { name } = element;
  if (name === "script") return "script";
  if (SILENT.has(name)) return "silent";
  if (name === "template" || name === "noscript" || isHidden(element)) return hiddenKind(element);
  if (name === "button" || (name === "input" && isButton(element))) return "silent";
  if (name === "input" && isTaskBox(element)) return undefined;
  if (CONTROL.has(name)) return "form field";
  if (EMBEDDED.has(name)) return "embedded frame or media";
  return undefined;
}

/** What is left out of every page that has it is no finding. */
function hiddenKind({ name, children }: HtmlElement): PartKind {
  return name === "noscript" || name === "template" || children.length === 0 ? "silent" : "hidden part";
}

function isButton({ attributes }: HtmlElement): boolean {
  return /^(?:hidden|submit|button|reset|image)$/i.test(attributes.get("type") ?? "");
}

export function isTaskBox({ name, attributes }: HtmlElement): boolean {
  return name === "input" && /^checkbox$/i.test(attributes.get("type") ?? "");
}

const HIDING_STYLE = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/i;
/** Pictures and marks that are hidden from screen readers are decoration; larger parts may be hidden behind an open dialog alone. */
const DECORATION = new Set(["span", "i", "b", "em", "a", "img", "button", "sup", "small"]);

export function isHidden({ name, attributes }: HtmlElement): boolean {
  if (attributes.has("hidden") && attributes.get("hidden") !== "until-found") return true;
  if (HIDING_STYLE.test(attributes.get("style")?.slice(0, 2_000) ?? "")) return true;
  if (attributes.get("aria-hidden") === "true" && DECORATION.has(name)) return true;
  return name === "dialog" && !attributes.has("open");
}

/** Class and id as words: `siteNav top-bar` is `site nav top bar`. */
function wordsOf({ attributes }: HtmlElement): readonly string[] {
  const written = `${attributes.get("class") ?? ""} ${attributes.get("id") ?? ""}`.slice(0, 500);
  return written
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== "");
}

const ROLES: Readonly<Record<string, PartKind>> = {
  navigation: "navigation block",
  menu: "navigation block",
  menubar: "navigation block",
  banner: "page header",
  contentinfo: "page footer",
  complementary: "sidebar",
  search: "form",
  dialog: "notice",
  alertdialog: "notice",
};

const ADVERTISEMENT = new Set(
  "ad ads advert adverts advertisement adsbygoogle sponsored sponsor taboola outbrain dfp".split(" "),
);
const NOTICE = new Set("cookie cookies consent gdpr onetrust newsletter subscribe paywall signup".split(" "));
const SHARING = new Set("share sharing social socials sharedaddy addtoany".split(" "));
const SIDE = new Set("sidebar related recommended recommendations trending".split(" "));
const NAVIGATION = new Set("navbar navigation menu toc skip".split(" "));
const WAY_HERE = new Set("breadcrumb breadcrumbs".split(" "));
const FOOTER = new Set("footer copyright".split(" "));
/** Tools of whoever writes the page. */
const EDITING = new Set(["editsection"]);

/** What the element, its role or its words say; undefined where they say nothing. */
export function findPartKind(element: HtmlElement): PartKind | undefined {
  const { name, attributes } = element;
  const role = attributes.get("role")?.trim().toLowerCase() ?? "";
  const byRole = Object.hasOwn(ROLES, role) ? ROLES[role] : undefined;
  if (byRole !== undefined) return byRole;
  if (name === "nav") return isPagination(element) ? undefined : "navigation block";
  if (name === "search") return "form";
  if (name === "header") return "page header";
  if (name === "footer") return "page footer";
  if (name === "aside") return "sidebar";
  return CLASSED.has(name) ? findByWords(wordsOf(element)) : undefined;
}

/** Elements whose classes are looked at. */
const CLASSED = new Set("div section ul ol li aside article span p a form iframe center".split(" "));

function findByWords(words: readonly string[]): PartKind | undefined {
  if (words.some((word) => EDITING.has(word))) return "silent";
  if (words.some((word) => ADVERTISEMENT.has(word))) return "advertisement";
  if (words.some((word) => NOTICE.has(word))) return "notice";
  if (words.some((word) => SHARING.has(word))) return "sharing block";
  if (words.some((word) => SIDE.has(word))) return "sidebar";
  if (words.some((word) => WAY_HERE.has(word))) return "way here";
  if (words.some((word) => FOOTER.has(word))) return "page footer";
  if (words.some((word) => NAVIGATION.has(word)) || words.join(" ") === "nav") return "navigation block";
  return undefined;
}

/** The way to the next page of the same text is a part of it. */
function isPagination(element: HtmlElement): boolean {
  const label = element.attributes.get("aria-label") ?? "";
  return /\b(?:pagination|pager|pages)\b/i.test(`${wordsOf(element).join(" ")} ${label}`);
}

const CONTENT_WORDS =
  /(?:^|\s)(?:content|main content|main|mw content text|mw body|post content|entry content|article body|article content|story body|markdown body|page content|post body|document)(?:\s|$)/;

/** Whether it calls itself the content of the page. */
export function isNamedContent(element: HtmlElement): boolean {
  const { attributes } = element;
  if (attributes.get("itemprop") === "articleBody") return true;
  const id = attributes.get("id")?.slice(0, 100) ?? "";
  const classes = attributes.get("class")?.slice(0, 300).split(/\s+/) ?? [];
  return [id, ...classes].some((one) => CONTENT_WORDS.test(one.toLowerCase().replace(/[-_]+/g, " ")));
}
