/**
 * Owns how a page of pages/ and what is made of it stand beside each other: `<name>.html` and `<name>.md`.
 * Rule: the expected file is the whole of what a reader is told, so that a reviewer reads pages and no code.
 */
import type { PageText } from "../../src/contract/page.ts";

export function tellPage(page: PageText): string {
  const { title, description, leftOut, needsJavaScript, refreshTo, flattened } = page;
  const facts = [
    `title: ${title ?? "(none)"}`,
    ...(description === undefined ? [] : [`description: ${description}`]),
    `left out: ${leftOut.length === 0 ? "nothing" : leftOut.join(", ")}`,
    ...(needsJavaScript ? ["needs JavaScript"] : []),
    ...(refreshTo === undefined ? [] : [`sends on to: ${refreshTo}`]),
    ...(flattened === 0 ? [] : [`too deep: ${flattened}`]),
  ];
  return `${facts.join("\n")}\n\n=====\n\n${page.text}\n`;
}
