/**
 * Owns the view of earlier results that `recall` is given.
 * Leaves keeping them to the ledger, through the session, and refusing a range past the end to the tool.
 * Rule: read-only, and whole: what the ledger has is what the tool gave. A part costs what the part holds, and not
 * what the whole result does: whoever needs a hundred lines of a result of megabytes never asks for `content`.
 */

/** What an earlier call gave. */
export interface PastResult {
  /** The call's id, as `recall` takes it: short in this session, `<sessionId>/<callId>` for an earlier one. */
  readonly id: string;
  /** The mounted name of the tool. */
  readonly tool: string;
  /** Whether it was refused or failed. */
  readonly isError: boolean;
  /** Unicode characters of the whole content. Known without reading it. */
  readonly characters: number;
  /** Lines of the whole content, as text/lines.ts counts them: 0 where it is empty, a final newline starts no further one. Known without reading it. */
  readonly lines: number;
  /** The whole content, as the tool gave it. Read anew each time that it is asked for: keep it. */
  readonly content: string;
  /**
   * Lines `start` to `end`, 1-based, both inclusive, each with its own ending, in one string: `readLines(1, lines)` is
   * `content`. What lies past either end is left out.
   */
  readLines(start: number, end: number): string;
  /**
   * Characters `start` to `end`, 0-based, half open, counted as Unicode code points: `readCharacters(0, characters)` is
   * `content`. What lies past either end is left out.
   */
  readCharacters(start: number, end: number): string;
}

export interface PastResultSummary {
  readonly id: string;
  readonly tool: string;
  readonly isError: boolean;
  /** Unicode characters of the whole content. */
  readonly characters: number;
  readonly lines: number;
  /** The first line, at most 120 characters of it. */
  readonly head: string;
  /** It began and never ended, because its process did: there is no result to find. */
  readonly isInterrupted?: true;
}

/** What `recall` may see. */
export interface PastResults {
  /** By the id of a call of this session, or by `<sessionId>/<callId>`. Undefined where there is no such call, or it has not ended. */
  find(id: string): PastResult | undefined;
  /** Of this session alone, the latest first; interrupted calls among them. */
  list(limit: number): readonly PastResultSummary[];
}
