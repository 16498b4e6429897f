/**
 * Owns what a call gives back, to the model and to the host.
 * Leaves the words of refusals to toolset/phrase.ts. Rule: a call always gives one of these; it never throws.
 */
import type { Refusal } from "./refusal.ts";

export interface Image {
  readonly mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  readonly base64: string;
  /** Pixels. */
  readonly width: number;
  /** Pixels. */
  readonly height: number;
}

/** Something worth knowing that is neither the result nor a failure. Notes for the model stand at the end of `content`. */
export interface Note {
  readonly code:
    | "argument-ignored"
    | "argument-repaired"
    | "path-spelling"
    | "line-endings"
    | "edit-tolerance"
    | "limit-clamped"
    | "encoding"
    | "hard-links"
    | "after-write"
    | "timeout-unit"
    | "output-folded"
    | "job-ended"
    | "repeated"
    | "other";
  readonly text: string;
  /** `host` notes are not part of `content`. */
  readonly audience: "model" | "host";
}

/** What every call returns. `content` is the text for the model; `details` and `refusal` are for the host. */
export type ToolOutput<D = unknown> =
  | {
      readonly isError: false;
      readonly content: string;
      readonly images: readonly Image[];
      readonly details: D;
      readonly notes: readonly Note[];
    }
  | {
      readonly isError: true;
      readonly content: string;
      readonly images: readonly Image[];
      readonly refusal: Refusal;
      readonly details?: Partial<D>;
      readonly notes: readonly Note[];
    };

/** Bytes `start` to `end` (half open) of a file, as they were when they were shown. */
export interface SeenRange {
  readonly start: number;
  readonly end: number;
  /** sha-256 of those bytes, in base64. */
  readonly hash: string;
  /** Whether the file ended there: bytes that follow later are a change, not a part that was skipped. */
  readonly endsFile: boolean;
}

/** What a call showed of a file, or knows of it because it wrote it. Counted once the result has left. */
export interface Sight {
  /** The real path of the file. */
  readonly file: string;
  readonly ranges: readonly SeenRange[];
  /** True where these ranges stand for all earlier ones: after a change. */
  readonly replace: boolean;
}

/** What a tool's `run` returns on success. */
export interface Done<D> {
  readonly content: string;
  readonly details: D;
  readonly images?: readonly Image[];
  readonly notes?: readonly Note[];
  readonly sights?: readonly Sight[];
  /** Root-relative paths that now differ on disk; what `afterWrite` is told. */
  readonly changed?: readonly string[];
}

/** A call that was made and did not come out well, with what it gave: a command that failed. `content` stands for the refusal's own words. */
export interface Failed<D> {
  readonly kind: "failed";
  readonly refusal: Refusal;
  readonly content: string;
  readonly details: Partial<D>;
  readonly images?: readonly Image[];
  readonly notes?: readonly Note[];
  readonly sights?: readonly Sight[];
  readonly changed?: readonly string[];
}

export type ToolResult<D> = Done<D> | Failed<D> | Refusal;
