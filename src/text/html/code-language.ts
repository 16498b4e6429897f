/**
 * Owns which language a block of code says that it is in. Leaves the block to render-blocks.ts. No I/O.
 * Rule: what the page says, never a guess.
 */
import type { HtmlElement } from "./parse-tree.ts";

const CLASS =
  /(?:^|\s)(?:language|lang|highlight-source|highlight|brush:|code|src)[-_ ]([A-Za-z0-9+#.]{1,24})(?=[\s;]|$)/;
/** `sourceCode python`, `highlight js`, `prettyprint lang-c`: the language stands beside a word that says so. */
const BESIDE = /(?:^|\s)(?:sourceCode|prettyprint|hljs|codehilite)\s+([A-Za-z0-9+#]{1,24})(?:\s|$)/;
/** Words of such classes that name no language. */
const NONE = new Set([
  "none",
  "text",
  "plain",
  "plaintext",
  "block",
  "wrapper",
  "linenums",
  "default",
  "nohighlight",
]);

/** `around` are the elements that hold the block, the nearest first. */
export function findLanguage(block: HtmlElement, around: readonly HtmlElement[]): string | undefined {
  const code = block.children.find((child) => typeof child !== "string" && child.name === "code");
  const places = [
    block,
    ...(code === undefined || typeof code === "string" ? [] : [code]),
    ...around.slice(0, 3),
  ];
  for (const { attributes } of places) {
    const said = attributes.get("data-lang") ?? attributes.get("data-language");
    const classes = attributes.get("class")?.slice(0, 300) ?? "";
    const found = said ?? CLASS.exec(classes)?.[1] ?? BESIDE.exec(classes)?.[1];
    if (found === undefined || !/^[A-Za-z0-9+#.-]{1,24}$/.test(found)) continue;
    return NONE.has(found.toLowerCase()) ? undefined : found.toLowerCase();
  }
  return undefined;
}
