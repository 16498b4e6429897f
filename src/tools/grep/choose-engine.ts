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
 * Measured on the trees of bench/search, two cores: a text that no line holds takes 50 ms in 8,500 files here and 64 ms
 * with ripgrep (its own time, our walk, its list of names), 450 ms and 570 ms in 78,000 files. A pattern that holds no
 * text without which it cannot match takes 90 ms and 65 ms, 630 ms and 590 ms. A common word capped at 100 matches takes
 * 3 ms here in any of them: it is met within the first hundred files.
 */
const HEAD: Head = { files: 100, bytes: 10_000_000, small: 1_000 };

export async function searchWith(
  { options, ports }: Pick<ToolContext, "options" | "ports">,
  job: SearchJob,
): Promise<EngineOutcome> {
  const always = options.ripgrep === "always";
  const { programs } = ports;
  const mayHelp = options.ripgrep !== "never" && (always || isForRipgrep(job));
  const printed = mayHelp ? printForRipgrep(job.pattern) : undefined;
  if (printed !== undefined && programs !== undefined) {
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

/** One file is read in the time that it takes to start a program; and where texts tell of nearly every file, we are faster. */
function isForRipgrep({ single, pattern: { literals } }: SearchJob): boolean {
  return !single && literals === undefined;
}
