/**
 * Owns which engine searches. Leaves searching to them.
 * Rule: by what is measured, never by what is seen in the answer: that is the same from both.
 */
import type { ToolContext } from "../../contract/context.ts";
import { printForRipgrep } from "../../text/ripgrep-pattern.ts";
import { builtinEngine } from "./builtin-engine.ts";
import type { SearchJob } from "./engine.ts";
import { type EngineOutcome, type Head, searchWithRipgrep } from "./ripgrep/ripgrep-engine.ts";

/** Where ripgrep is insisted on, it searches whatever there is. */
const NO_HEAD: Head = { files: 0, bytes: 0, small: 0 };
/**
 * Measured on the trees of bench/search, two cores, medians of 9, a rare text: 250 files take 10 ms here and 16 ms with
 * ripgrep, 8,500 files 144 ms and 129 ms, 78,000 files 1,133 ms and 764 ms. A common word capped at 100 matches takes
 * 22 ms and 43 ms here, 187 ms and 1,287 ms with ripgrep: it is met within the first hundred files.
 */
const HEAD: Head = { files: 100, bytes: 10_000_000, small: 1_000 };

export async function searchWith(
  { options, ports }: Pick<ToolContext, "options" | "ports">,
  job: SearchJob,
): Promise<EngineOutcome> {
  const always = options.ripgrep === "always";
  const { programs } = ports;
  const printed = printForRipgrep(job.pattern);
  // One file is read in the time that it takes to start a program.
  const mayHelp = options.ripgrep !== "never" && printed !== undefined && (always || !job.single);
  if (mayHelp && programs !== undefined) {
    const found = await searchWithRipgrep({
      job,
      programs,
      findProgram: () => programs.findRipgrep(),
      printed,
      head: always ? NO_HEAD : HEAD,
    });
    if (found !== undefined) return found;
  }
  return { outcome: await builtinEngine.search(job), engine: "builtin" };
}
