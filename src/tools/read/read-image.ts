/**
 * Owns showing an image: checked, measured, and shrunk to what model providers accept.
 * Leaves parsing headers to text/. Rule: a provider that is sent a broken image refuses every later request too,
 * so one that cannot be decoded is refused here.
 */
import type { Place } from "../../contract/access.ts";
import type { Done, Image } from "../../contract/output.ts";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import { imageFault, imageSize } from "../../text/images.ts";
import type { ImageKind } from "../../text/kinds.ts";
import { keepOnOneLine } from "../../text/one-line.ts";

/** Characters of base64: providers refuse 5 MB and more, counted on the encoded image. */
const MAX_BASE64_CHARACTERS = 4_999_000;
/** Pixels a side: providers refuse more than 8,000. */
const MAX_SIDE = 8_000;
/** Pixels in all that are decoded: 100 million need 400 MB at four bytes each; a bomb needs far more. */
const MAX_PIXELS = 100_000_000;
/** Sides that are tried, in order, until the encoded image is small enough. */
const SHRINK_SIDES = [4_000, 2_000, 1_000];

export interface ImageDetails {
  readonly kind: "image";
  readonly path: string;
  readonly mediaType: Image["mediaType"];
  /** Of the file. */
  readonly width: number;
  readonly height: number;
  readonly size: number;
  /** The pixels sent, where the image was shrunk. */
  readonly shrunkTo?: { readonly width: number; readonly height: number };
}

export async function readImage(of: {
  bytes: Buffer;
  image: ImageKind;
  place: Place;
}): Promise<Done<ImageDetails> | Refusal> {
  const { bytes, image, place } = of;
  const fail = (reason: string) =>
    refuse("image-invalid", { path: place.shown, kind: image, bytes: bytes.length, reason });
  const fault = imageFault(bytes, image);
  if (fault !== undefined) return fail(fault);
  const size = imageSize(bytes, image);
  if (size === undefined) return fail("its dimensions cannot be read");
  if (size.width * size.height > MAX_PIXELS) {
    return fail(`${size.width}×${size.height} pixels are more than is safe to decode (${MAX_PIXELS})`);
  }
  const sharp = await loadSharp();
  const undecodable = sharp && (await findDecodingFault(sharp, bytes));
  if (undecodable !== undefined) return fail(undecodable);
  const base64 = bytes.toString("base64");
  const fits = base64.length <= MAX_BASE64_CHARACTERS && Math.max(size.width, size.height) <= MAX_SIDE;
  const mediaType = `image/${image}` as const;
  if (fits) return show({ place, image, bytes, size, sent: { mediaType, base64, ...size } });
  if (sharp === undefined) {
    return fail(
      `it is larger than model providers accept (5 MB, ${MAX_SIDE} pixels a side), and the package sharp, which would shrink it, is not installed`,
    );
  }
  const sent = await shrink(sharp, bytes);
  return sent === undefined
    ? fail("it cannot be shrunk to what model providers accept")
    : show({ place, image, bytes, size, sent });
}

function show(of: {
  place: Place;
  image: ImageKind;
  bytes: Buffer;
  size: { width: number; height: number };
  sent: Image;
}): Done<ImageDetails> {
  const { place, image, bytes, size, sent } = of;
  const isShrunk = sent.width !== size.width || sent.height !== size.height;
  const shrunk = isShrunk ? `, shown at ${sent.width}×${sent.height}` : "";
  return {
    content: `${keepOnOneLine(place.shown)}: ${image.toUpperCase()} image, ${size.width}×${size.height} pixels, ${bytes.length} bytes${shrunk}`,
    images: [sent],
    details: {
      kind: "image",
      path: place.shown,
      mediaType: `image/${image}`,
      ...size,
      size: bytes.length,
      ...(isShrunk && { shrunkTo: { width: sent.width, height: sent.height } }),
    },
  };
}

type Sharp = typeof import("sharp").default;

/** The optional part that decodes. Without it structure and dimensions are still checked. */
async function loadSharp(): Promise<Sharp | undefined> {
  try {
    return (await import("sharp")).default;
  } catch {
    return undefined;
  }
}

async function findDecodingFault(sharp: Sharp, bytes: Buffer): Promise<string | undefined> {
  try {
    await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: "truncated" }).stats();
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return `it cannot be decoded (${message.split("\n")[0] ?? "unknown fault"})`;
  }
}

async function shrink(sharp: Sharp, bytes: Buffer): Promise<Image | undefined> {
  for (const side of SHRINK_SIDES) {
    const resized = sharp(bytes, { limitInputPixels: MAX_PIXELS })
      .rotate()
      .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true });
    const { data, info } = await resized.png({ compressionLevel: 9 }).toBuffer({ resolveWithObject: true });
    const sent = { data, mediaType: "image/png" as const, info };
    const best = data.length * 4 <= MAX_BASE64_CHARACTERS * 3 ? sent : await asJpeg(resized);
    const base64 = best.data.toString("base64");
    if (base64.length > MAX_BASE64_CHARACTERS) continue;
    return { mediaType: best.mediaType, base64, width: best.info.width, height: best.info.height };
  }
  return undefined;
}

async function asJpeg(resized: import("sharp").Sharp) {
  const { data, info } = await resized.clone().jpeg({ quality: 85 }).toBuffer({ resolveWithObject: true });
  return { data, mediaType: "image/jpeg" as const, info };
}
