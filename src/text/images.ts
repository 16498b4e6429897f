/**
 * Owns what can be told of an image by its structure: how large it is, and whether the file is whole.
 * Leaves telling the format to kinds.ts, the formats to image-*.ts, and decoding pixels to nobody here.
 * Rule: dimensions come from the header, before anything is unpacked, so that a file of a few bytes that unpacks to
 * gigabytes is known for what it is; every length in a file is checked against the file.
 */
import { inspectGif } from "./image-gif.ts";
import { inspectJpeg } from "./image-jpeg.ts";
import { inspectPng } from "./image-png.ts";
import type { ImageStructure } from "./image-structure.ts";
import { inspectWebp } from "./image-webp.ts";
import type { ImageKind } from "./kinds.ts";
import { asBuffer } from "./utf-8.ts";

const INSPECTORS: Readonly<Record<ImageKind, (bytes: Buffer) => ImageStructure>> = {
  png: inspectPng,
  jpeg: inspectJpeg,
  gif: inspectGif,
  webp: inspectWebp,
};

/** Pixels wide and high, or undefined where the header is broken. The first bytes of a file suffice unless it is a JPEG with long metadata. */
export function imageSize(
  bytes: Uint8Array,
  kind: ImageKind,
): { readonly width: number; readonly height: number } | undefined {
  return INSPECTORS[kind](asBuffer(bytes)).size;
}

/** Why a whole file cannot be a decodable image, or undefined where its structure is sound. Pixels are not looked at. */
export function imageFault(bytes: Uint8Array, kind: ImageKind): string | undefined {
  const { size, fault } = INSPECTORS[kind](asBuffer(bytes));
  if (fault !== undefined) return fault;
  if (size === undefined) return "no dimensions in its header";
  return size.width === 0 || size.height === 0 ? `it is ${size.width}x${size.height} pixels` : undefined;
}
