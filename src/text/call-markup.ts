/**
 * Owns telling whether a text ends in markup of the very call that carries it: `…</content>` and what followed there.
 * Leaves what is said about it to the tools. Rule: told, never taken away. A text about such markup is as likely as
 * any, so only an end without its beginning counts.
 */

/** Far enough from the end to hold a few short arguments that were swallowed. */
const TAIL = 2_000;
const CLOSING =
  /<\/((?:antml:)?(?:parameter|invoke|function_calls|tool_call|content|file_text|new_text|new_string|new_str))>/g;

/** The first closing tag of the tail that the text does not open, where nothing but markup and values come behind it. */
function findCallMarkup(text: string): string | undefined {
  if (!text.trimEnd().endsWith(">") && !text.slice(-TAIL).includes("<parameter")) return undefined;
  const tail = text.slice(-TAIL);
  for (const found of tail.matchAll(CLOSING)) {
    const name = found[1] ?? "";
    const rest = tail.slice(found.index + found[0].length);
    const isLast = /^\s*(?:<[/\w][^<>]*>[^<>]*)*$/.test(rest);
    if (isLast && !text.includes(`<${name}>`) && !text.includes(`<${name} `)) return found[0];
  }
  return undefined;
}

/** What a model is told of it; `argument` is what the text came in. */
export function describeCallMarkup(argument: string, text: string): string | undefined {
  const tag = findCallMarkup(text);
  return tag === undefined
    ? undefined
    : `${argument} ends with ${tag}, as if a piece of the call itself had been taken into it; it was written as it came, so look whether it is meant`;
}
