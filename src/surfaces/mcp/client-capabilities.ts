/**
 * Owns reading what a client says it can do. Leaves what follows from it to asks.ts and root-question.ts.
 */

/** Whether the client can put a form before its person. One without modes is a form, as it was before there were modes. */
export function offersForm(capabilities: unknown): boolean {
  const offered = (capabilities as { elicitation?: Readonly<Record<string, unknown>> } | undefined)
    ?.elicitation;
  return offered !== undefined && (offered.form !== undefined || offered.url === undefined);
}

/** Whether the client can be asked for its roots. */
export function offersRoots(capabilities: unknown): boolean {
  return (capabilities as { roots?: unknown } | undefined)?.roots !== undefined;
}
