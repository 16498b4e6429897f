/**
 * Owns the closed list of ways in which a call is refused, each with its typed facts.
 * Leaves the wording to toolset/phrase.ts. Rule: a refusal is a value, made where the failure is found,
 * and never guessed from words. Paths in facts are the shown ones (relative to the root, with `/`).
 */

import type { CommitmentRefusalFacts } from "./commitment-refusal.ts";
import type { NetworkRefusalFacts, ResponseRefusalFacts } from "./network-facts.ts";
import type { PdfFault } from "./pdf.ts";

/** Lines `start` to `end`, 1-based and inclusive. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** One argument that cannot be used. `path` is where it stands: `edits[1].old_text`. */
export interface InputProblem {
  readonly path: string;
  /** What is wrong and what is allowed: `must be a whole number of at least 1, not "two"`. */
  readonly message: string;
}

/** The stretch of a file that comes closest to a text that was not found in it. */
export interface ClosestRegion {
  /** The lines of the file, 1-based and inclusive. */
  readonly lines: LineRange;
  /** One entry a line of the region, ready to show: the line, and what was asked for where it differs. */
  readonly rows: readonly {
    readonly line: number;
    readonly actual: string;
    /** Present where the line differs. Absent text means that the asked text has no such line. */
    readonly asked?: string;
  }[];
  /** What tells the texts apart where the eye cannot: `trailing blanks`, `U+00A0 for a space`, `tabs for spaces`. */
  readonly differences: readonly string[];
}

/** One of several places of a text. */
export interface EditPlace {
  readonly line: number;
  readonly text: string;
  /** The nearest line that tells this place from the others, where there is one close by. */
  readonly near?: { readonly line: number; readonly text: string };
}

/** Why no read shows the text that a file is made of, so that none can make it known. Absent where reading does. */
export type NoRead = "image" | "pdf" | "notebook" | "binary" | "too-large";

/** Every code of a refusal, with the facts that it has. */
export interface RefusalFacts extends NetworkRefusalFacts, ResponseRefusalFacts, CommitmentRefusalFacts {
  "path-outside-root": {
    readonly path: string;
    readonly why: "dot-dot" | "absolute" | "link";
    /** A path inside the root that exists and that may have been meant. */
    readonly inside?: string;
  };
  "path-missing": {
    readonly path: string;
    /** The nearest directory that exists, with the first of its entries (directories end in `/`). */
    readonly nearest: {
      readonly path: string;
      readonly entries: readonly string[];
      readonly total: number;
      /** Counting stopped at `total`. */
      readonly isAtLeast?: true;
    };
    /** Files of the same name elsewhere below the root. */
    readonly sameName: readonly string[];
    /** Near spellings in the nearest directory. */
    readonly similar: readonly string[];
  };
  "path-invalid": { readonly path: string; readonly reason: string };
  "path-protected": {
    readonly path: string;
    readonly by: "git" | "haft" | "configuration" | "root";
    /** For a tree: the protected entry inside it, relative to the root as every path. */
    readonly inside?: string;
    readonly done?: string;
  };
  "path-not-regular": { readonly path: string; readonly kind: "fifo" | "socket" | "device" | "other" };
  "path-is-directory": { readonly path: string; readonly operation: string };
  "path-not-directory": { readonly path: string; readonly ancestor: string };
  "path-exists": { readonly path: string; readonly kind: string };
  /** The system does not allow it: permissions, or a read-only file system. */
  "path-denied": {
    readonly path: string;
    readonly operation: string;
    readonly error: string;
    /** What had been done to a tree before, and stays done: `3 entries of it were deleted`. Absent where nothing was. */
    readonly done?: string;
  };
  /** What the path leads to was exchanged while the call ran. */
  "path-changed": { readonly path: string; readonly done?: string };
  "move-into-itself": { readonly from: string; readonly to: string };
  "file-binary": {
    readonly path: string;
    /** `ELF executable`, `zip archive`, or `binary` where nothing is known but the NULs. */
    readonly kind: string;
    readonly bytes: number;
    /** Lines before the first NUL, where a shorter read would show text. */
    readonly textLines?: number;
  };
  "file-too-large": { readonly path: string; readonly bytes: number; readonly maxBytes: number };
  "file-encoding": {
    readonly path: string;
    readonly encoding: string;
    /** Offset of the first byte that is not valid UTF-8; absent where the file is UTF-16. */
    readonly firstBadOffset?: number;
    /** The edit that needs more than ASCII: `edits[0]`. */
    readonly entry?: string;
  };
  "file-unread": {
    readonly path: string;
    readonly lines: number;
    readonly unseen: readonly LineRange[];
    readonly noRead?: NoRead;
  };
  "file-changed": { readonly path: string; readonly lines: readonly LineRange[]; readonly noRead?: NoRead };
  "file-generated": { readonly path: string; readonly marker: string; readonly generator?: string };
  "file-hard-links": { readonly path: string; readonly count: number };
  "file-owner": { readonly path: string; readonly uid: number; readonly gid: number };
  /** The edit would leave a notebook that is no JSON any more. */
  "notebook-broken": { readonly path: string };
  "image-invalid": {
    readonly path: string;
    readonly kind: string;
    readonly bytes: number;
    readonly reason: string;
  };
  /** A PDF document that has no text to be shown. `reason` ends a sentence: `it has no pages`. */
  "pdf-unreadable": {
    readonly path: string;
    readonly bytes: number;
    readonly why: PdfFault;
    readonly reason: string;
  };
  "range-outside": {
    readonly path: string;
    readonly offset: number;
    readonly lines: number;
    /** Present where a column was asked for that the line does not have. */
    readonly column?: { readonly asked: number; readonly characters: number };
  };
  "edit-no-match": {
    readonly path: string;
    readonly entry: string;
    readonly entries: number;
    readonly region?: ClosestRegion;
    /** The line at which the new text already stands. */
    readonly alreadyAt?: number;
  };
  "edit-ambiguous": {
    readonly path: string;
    readonly entry: string;
    /** At most the first 20. */
    readonly places: readonly EditPlace[];
    readonly total: number;
    /** Counting stopped at `total`. */
    readonly isAtLeast?: true;
    /** The text stands nowhere exactly, and by rules of tolerance at all these places. */
    readonly isTolerated?: true;
  };
  /** `replace_all` with a count that the file does not agree with. */
  "edit-count": {
    readonly path: string;
    readonly entry: string;
    readonly expected: number;
    /** At most the first 20. */
    readonly places: readonly EditPlace[];
    readonly total: number;
  };
  /** `endings`: those of the file, which were kept although the edits asked for others. */
  "edit-no-change": { readonly path: string; readonly entry?: string; readonly endings?: "LF" | "CRLF" };
  "input-invalid": {
    readonly tool: string;
    readonly problems: readonly InputProblem[];
    /** What the call takes: `path`, `offset?`. */
    readonly takes: readonly string[];
    /** The list whose entries take that: `edits`. Absent where it is what the call takes. */
    readonly entriesOf?: string;
  };
  "input-truncated": { readonly tool: string; readonly characters: number };
  "tool-unknown": { readonly name: string; readonly nearest?: string; readonly names: readonly string[] };
  "pattern-unsupported": { readonly pattern: string; readonly construct: string; readonly rewrite?: string };
  /** The command ended with another status than 0, or by a signal. What it printed is the content. */
  "command-failed": { readonly code: number | null; readonly signal: string | null };
  "command-timed-out": { readonly timeoutMs: number };
  /** Nothing of it was run. */
  "command-syntax": { readonly message: string; readonly line?: number };
  "command-not-started": { readonly error: string };
  "job-unknown": { readonly id: string; readonly jobs: readonly string[] };
  /** The process that runs commands, other programs or the tool itself could not be had, or was lost while it worked. */
  "worker-lost": {
    readonly tool: string;
    readonly why: string;
    /** Present where the tool itself ran there. */
    readonly ran?: "tool";
  };
  /** No browser can be run. */
  "browser-missing": {
    /** Names and places that were tried, in order. */
    readonly tried: readonly string[];
    /** Present where somebody named a browser, and that one cannot be run. */
    readonly wrong?: {
      readonly by: "browser.path" | "HAFT_BROWSER";
      readonly value: string;
      readonly reason: string;
    };
  };
  /** The browser gave no page. */
  "browser-failed": {
    readonly reason: "not-started" | "no-page" | "timed-out";
    readonly url?: string;
    /** What it printed as errors at last. */
    readonly lastWords: string;
  };
  "permission-denied": {
    readonly tool: string;
    /** Who said no. `nobody` is an ask that nobody could answer. */
    readonly by: "rule" | "mode" | "approver" | "nobody";
    /** The rule as it was written: `deny writes(src/**)`. */
    readonly rule?: string;
    /** What the call would have done, each as a rule would name it: `writes(src/a.ts)`. */
    readonly effects: readonly string[];
    readonly mode: "read-only" | "workspace-write" | "full-access";
    /** The approver's own words. */
    readonly why?: string;
    /** What would be allowed instead: `writes(docs/**)`. */
    readonly allowed: readonly string[];
    /** What of a command cannot be seen through, so that no allow rule covers it: `command substitution`. Absent where all is seen. */
    readonly unseen?: readonly string[];
    /** The narrowest rule that would allow this very call. Absent where a deny rule stands. */
    readonly suggestedRule?: string;
    /** How this host takes such a rule: `--allow 'runs(npm test)'`. */
    readonly flag?: string;
  };
  /** There is no such result to recall. */
  "result-missing": {
    readonly id: string;
    readonly recent: readonly string[];
    /** The call began and never ended, because its process did. */
    readonly isInterrupted?: true;
  };
  /** The range lies past the end of the result. */
  "result-range": {
    readonly id: string;
    readonly unit: "lines" | "characters";
    readonly asked: { readonly start: number; readonly end: number };
    readonly total: number;
  };
  /** A tool of a host's own could not do it. `message` is the text for the model: what is wrong, and what would work. */
  "tool-failed": { readonly message: string };
  "call-cancelled": { readonly tool: string };
  closed: Record<never, never>;
  /** A bug of ours or a failure of the machine: `message` is one honest line, `cause` is for the host. */
  fault: { readonly tool: string; readonly message: string; readonly cause: unknown };
}

/** Why a call was refused, for programs. The list is closed. */
export type RefusalCode = keyof RefusalFacts;

/** One refusal: what the model is told is made from it by toolset/phrase.ts. */
export type Refusal = {
  [C in RefusalCode]: { readonly kind: "refusal"; readonly code: C; readonly facts: RefusalFacts[C] };
}[RefusalCode];

/** The refusal of one code. */
export type RefusalOf<C extends RefusalCode> = Extract<Refusal, { code: C }>;

/** Makes a refusal. It is returned, never thrown. */
export function refuse<C extends RefusalCode>(code: C, facts: RefusalFacts[C]): RefusalOf<C> {
  return { kind: "refusal", code, facts } as unknown as RefusalOf<C>;
}

/** Whether a value that may be a refusal is one. */
export function isRefusal(value: unknown): value is Refusal {
  return typeof value === "object" && value !== null && (value as { kind?: unknown }).kind === "refusal";
}
