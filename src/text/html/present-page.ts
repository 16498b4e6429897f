/**
 * Owns how a response and its page are told: the first line, the text, the mark at a cut, what is worth a note.
 * Used by every tool that gets pages. Leaves converting to render-page.ts, by way of the worker. No I/O.
 * Rule: the first line says what this is before any text of the page; a page cannot add a line to it.
 */
import type { MountedNames } from "../../contract/context.ts";
import type { Note } from "../../contract/output.ts";
import type { ConvertedPage } from "../../contract/page.ts";
import { keepOnOneLine } from "../one-line.ts";
import { clipLine } from "./clean-text.ts";
import { stripMarkup } from "./strip-markup.ts";

/** What is known of a response beside its text. */
export interface ResponseFacts {
  /** After redirects. */
  readonly url: string;
  readonly status?: number | undefined;
  readonly mediaType?: string | undefined;
  /** Of the body, decoded; those that were kept. */
  readonly bytes: number;
  /** Whether the body went on. */
  readonly isCut: boolean;
  /** The URLs that redirected, in order. */
  readonly redirects?: readonly string[];
}

/** What is known of a text beside the response. */
interface TextFacts {
  readonly text: string;
  readonly title?: string | undefined;
  /** More of the first line: `left out: 3 scripts`. */
  readonly clauses?: readonly string[];
  /** Whether the text went on past its bound. */
  readonly isTextCut?: boolean;
}

const MAX_URL = 500;

export function presentText(response: ResponseFacts, of: TextFacts): string {
  const { status, mediaType, bytes, isCut, redirects = [] } = response;
  const facts = [
    ...(status === undefined ? [] : [String(status)]),
    mediaType ?? "no type",
    `${bytes} bytes`,
    ...(of.title === undefined ? [] : [`"${clipLine(of.title, 200)}"`]),
  ].join(", ");
  const clauses = [
    facts,
    ...(redirects.length === 0 ? [] : [`redirected from ${clipLine(redirects[0] ?? "", MAX_URL)}`]),
    ...(of.clauses ?? []),
    ...(isCut ? ["cut: the body goes on after these bytes"] : []),
    ...(of.isTextCut === true ? ["cut: the text goes on"] : []),
  ];
  const head = keepOnOneLine(`${clipLine(response.url, MAX_URL)}: ${clauses.join("; ")}`);
  const isAnyCut = isCut || of.isTextCut === true;
  const body = of.text.trim() === "" ? (bytes === 0 ? "(empty)" : "(no text)") : of.text;
  return [head, body, ...(isAnyCut ? [CUT] : [])].join("\n").toWellFormed();
}

/** There is no further call: a page is read from its beginning. */
const CUT = "[cut here: what follows was not read, and no call reads on from here]";

export interface PageFacts {
  readonly html: string;
  readonly maxChars: number;
  readonly converted: ConvertedPage;
  readonly names: MountedNames;
  /** Whether its scripts have run already. */
  readonly isRendered: boolean;
  /** More of the first line, told after what the page itself tells. */
  readonly clauses?: readonly string[];
}

export interface PresentedPage {
  readonly content: string;
  readonly notes: readonly Note[];
  readonly title?: string;
  readonly leftOut: readonly string[];
  readonly needsJavaScript: boolean;
  /** Whether only tags were taken out, for the page could not be converted. */
  readonly isPlain: boolean;
}

export function presentPage(response: ResponseFacts, of: PageFacts): PresentedPage {
  return of.converted.kind === "converted"
    ? presentConverted(response, of, of.converted)
    : presentPlain(response, of, of.converted);
}

function presentConverted(
  response: ResponseFacts,
  { names, isRendered, clauses: more = [] }: PageFacts,
  { page }: Extract<ConvertedPage, { kind: "converted" }>,
): PresentedPage {
  const { title, description, leftOut, links } = page;
  const needsJavaScript = page.needsJavaScript && !isRendered;
  const clauses = [
    ...(links === undefined ? [] : [links === 1 ? "1 link" : `${links} links`]),
    ...(leftOut.length === 0 ? [] : [`left out: ${leftOut.join(", ")}`]),
    ...(needsJavaScript ? ["needs JavaScript"] : []),
    ...more,
  ];
  const isEmpty = page.text.trim() === "";
  const text = isEmpty && description !== undefined ? `(its description: ${description})` : page.text;
  const content = presentText(response, { text, title, clauses, isTextCut: page.isCut });
  const notes = [
    needsJavaScript ? noteScripts(response.url, names) : undefined,
    page.refreshTo === undefined ? undefined : note(`the page sends its reader on to ${page.refreshTo}`),
    page.flattened === 0
      ? undefined
      : note(`${page.flattened} elements lie too deep in each other: their text is there, without its form`),
  ].filter((one) => one !== undefined);
  const named = title === undefined ? {} : { title };
  return { content, notes, ...named, leftOut, needsJavaScript, isPlain: false };
}

function noteScripts(url: string, names: MountedNames): Note {
  const call = names.suggest("browse", { url });
  const way = call === undefined ? "" : `; this runs them: ${call}`;
  return note(`the page says hardly anything until its scripts have run${way}`);
}

function presentPlain(
  response: ResponseFacts,
  { html, maxChars, clauses: more = [] }: PageFacts,
  { why }: Extract<ConvertedPage, { kind: "not-converted" }>,
): PresentedPage {
  const { text, isCut, title } = stripMarkup(html, maxChars);
  const clauses = ["plain text, without links and structure", ...more];
  return {
    content: presentText(response, { text, title, clauses, isTextCut: isCut }),
    notes: [note(`converting the page ${why}, so only its tags were taken out`)],
    ...(title === undefined ? {} : { title }),
    leftOut: [],
    needsJavaScript: false,
    isPlain: true,
  };
}

function note(text: string): Note {
  return { code: "other", text: keepOnOneLine(clipLine(text, 3_000)), audience: "model" };
}
