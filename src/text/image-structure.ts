/**
 * Owns what an inspection of an image tells.
 * Leaves each format to its file. Rule: a file that breaks off keeps the size that its header gave.
 */
export interface ImageStructure {
  readonly size?: { readonly width: number; readonly height: number };
  /** A few words, to be read after "it is not whole:". */
  readonly fault?: string;
}

export const TRUNCATED = "truncated";
