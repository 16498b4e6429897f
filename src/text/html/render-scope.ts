/**
 * Owns what the renderers share while they render one page. Leaves rendering to them. Types and small questions.
 * Rule: `text` has the words of `markdown` and none of its marks.
 */
import type { LineWriter } from "./line-writer.ts";
import type { HtmlElement } from "./parse-tree.ts";
import type { LinkBase } from "./resolve-link.ts";

export interface RenderScope {
  readonly style: "markdown" | "text";
  readonly links: LinkBase;
  /** Whether a part is left out. */
  readonly isLeftOut: (element: HtmlElement) => boolean;
  readonly writer: LineWriter;
  /** Pictures that say nothing of themselves. */
  readonly found: { imagesWithoutText: number };
}

/** What holds for one run of inline text. */
export interface InlineStyle {
  /** What a line break becomes. */
  readonly lineBreak: string;
  readonly inLink?: boolean;
  readonly isStrong?: boolean;
  readonly isEmphasised?: boolean;
}
