/**
 * Owns the words with which a tool asks for a page of HTML to be made readable.
 * Leaves doing it to text/html/, in the worker. Rule: whatever the page, text comes back; what was left out is said.
 */

/** `source` is the page as it was sent, which nobody has to be asked for. */
export const PAGE_FORMATS = ["markdown", "text", "links"] as const;
export type PageFormat = (typeof PAGE_FORMATS)[number];

export interface PageText {
  readonly title?: string;
  readonly description?: string;
  readonly text: string;
  /** Whether the text went on past the bound. */
  readonly isCut: boolean;
  /** `2 navigation blocks`, `3 scripts`. */
  readonly leftOut: readonly string[];
  /** Different ones on the page, where these were asked for. */
  readonly links?: number;
  /** The page says hardly anything until its programs have run. */
  readonly needsJavaScript: boolean;
  /** Where the page sends its reader on by itself. */
  readonly refreshTo?: string;
  /** Elements that lay too deep: their text is there, without its form. */
  readonly flattened: number;
}

export interface PageConversion {
  readonly html: string;
  /** Of the page; its links are made absolute by it. */
  readonly url: string;
  readonly format: PageFormat;
  /** Characters of the text. */
  readonly maxChars: number;
  readonly signal: AbortSignal;
}

/** `why` ends a sentence: `took longer than 5000 ms`. */
export type ConvertedPage =
  | { readonly kind: "converted"; readonly page: PageText }
  | { readonly kind: "not-converted"; readonly why: string };

/** What a tool may do with pages. */
export interface Pages {
  /** Rejects with the signal's reason where it was cancelled. */
  convert(request: PageConversion): Promise<ConvertedPage>;
}
