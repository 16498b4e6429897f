/**
 * Owns which engine searches. Leaves searching to them.
 * Rule: by what is measured, never by what is seen in the answer: that is the same from both.
 */
import type { ToolContext } from "../../contract/context.ts";
import type { Programs } from "../../contract/program.ts";
import { printForRipgrep } from "../../text/ripgrep-pattern.ts";
import { builtinEngine } from "./builtin-engine.ts";
import type { SearchJob } from "./engine.ts";
import { type EngineOutcome, searchWithRipgrep } from "./ripgrep/ripgrep-engine.ts";

/** Where ripgrep is insisted on, it searches whatever there is. */
const NO_HEAD = { files: 0, small: 0 };
const HEAD = { files: 200, small: 1_000 };

export async function searchWith(
  { options, ports }: Pick<ToolContext, "options" | "ports">,
  job: SearchJob,
): Promise<EngineOutcome> {
  const always = options.ripgrep === "always";
  const { programs } = ports;
  // One file is read in the time that it takes to start a program.
  if (options.ripgrep !== "never" && programs !== undefined && (always || !job.single)) {
    const found = await findRipgrep(programs, job);
    if (found !== undefined)
      return searchWithRipgrep({ job, programs, ...found, head: always ? NO_HEAD : HEAD });
  }
  return { outcome: await builtinEngine.search(job), engine: "builtin" };
}

async function findRipgrep(
  programs: Programs,
  job: SearchJob,
): Promise<{ program: string; printed: string } | undefined> {
  const printed = printForRipgrep(job.pattern);
  if (printed === undefined) return undefined;
  const program = await programs.findRipgrep();
  return program === undefined ? undefined : { program, printed };
}
