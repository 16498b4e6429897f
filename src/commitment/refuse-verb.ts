/**
 * Owns how a verb of the library says no: an error with the refusal in it.
 * Leaves the words to toolset/phrase.ts. Rule: the message is the same text that every surface shows.
 */
import { RefusalError } from "../contract/errors.ts";
import { type Refusal, refuse } from "../contract/refusal.ts";
import { phraseRefusal } from "../toolset/phrase.ts";

/** Hosts call verbs, not tools: no call is suggested. */
const NO_NAMES = { name: () => undefined, suggest: () => undefined };
/** A verb writes, so its refusal says that nothing was written. */
const VERB = {
  name: "commitments",
  annotations: {
    title: "A verb of commitments",
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
};
const LONGEST = 4_000;

export function raise(refusal: Refusal): RefusalError {
  return new RefusalError(refusal, phraseRefusal(refusal, { names: NO_NAMES, tool: VERB }));
}

export function refuseInput(path: string, message: string): RefusalError {
  return raise(refuse("commitment-invalid", { problems: [{ path, message }] }));
}

/** A text that a person or a host gave, as the terms take theirs. */
export function requireText(path: string, value: unknown): string {
  if (typeof value !== "string" || value.trim() === "")
    throw refuseInput(path, "must be a text, and not empty");
  if (!value.isWellFormed()) throw refuseInput(path, "must be well-formed Unicode");
  if ([...value].length > LONGEST) throw refuseInput(path, `must have at most ${LONGEST} characters`);
  return value;
}
