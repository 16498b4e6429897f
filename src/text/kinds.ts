/**
 * Owns telling what kind of file some bytes begin, by the bytes and never by a name.
 * Leaves NULs further on to the tools (a file without a known beginning may still be binary), dimensions to
 * image-size.ts, broken images to image-fault.ts.
 * Rule: valid UTF-8 without a NUL is text whatever letters it begins with. A table of our own, because the
 * published ones are made to name files that are known to be binary: they take "BM", "MZ", "PL", "ID3", "{" or
 * "G" at the start of a sentence for a bitmap, a program, a font, a song, JSON or a film, and UTF-16 for music.
 */
import { isUtf8Prefix } from "./utf-8.ts";

export type ImageKind = "png" | "jpeg" | "gif" | "webp";

type FileKind =
  | { readonly kind: "image"; readonly image: ImageKind }
  | { readonly kind: "pdf" }
  | { readonly kind: "binary"; readonly name: string }
  | { readonly kind: "text" };

/** Bytes of a file that suffice here: a PDF document may begin with as many of something else. */
export const KIND_BYTES = 1_024 + 5;

interface Signature {
  readonly kind: FileKind;
  /** In latin1; `?` stands for any byte. */
  readonly magic: string;
  readonly at: number;
}

const TEXT: FileKind = { kind: "text" };
const PDF_MAGIC = "%PDF-";

function image(kind: ImageKind, magic: string): Signature {
  return { kind: { kind: "image", image: kind }, magic, at: 0 };
}

function binary(name: string, magic: string, at = 0): Signature {
  return { kind: { kind: "binary", name }, magic, at };
}

/** The more particular one first where two begin alike. */
const SIGNATURES: readonly Signature[] = [
  image("png", "\x89PNG\r\n\x1a\n"),
  image("jpeg", "\xff\xd8\xff"),
  image("gif", "GIF87a"),
  image("gif", "GIF89a"),
  image("webp", "RIFF????WEBP"),
  binary("ELF executable", "\x7fELF"),
  binary("Windows executable", "MZ"),
  binary("Mach-O executable", "\xfe\xed\xfa\xce"),
  binary("Mach-O executable", "\xfe\xed\xfa\xcf"),
  binary("Mach-O executable", "\xce\xfa\xed\xfe"),
  binary("Mach-O executable", "\xcf\xfa\xed\xfe"),
  binary("Java class or Mach-O executable", "\xca\xfe\xba\xbe"),
  binary("WebAssembly module", "\0asm"),
  binary("static library", "!<arch>\n"),
  binary("zip archive", "PK\x03\x04"),
  binary("zip archive", "PK\x05\x06"),
  binary("zip archive", "PK\x07\x08"),
  binary("gzip archive", "\x1f\x8b"),
  binary("bzip2 archive", "BZh"),
  binary("xz archive", "\xfd7zXZ\0"),
  binary("zstd archive", "\x28\xb5\x2f\xfd"),
  binary("lz4 archive", "\x04\x22\x4d\x18"),
  binary("7-Zip archive", "7z\xbc\xaf\x27\x1c"),
  binary("RAR archive", "Rar!\x1a\x07"),
  binary("cabinet archive", "MSCF\0\0\0\0"),
  binary("RPM package", "\xed\xab\xee\xdb"),
  binary("tar archive", "ustar\0", 257),
  binary("tar archive", "ustar  \0", 257),
  binary("SQLite database", "SQLite format 3\0"),
  binary("old Microsoft Office document", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
  binary("AVIF image", "ftypavif", 4),
  binary("HEIC image", "ftyphei", 4),
  binary("HEIC image", "ftypmif1", 4),
  binary("MP4 or QuickTime video", "ftyp", 4),
  binary("Matroska or WebM video", "\x1a\x45\xdf\xa3"),
  binary("WAV audio", "RIFF????WAVE"),
  binary("AVI video", "RIFF????AVI "),
  binary("MPEG video", "\0\0\x01\xba"),
  binary("MPEG video", "\0\0\x01\xb3"),
  binary("Ogg media", "OggS"),
  binary("FLAC audio", "fLaC"),
  binary("MP3 audio", "ID3"),
  binary("MP3 audio", "\xff\xfb"),
  binary("MP3 audio", "\xff\xf3"),
  binary("MIDI audio", "MThd\0\0\0"),
  binary("BMP image", "BM????\0\0\0\0"),
  binary("TIFF image", "II*\0"),
  binary("TIFF image", "MM\0*"),
  binary("Photoshop image", "8BPS\0"),
  binary("icon", "\0\0\x01\0"),
  binary("WOFF font", "wOFF"),
  binary("WOFF2 font", "wOF2"),
  binary("OpenType font", "OTTO\0"),
  binary("TrueType font", "\0\x01\0\0\0"),
  binary("Python bytecode", "??\r\n\0\0\0\0"),
];

/** The kind of a file by its head: {@link KIND_BYTES} or more of its first bytes, or all of them. `text` means that no signature is known. */
export function kindOf(head: Uint8Array): FileKind {
  // A document may be ASCII from end to end and is a PDF all the same.
  if (matches(head, PDF_MAGIC, 0)) return { kind: "pdf" };
  // Two characters of UTF-16 can spell any four bytes, such as those of a video.
  if (matches(head, "\xff\xfe", 0) || matches(head, "\xfe\xff", 0)) return TEXT;
  const found = SIGNATURES.find(({ magic, at }) => matches(head, magic, at));
  if (found !== undefined) return isPlainText(head) ? TEXT : found.kind;
  return isLaterPdf(head) ? { kind: "pdf" } : TEXT;
}

/** Viewers look for the beginning of a document behind as many bytes of something else. Text that speaks of it is text. */
function isLaterPdf(head: Uint8Array): boolean {
  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, KIND_BYTES));
  return start.includes(PDF_MAGIC, 0, "latin1") && !isPlainText(head);
}

function matches(head: Uint8Array, magic: string, at: number): boolean {
  if (head.length < at + magic.length) return false;
  for (let index = 0; index < magic.length; index++) {
    const code = magic.charCodeAt(index);
    if (code !== 0x3f && head[at + index] !== code) return false;
  }
  return true;
}

/** Only what stands up to here is asked, so that the answer does not hang on how much a caller has read. */
function isPlainText(head: Uint8Array): boolean {
  const start = head.subarray(0, KIND_BYTES);
  return !start.includes(0) && isUtf8Prefix(start);
}
