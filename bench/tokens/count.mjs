/**
 * Owns counting: what a text, and what a definition as a provider gets it, costs in tokens.
 * Leaves tables to run.mjs. Rule: one public tokenizer for everybody, so that numbers compare. Other models count
 * differently, by some percent, and for all alike.
 */
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

export const TOKENIZER = "o200k_base";

export function countText(text) {
  return countTokens(text);
}

/** As it stands in a request, whatever the provider calls its parts. */
export function countDefinition({ name, description, inputSchema }) {
  return countTokens(JSON.stringify({ name, description, input_schema: inputSchema }));
}
