/**
 * Owns telling the model that its text was not what stands in the file, and by which rule it was still found.
 * Rule: tolerance is always reported, in plain words, with the lines.
 */
import type { Note } from "../../contract/output.ts";
import type { LandedEdit } from "../../text/replace.ts";

/** Line numbers listed; more say no more. */
const LINES_LISTED = 20;

const RULES: Readonly<Record<Exclude<LandedEdit["rule"], "exact">, string>> = {
  "line-endings": "its line endings",
  "line-numbers": "line numbers pasted into it",
  "html-escapes": "HTML escapes in it",
  "literal-newlines": "a literal \\n in it for a newline",
  "final-newline": "a final newline, which the file does not have",
  "trailing-blanks": "blanks at the end of a line",
  "blank-line": "one blank line",
  indentation: "its indentation, shifted as a whole",
  "look-alikes": "look-alike characters (spaces, quotes, dashes or Unicode normalisation)",
};

export function noteTolerance(edit: LandedEdit, index: number): Note[] {
  if (edit.rule === "exact") return [];
  const code = edit.rule === "line-endings" ? "line-endings" : "edit-tolerance";
  const text = `edits[${index}]: old_text fits but for ${RULES[edit.rule]} (${nameLines(edit.tolerated)}); what it shares with new_text stayed as the file has it`;
  return [{ code, text, audience: "model" }];
}

/** `line 3`, `lines 3, 7`. */
export function nameLines(lines: readonly number[]): string {
  const listed = lines.slice(0, LINES_LISTED).join(", ");
  const more = lines.length - LINES_LISTED;
  return `${lines.length === 1 ? "line" : "lines"} ${listed}${more > 0 ? ` and ${more} more` : ""}`;
}
