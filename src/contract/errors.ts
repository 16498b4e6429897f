/**
 * Owns the errors that haft throws: for wrong options at mounting, from `under`, from `run`, and to tools from the worker.
 * Leaves everything that happens inside a call to refusals. Rule: a message says what was wrong and what is expected.
 */
import type { Refusal } from "./refusal.ts";

/** A wrong option at mounting. */
export class OptionsError extends Error {
  /** `OptionsError`. */
  override readonly name = "OptionsError";
  /** Its name: `limits.readMax`. */
  readonly option: string;
  /** What would be right. */
  readonly expected: string;
  constructor(facts: { option: string; expected: string; got?: string }) {
    super(
      `option ${facts.option}: expected ${facts.expected}${facts.got === undefined ? "" : `, got ${facts.got}`}`,
    );
    this.option = facts.option;
    this.expected = facts.expected;
  }
}

/** A path leads outside the root. Thrown by `under`; the reason given to the `refusal` option. */
export class OutsideRootError extends Error {
  /** `OutsideRootError`. */
  override readonly name = "OutsideRootError";
  /** As of the refusal. */
  readonly code = "path-outside-root";
  /** As it was asked for. */
  readonly path: string;
  /** How it leads outside. */
  readonly why: "dot-dot" | "absolute" | "link";
  constructor(path: string, why: "dot-dot" | "absolute" | "link", message?: string) {
    super(message ?? `${path} is outside the root`);
    this.path = path;
    this.why = why;
  }
}

/** A path does not exist. The reason given to the `refusal` option. */
export class NotFoundError extends Error {
  /** `NotFoundError`. */
  override readonly name = "NotFoundError";
  /** As of the refusal. */
  readonly code = "path-missing";
  /** As it was asked for. */
  readonly path: string;
  constructor(path: string, message?: string) {
    super(message ?? `${path} does not exist`);
    this.path = path;
  }
}

/** The process that runs commands and other programs could not be had, or was lost while it worked. A tool makes the refusal `worker-lost` of it. */
export class WorkerError extends Error {
  override readonly name = "WorkerError";
  /** What became of it, to be put behind "the process that runs programs": `was ended by SIGKILL`. */
  readonly why: string;
  constructor(why: string) {
    super(`the process that runs programs ${why}`);
    this.why = why;
  }
}

/** What `run` rejects with. `message` is the model's text. */
export class RefusalError extends Error {
  /** `RefusalError`. */
  override readonly name = "RefusalError";
  /** The code and its facts. */
  readonly refusal: Refusal;
  constructor(refusal: Refusal, message: string) {
    super(message);
    this.refusal = refusal;
  }
}
