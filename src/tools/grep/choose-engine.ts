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
 * Measured on the trees of bench/search, two cores, in processor time, which a busy machine does not change: a rare
 * text takes 3 ms in 250 files here and 7 ms in ripgrep with starting it; in 8,500 files 117 ms here, and by reckoning
 * (ripgrep's own time, our walk, its list of names) 125 ms with ripgrep; in 78,000 files 1,310 ms and 1,130 ms. A common
 * word capped at 100 matches takes 3 ms here in the first, 5 ms in the second: it is met within the first hundred files.
 */
const HEAD: Head = { files: 100, bytes: 10_000_000, small: 1_000 };

export async function searchWith(
  { options, ports }: Pick<ToolContext, "options" | "ports">,
  job: SearchJob,
): Promise<EngineOutcome> {
  const always = options.ripgrep === "always";
  const { programs } = ports;
  const printed = printForRipgrep(job.pattern);
  const mayHelp = options.ripgrep !== "never" && printed !== undefined && (always || isForRipgrep(job));
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

/**
 * One file is read in the time that it takes to start a program. Where one text tells of nearly every file that
 * nothing in it matches, and that text is not the whole pattern, ripgrep takes twice as long for it as we do: in
 * 8,500 files 1.0 of its own time with it, 0.6 without, for `[a-z]+_zqx[0-9]+\\(`.
 */
function isForRipgrep({ single, pattern: { literals } }: SearchJob): boolean {
  return !single && (literals === undefined || literals.whole || literals.texts.length > 1);
}
