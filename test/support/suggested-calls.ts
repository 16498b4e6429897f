/**
 * Owns finding the calls that a text suggests: a mounted name, a space, one JSON object on one line.
 * Leaves making them to the tests. Rule: what does not parse as JSON is prose.
 */

export interface SuggestedCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export function findSuggestedCalls(text: string, names: readonly string[]): SuggestedCall[] {
  const found: SuggestedCall[] = [];
  for (const line of text.split("\n")) {
    for (const hit of line.matchAll(/(?<![\w-])([a-zA-Z0-9_-]+) \{/g)) {
      const [whole, name] = hit;
      if (name === undefined || !names.includes(name)) continue;
      const args = parseObjectAt(line, hit.index + whole.length - 1);
      if (args !== undefined) found.push({ name, args });
    }
  }
  return found;
}

/** The JSON object that starts at `start`, tried up to each closing brace in turn. */
function parseObjectAt(line: string, start: number): Record<string, unknown> | undefined {
  for (let end = line.indexOf("}", start); end !== -1; end = line.indexOf("}", end + 1)) {
    try {
      const value: unknown = JSON.parse(line.slice(start, end + 1));
      if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
    } catch {
      // Not yet whole: the brace was inside a string or a nested object.
    }
  }
  return undefined;
}
