/**
 * Owns turning what a document's reader tells of a page into runs: upright, from top to bottom, direction by direction.
 * Leaves laying them out to page-lines.ts. Rule: a page that is turned reads like one that is not.
 */
import { repairCharacters } from "./repair-characters.ts";
import type { TextRun } from "./text-run.ts";

/** As PDF.js tells it: a matrix is `[a, b, c, d, e, f]`, in units of the page. */
export interface PageItem {
  readonly str: string;
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
  readonly fontName: string;
}

export interface ItemStyle {
  readonly fontFamily?: string;
  readonly vertical?: boolean;
}

export interface PageItems {
  readonly items: readonly PageItem[];
  readonly styles: Readonly<Record<string, ItemStyle>>;
  /** From the page to what is seen, y downward: turns the page as it says it is to be turned. */
  readonly view: readonly number[];
}

/** Degrees: a scan may be askew by some, and is read as if it were straight. */
const DIRECTION_STEP = 15;
const FALLBACK_SIZE = 10;

/** The runs of each direction in which the page is written, the one with most characters first. */
export function placeItems({ items, styles, view }: PageItems): TextRun[][] {
  const directions = new Map<number, { runs: TextRun[]; characters: number }>();
  const scale = Math.hypot(view[0] ?? 1, view[1] ?? 0) || 1;
  for (const [order, item] of items.entries()) {
    const text = repairCharacters(item.str);
    if (text.trim() === "") continue;
    const style = styles[item.fontName] ?? {};
    const { angle, x, y } = findPlace(multiply(view, item.transform), style.vertical === true);
    if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
    const size = sizeOf(item) * scale;
    const length = style.vertical === true ? item.height : item.width;
    const width = Number.isFinite(length) ? Math.abs(length) * scale : 0;
    const direction = directions.get(angle) ?? { runs: [], characters: 0 };
    directions.set(angle, direction);
    direction.characters += text.length;
    direction.runs.push({ text, x, y, width, size, order, isMono: style.fontFamily === "monospace" });
  }
  const sorted = [...directions].sort(([a, one], [b, other]) => other.characters - one.characters || a - b);
  return sorted.map(([, { runs }]) => runs);
}

function sizeOf({ transform, height }: PageItem): number {
  const size = Math.hypot(transform[2] ?? 0, transform[3] ?? 0) || Math.abs(height);
  return Number.isFinite(size) && size > 0 ? size : FALLBACK_SIZE;
}

/** Where an item starts once the page is turned so that the item's line goes to the right. */
function findPlace(matrix: readonly number[], isVertical: boolean) {
  const [a = 1, b = 0, , , e = 0, f = 0] = matrix;
  const written = (Math.atan2(b, a) * 180) / Math.PI + (isVertical ? 90 : 0);
  const angle = (((Math.round(written / DIRECTION_STEP) * DIRECTION_STEP) % 360) + 360) % 360;
  const turn = (angle * Math.PI) / 180;
  return {
    angle,
    x: e * Math.cos(turn) + f * Math.sin(turn),
    y: f * Math.cos(turn) - e * Math.sin(turn),
  };
}

function multiply(by: readonly number[], matrix: readonly number[]): number[] {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = by;
  const [ma = 1, mb = 0, mc = 0, md = 1, me = 0, mf = 0] = matrix;
  return [
    a * ma + c * mb,
    b * ma + d * mb,
    a * mc + c * md,
    b * mc + d * md,
    a * me + c * mf + e,
    b * me + d * mf + f,
  ];
}
