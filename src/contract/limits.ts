/**
 * Owns the bounds that every tool keeps, each with the source of its number.
 * Leaves to the tools how a bound is met. Rule: no other number bounds an answer.
 */

export interface Limits {
  /** Bytes of the file that one `read` with `offset` or `limit` returns. Default 65536: about 20,000 tokens, a tenth of a common context window; carried over from file tools where it was measured. */
  readonly readMax: number;
  /** Bytes of the file that a `read` without a range returns. Default 8192: a model that names no range does not know how long the file is, and most source files fit. */
  readonly unrangedMax: number;
  /** Matches that one `grep` returns. Default 100: past that, models narrow the pattern rather than read on. */
  readonly grepMax: number;
  /** Entries that one `list` returns. Default 200: carried over from file tools where it was measured. */
  readonly listMax: number;
  /** Paths that one `glob` returns. Default 500: paths are short, about 10,000 tokens at 80 characters each. */
  readonly globMax: number;
  /** Characters of one whole result of read, list, glob and grep, header and notes included. Default 65536, in step with `readMax`. */
  readonly resultMax: number;
  /** Bytes that `bash` keeps of each stream. Default 1048576: the bound of the founding document. */
  readonly bashMax: number;
  /** Decoded bytes that `webfetch` keeps. Default 524288: the bound of the founding document. The text that is made of a page is at most as many characters. */
  readonly fetchMax: number;
  /** Lines of context around a `grep` match. Default 20: more is a `read`. */
  readonly contextMax: number;
  /** Characters shown of a long line around a match. Default 400: four lines of a wide terminal. */
  readonly lineWindow: number;
}

/** Bytes of a PDF file that is read. 64 MiB, as for images: the file is held in memory, and of documents with text hardly one is larger. */
export const PDF_MAX_BYTES = 67_108_864;
/** Pages of a PDF document that are gone through to count its lines. 500: about 5 s at the 10 ms that an ordinary page takes. What lies behind them is gone through when `offset` asks for it. */
export const PDF_COUNTED_PAGES = 500;
/** Bytes of text that are made of a PDF document. 32 MiB: more than 10,000 dense pages. */
export const PDF_TEXT_MAX_BYTES = 33_554_432;
/** Milliseconds that reading a PDF document may take. 20,000: four times what {@link PDF_COUNTED_PAGES} take. */
export const PDF_MAX_MS = 20_000;
/** Share of {@link PDF_MAX_MS} after which no more is read than is wanted: the rest is for what is. */
export const PDF_AHEAD_SHARE = 0.75;
/** Documents whose text the worker keeps. 2: a document and the one that it is compared with. */
export const PDF_KEPT_DOCUMENTS = 2;
/** Bytes of text that it keeps at most: {@link PDF_TEXT_MAX_BYTES} of each. */
export const PDF_KEPT_BYTES = 67_108_864;
/** Milliseconds for which it keeps them when nobody asks for any. 300,000: a model thinks for minutes, not for longer. */
export const PDF_KEPT_MS = 300_000;
/** MiB of heap that reading a PDF document may take. 512: documents of a thousand pages need about 150. */
export const PDF_MAX_HEAP = 512;
/** Bytes to which one stream of a PDF document may unpack. 64 MiB, as large as the largest file: a page of text is a thousandth of it, and what unpacks to more is made to exhaust the memory. */
export const PDF_MAX_STREAM = 67_108_864;

/** The bounds where a host names none. A session has a `readMax` of 24,576 and a `resultMax` of 30,000. */
export const DEFAULT_LIMITS: Limits = Object.freeze({
  readMax: 65_536,
  unrangedMax: 8_192,
  grepMax: 100,
  listMax: 200,
  globMax: 500,
  resultMax: 65_536,
  bashMax: 1_048_576,
  fetchMax: 524_288,
  contextMax: 20,
  lineWindow: 400,
});
