/**
 * Owns the plain text of a page where it could not be converted: tags taken out, and nothing else.
 * Leaves everything else to render-page.ts. No I/O.
 * Rule: one pass without a tree; slow for no page.
 */
import { clipLine, collapseBlanks, dropUnseen } from "./clean-text.ts";
import { BLOCK } from "./elements.ts";
import { tokenize } from "./tokenize.ts";

export interface StrippedPage {
  readonly text: string;
  readonly isCut: boolean;
  readonly title?: string;
}

const MAX_TITLE = 200;

export function stripMarkup(html: string, maxChars: number): StrippedPage {
  const lines: string[] = [];
  let line: string[] = [];
  let left = maxChars;
  let title = "";
  const endLine = (): void => {
    const text = collapseBlanks(line.join("")).trim().slice(0, Math.max(left, 0));
    line = [];
    if (text === "") return;
    left -= text.length + 1;
    lines.push(text);
  };
  for (const token of tokenize(html)) {
    if (left <= 0) break;
    if (token.kind === "text") line.push(token.text);
    else if (token.name === "title" && token.kind === "open" && title === "")
      title = clipLine(token.text ?? "", MAX_TITLE);
    else if (token.name === "br" || BLOCK.has(token.name)) endLine();
  }
  endLine();
  const text = dropUnseen(lines.join("\n")).toWellFormed();
  return { text, isCut: left <= 0, ...(title === "" ? {} : { title }) };
}
