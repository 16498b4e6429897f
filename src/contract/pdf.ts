/**
 * Owns the words with which a tool asks for the text of a PDF document.
 * Leaves reading it to the worker, laying it out to text/pdf/. Rule: whatever the document, an answer comes back: its
 * text, or why there is none.
 */

export interface PdfReading {
  /** The whole file. */
  readonly bytes: Uint8Array;
  /** The line of its text that is shown first, 1-based. */
  readonly fromLine: number;
  /** Bytes of text that are wanted from there on. */
  readonly wantedBytes: number;
  readonly signal: AbortSignal;
}

export interface PdfText {
  readonly kind: "read";
  /** Of the document. */
  readonly pages: number;
  /** Those that were looked at and have no text. */
  readonly emptyPages: number;
  /** UTF-8; every line is ended. */
  readonly text: Uint8Array;
  /** Whether it is all of the text; else more of it follows, behind all that was wanted. */
  readonly isWhole: boolean;
}

/**
 * `encrypted`: it opens with a password alone. `damaged`: nothing of it can be read. `bounds`: reading it took too much.
 * `reader-missing`: the optional package is not installed. `failed`: the worker was lost.
 */
export type PdfFault = "encrypted" | "damaged" | "bounds" | "reader-missing" | "failed";

/** `reason` ends a sentence: `it has no pages`. */
export interface PdfNotRead {
  readonly kind: "not-read";
  readonly why: PdfFault;
  readonly reason: string;
}

export type ReadPdf = PdfText | PdfNotRead;

/** What a tool may do with PDF documents. */
export interface Documents {
  /** Rejects with the signal's reason where it was cancelled. */
  readPdf(request: PdfReading): Promise<ReadPdf>;
}
