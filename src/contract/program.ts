/**
 * Owns the words with which a tool asks for another program to be run.
 * Leaves starting it to process/. Rule: no shell, no input, an environment of named variables alone; a cancelled
 * program is ended with everything that it started.
 */

export interface ProgramRequest {
  /** Absolute path. */
  readonly program: string;
  readonly args: readonly string[];
  /** Absolute path of the folder in which it runs. */
  readonly cwd: string;
  readonly signal: AbortSignal;
}

export type ProgramEnd =
  /** `status` is null where a signal ended it. `output` is its standard output. */
  | { readonly kind: "ended"; readonly status: number | null; readonly output: Buffer }
  | { readonly kind: "not-started"; readonly error: string };

/** What a tool may do with other programs. */
export interface Programs {
  /** The ripgrep of this toolset, looked for once; undefined where there is none. */
  findRipgrep(): Promise<string | undefined>;
  /** Resolves when the program has ended; rejects with the signal's reason where it was cancelled. */
  run(request: ProgramRequest): Promise<ProgramEnd>;
}
