/**
 * Owns reading JSON so strictly that it means one thing. Leaves its shape to schema.ts.
 * Rule: a key that stands twice is an error. The attack: a reviewer reads the first, a parser takes the last.
 */

/** Throws an error with a phrase of what is wrong. */
export function parseStrictJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("it is not UTF-8");
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`it is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const twice = findRepeatedKey(text);
  if (twice !== undefined) throw new Error(`the key ${JSON.stringify(twice)} stands in it twice`);
  return value;
}

/** The first key that its object has already, in a text that is JSON. */
function findRepeatedKey(text: string): string | undefined {
  /** Of each open object its keys; of an open array nothing. */
  const open: (Set<string> | undefined)[] = [];
  let isKey = false;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g)) {
    const keys = open.at(-1);
    if (token === "{" || token === "[") open.push(token === "{" ? new Set() : undefined);
    else if (token === "}" || token === "]") open.pop();
    if (token === "{" || token === ",") isKey = open.at(-1) !== undefined;
    else if (token.startsWith('"') && isKey && keys !== undefined) {
      const key = String(JSON.parse(token));
      if (keys.has(key)) return key;
      keys.add(key);
      isKey = false;
    } else isKey = false;
  }
  return undefined;
}
