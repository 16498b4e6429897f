/**
 * Owns the pictures by which people tell the tools from each other in a client's list. Models are shown none of them.
 * Leaves where they stand to translate.ts. Rule: small, for they travel with every list; grey, so that they can be seen
 * on light and on dark; in the message itself, so that no client fetches anything.
 */
import type { Icon } from "@modelcontextprotocol/server";

/** Lines on a field of 24 by 24. */
const STROKES = {
  haft: "M4 20l8-8M9 7l8 8 3-3-8-8z",
  "Read a file": "M6 3h9l4 4v14H6zM9 11h7M9 15h7",
  "List a directory": "M3 5h6l2 3h10v11H3z",
  "Find files by name": "M12 4v16M5 8l14 8M19 8L5 16",
  "Search in files": "M10 4a6 6 0 1 1 0 12a6 6 0 1 1 0-12M15 15l5 5",
  "Edit a file": "M4 20l1-5L16 4l4 4L9 19z",
  "Write a file": "M6 3h9l4 4v14H6zM12 10v7M9 13h7",
  "Delete a file or directory": "M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14",
  "Move or rename": "M4 12h15M13 6l6 6-6 6",
  "Run a command": "M3 4h18v16H3zM7 9l3 3-3 3M12 15h5",
  "Background jobs": "M12 3a9 9 0 1 1 0 18a9 9 0 1 1 0-18M12 7v5l4 2",
  "Fetch a URL": "M12 3a9 9 0 1 1 0 18a9 9 0 1 1 0-18M3 12h18M12 3v18",
  "Read a page in a browser": "M3 4h18v16H3zM3 9h18M6 6h1",
  "Recall an earlier result": "M4 12a8 8 0 1 1 3 6M3 19l4-1-1-4M12 8v4h4",
  "Show commitments": "M4 4h16v16H4zM8 12l3 3 5-6",
} as const satisfies Readonly<Record<string, string>>;

/** The picture of a tool, known by its title: that is the same under every prefix. None for tools of a host's own. */
export function iconsOf(title: string): { readonly icons?: Icon[] } {
  const found = Object.entries(STROKES).find(([known]) => known === title);
  return found === undefined ? {} : { icons: [draw(found[1])] };
}

/** The picture of the server. */
export const SERVER_ICONS: Icon[] = [draw(STROKES.haft)];

function draw(strokes: string): Icon {
  const picture = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><path fill='none' stroke='#888' stroke-width='2' d='${strokes}'/></svg>`;
  // Only what an address may not hold is escaped: base64 would be larger.
  const escaped = picture.replace(/[<># ]/g, (one) => encodeURIComponent(one));
  return { src: `data:image/svg+xml,${escaped}`, mimeType: "image/svg+xml" };
}
