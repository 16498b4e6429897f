/**
 * Owns what the server tells the model about itself as a whole.
 * Leaves each tool to its own description. Rule: short; nothing here is said in a description too.
 */

export const INSTRUCTIONS = [
  "haft works on the files of one directory, the root. Paths are relative to it, with `/`; nothing outside it can be reached.",
  "The root is the one that the server was started with, else the first `file:` root of the client. Where the client has further roots, the first tool's description names them: they cannot be reached.",
  "Line numbers start at 1 and mean the same in every tool. A refusal says what would work: take its advice rather than repeat the call.",
].join("\n");

/** The line that names the roots which are not mounted. They become known only after the instructions were sent. */
export function describeOthers(others: readonly string[]): string | undefined {
  if (others.length === 0) return undefined;
  return `Other roots of this workspace, which these tools cannot reach: ${others.join(", ")}.`;
}
