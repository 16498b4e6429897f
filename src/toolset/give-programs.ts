/**
 * Owns what the option `ripgrep` means for a toolset's programs.
 * Leaves finding and running to process/. Rule: a host that insists on ripgrep is told at mounting that there is
 * none, rather than finding out from a benchmark.
 */
import { OptionsError } from "../contract/errors.ts";
import type { Programs } from "../contract/program.ts";
import { findRipgrepNow, openPrograms } from "../process/programs.ts";
import type { CheckedOptions } from "./options.ts";

export function givePrograms(option: CheckedOptions["ripgrep"], root: string): Programs {
  if (option !== "always") return openPrograms({ root });
  const ripgrep = findRipgrepNow(root);
  if (ripgrep === undefined)
    throw new OptionsError({
      option: "ripgrep",
      expected:
        '"auto" or "never": no ripgrep 13 or later is found on PATH (outside the root), nor the optional package @vscode/ripgrep',
      got: '"always"',
    });
  return openPrograms({ root, ripgrep });
}
