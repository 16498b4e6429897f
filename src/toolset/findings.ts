/**
 * Owns what the gate collects while it reads one call's arguments: everything wrong at once, and what to say.
 * Leaves the words for a model to phrase.ts. Rule: one problem a path, in the order found.
 */
import type { Note } from "../contract/output.ts";
import type { InputProblem } from "../contract/refusal.ts";

export interface Findings {
  readonly problems: InputProblem[];
  /** Unknown arguments that a call which changes nothing gets along without. */
  readonly unknown: InputProblem[];
  /** For the model. */
  readonly notes: Pick<Note, "code" | "text">[];
  /** What was repaired in how the arguments were written: for the host alone. */
  readonly repairs: string[];
  /** A text among the arguments ends too early. */
  truncated: boolean;
  problem(path: string, message: string): void;
  /** An argument that was ignored, or taken otherwise than it was sent. */
  note(text: string, code?: "argument-ignored" | "argument-repaired"): void;
}

export function collectFindings(): Findings {
  const problems: InputProblem[] = [];
  const notes: Pick<Note, "code" | "text">[] = [];
  return {
    problems,
    unknown: [],
    notes,
    repairs: [],
    truncated: false,
    problem(path, message) {
      if (!problems.some((one) => one.path === path)) problems.push({ path, message });
    },
    note(text, code = "argument-ignored") {
      if (!notes.some((one) => one.text === text)) notes.push({ code, text });
    },
  };
}
