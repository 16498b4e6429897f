/**
 * Owns the words for what a page's readable text goes without. Leaves counting to leave-out.ts. No I/O.
 * Rule: in a fixed order, numbers first; what nobody would miss is not told.
 */
import type { LeftOut } from "./leave-out.ts";
import type { PartKind } from "./page-parts.ts";

const ORDER: readonly PartKind[] = [
  "navigation block",
  "page header",
  "page footer",
  "sidebar",
  "advertisement",
  "notice",
  "sharing block",
  "form",
  "form field",
  "hidden part",
  "embedded frame or media",
  "other part",
  "script",
];

const PLURALS: Partial<Record<PartKind, string>> = {
  "embedded frame or media": "embedded frames or media",
};

export function describeLeftOut(
  { counts, formFields }: LeftOut,
  { imagesWithoutText }: { readonly imagesWithoutText: number },
): readonly string[] {
  const words = ORDER.flatMap((kind) => {
    const count = (counts.get(kind) ?? 0) + (kind === "navigation block" ? (counts.get("way here") ?? 0) : 0);
    if (count === 0) return [];
    const fields = kind === "form" ? ` (${countOf(formFields, "field")})` : "";
    return [countOf(count, kind, PLURALS[kind]) + fields];
  });
  if (imagesWithoutText > 0)
    words.push(countOf(imagesWithoutText, "image without description", "images without description"));
  return words;
}

function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
