/**
 * Owns what is told of a shell command that was parsed. Leaves parsing to parse-shell.ts.
 * Rule: whoever allows by these words looks at `opaque` first: what is named there may run anything.
 */

export interface SimpleCommand {
  /** After unquoting, the command's name first. In a word that cannot be known, expansions stand as they were written, and `opaque` says why. */
  readonly words: readonly string[];
  /** `NAME=value` before the name, unquoted. */
  readonly assignments: readonly string[];
}

export interface ParsedShell {
  /** Every simple command in the order of the text: those in lists, pipelines, groups, loops, functions and substitutions too. */
  readonly commands: readonly SimpleCommand[];
  /** Constructs that cannot be seen through, each once, in the order of the text: `command substitution`, `eval`, `redirection to a path`. Empty where everything was seen. */
  readonly opaque: readonly string[];
  readonly error?: { readonly message: string; readonly line?: number };
  /** The name of each stage of the last pipeline, one entry where it is no pipeline: `while` for a loop, `(…)` for a subshell. */
  readonly lastPipeline: readonly string[];
  /** The names of the commands whose status may be that of the whole, the last in the text last: `cd`, `grep` for `cd src && grep x f`. Empty where that is not sure. */
  readonly deciders: readonly string[];
  /** Some `cd`, `pushd` or `popd` in the shell itself, or what may be one. */
  readonly changesDirectory: boolean;
}
