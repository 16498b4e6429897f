/**
 * Owns the text of an element as it stands, line breaks and all: of a program.
 * Leaves the marks around it to render-blocks.ts. No I/O. Rule: the numbers of its lines are no part of it.
 */
import { dropUnseen } from "./clean-text.ts";
import { BLOCK } from "./elements.ts";
import type { HtmlElement, HtmlNode } from "./parse-tree.ts";
import type { RenderScope } from "./render-scope.ts";

export function preformattedText(element: HtmlElement, scope: RenderScope): string {
  const parts: string[] = [];
  const collect = (node: HtmlNode): void => {
    if (typeof node === "string") {
      parts.push(node);
      return;
    }
    if (scope.isLeftOut(node) || isLineNumber(node)) return;
    const isLine = BLOCK.has(node.name) && node !== element;
    if (node.name === "br" || (isLine && parts.length > 0 && !parts.at(-1)?.endsWith("\n"))) parts.push("\n");
    for (const child of node.children) collect(child);
    if (isLine && !parts.at(-1)?.endsWith("\n")) parts.push("\n");
  };
  collect(element);
  return dropUnseen(parts.join("").replace(/\r\n?/g, "\n").replaceAll("\u00a0", " "));
}

const LINE_NUMBERS =
  /(?:^|\s)(?:line-?nos?|line-?numbers?|line-?num|gutter|linenodiv|hljs-ln-numbers)(?:\s|$)/i;

export function isLineNumber({ attributes }: HtmlElement): boolean {
  const classes = attributes.get("class");
  return classes !== undefined && LINE_NUMBERS.test(classes.slice(0, 300));
}
