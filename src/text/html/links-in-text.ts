/**
 * Owns the addresses that stand in a text that is no page: a Markdown file, JSON, a feed.
 * Leaves the links of pages to list-links.ts. No I/O. Rule: each once, in the order of the text.
 */

const ADDRESS = /https?:\/\/[^\s<>"'`\\^{}|[\]]{1,2000}/gi;

export interface LinksInText {
  readonly text: string;
  readonly count: number;
}

export function findLinksInText(text: string): LinksInText {
  const found = new Set<string>();
  for (const [address] of text.matchAll(ADDRESS)) found.add(trimEnd(address));
  return { text: [...found].map((address) => `- ${address}`).join("\n"), count: found.size };
}

/** What ends a sentence or a bracket around the address is no part of it. */
function trimEnd(address: string): string {
  const trimmed = address.replace(/[.,;:!?*_]+$/, "");
  return trimmed.endsWith(")") && !trimmed.includes("(") ? trimmed.slice(0, -1) : trimmed;
}
