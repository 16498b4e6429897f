/**
 * Owns which engine searches. Leaves searching to them.
 * Rule: by what is measured, never by what is seen in the answer: that is the same from both.
 */
import type { ToolContext } from "../../contract/context.ts";
import { printForRipgrep } from "../../text/ripgrep-pattern.ts";
import { builtinEngine } from "./builtin-engine.ts";
import type { SearchJob } from "./engine.ts";
import { type EngineOutcome, type Head, searchWithRipgrep } from "./ripgrep/ripgrep-engine.ts";
import { FIRST_FILES } from "./tree-search.ts";

/** Where ripgrep is insisted on, it searches whatever there is. */
const NO_HEAD: Head = { files: 0, bytes: 0, small: 0 };
/**
 * Measured on the trees of bench/search, two cores: a text that no line holds takes 50 ms in 8,500 files here and 64 ms
 * with ripgrep (its own time, our walk, its list of names), 450 ms and 570 ms in 78,000 files. A pattern of which no
 * text tells takes 90 ms and 65 ms, 630 ms and 590 ms. A common word capped at 100 matches takes 3 ms here in any of
 * them: it is met within the first hundred files.
 */
const HEAD: Head = { files: FIRST_FILES, bytes: 10_000_000, small: 1_000 };

export async function searchWith(
  { options, ports }: Pick<ToolContext, "options" | "ports">,
  job: SearchJob,
): Promise<EngineOutcome> {
  const { programs } = ports;
  const always = options.ripgrep === "always";
  // One file is read in the time that it takes to start a program.
  const mayHelp = options.ripgrep !== "never" && (always || !job.single);
  if (!mayHelp || programs === undefined) {
    return { outcome: await builtinEngine.search(job), engine: "builtin" };
  }
  const print = () => printForRipgrep(job.pattern);
  return searchWithRipgrep({ job, programs, print, head: always ? NO_HEAD : HEAD });
}
