/**
 * Owns what a call gives back, to the model and to the host.
 * Leaves the words of refusals to toolset/phrase.ts. Rule: a call always gives one of these; it never throws.
 */
import type { Refusal } from "./refusal.ts";

/** A picture beside the text. */
export interface Image {
  /** What it is. */
  readonly mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  /** Its bytes. */
  readonly base64: string;
  /** Pixels. */
  readonly width: number;
  /** Pixels. */
  readonly height: number;
}

/** Something worth knowing that is neither the result nor a failure. Notes for the model stand at the end of `content`. */
export interface Note {
  /** What kind of note it is. */
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
  /** One line. */
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
  /** Byte, 0-based, inclusive. */
  readonly start: number;
  /** Byte, exclusive. */
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
  /** Which bytes. */
  readonly ranges: readonly SeenRange[];
  /** True where these ranges stand for all earlier ones: after a change. */
  readonly replace: boolean;
}

/** What a tool's `run` returns on success. */
export interface Done<D> {
  /** The text for the model, whole. */
  readonly content: string;
  /** For the host. */
  readonly details: D;
  /** Beside the text. Default none. */
  readonly images?: readonly Image[];
  /** Worth knowing. Default none. */
  readonly notes?: readonly Note[];
  /** What it showed of files. Default nothing. */
  readonly sights?: readonly Sight[];
  /** Root-relative paths that now differ on disk; what `afterWrite` is told. */
  readonly changed?: readonly string[];
}

/** A call that was made and did not come out well, with what it gave: a command that failed. `content` stands for the refusal's own words. */
export interface Failed<D> {
  readonly kind: "failed";
  /** The code and facts, for the host. */
  readonly refusal: Refusal;
  /** The text for the model, whole. */
  readonly content: string;
  /** For the host. */
  readonly details: Partial<D>;
  /** As in `Done`. */
  readonly images?: readonly Image[];
  /** As in `Done`. */
  readonly notes?: readonly Note[];
  /** As in `Done`. */
  readonly sights?: readonly Sight[];
  /** As in `Done`. */
  readonly changed?: readonly string[];
}

/** What the `run` of a tool gives. */
export type ToolResult<D> = Done<D> | Failed<D> | Refusal;
