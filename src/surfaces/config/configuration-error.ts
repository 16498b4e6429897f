/**
 * Owns the error of a configuration that cannot be followed. Leaves the words to who finds it.
 * Rule: the message names the file and the key, and what would be right.
 */

export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}
