/**
 * Owns `haft doctor`: what is found here, and what each absence costs.
 * Leaves looking to doctor/findings.ts. Rule: status 1 only where haft does not work at all.
 */
import type { Command } from "commander";
import { collectFindings } from "../doctor/findings.ts";
import { colorsFor, printJson, printLine } from "../print.ts";

const EXAMPLES = `
Examples:
  haft doctor
  haft doctor --root ~/project --json`;

export function addDoctorCommand(program: Command): void {
  program
    .command("doctor")
    .description("say what was found here, and what each absence costs")
    .option("--root <dir>", "the directory that would be mounted (default: the working directory)")
    .option("--json", "print the findings as JSON")
    .addHelpText("after", EXAMPLES)
    .action(async (flags: { root?: string; json?: boolean }) => {
      const findings = await collectFindings(flags.root ?? process.cwd());
      process.exitCode = findings.some((finding) => finding.required && !finding.found) ? 1 : 0;
      if (flags.json) return printJson({ findings });
      const colors = colorsFor(process.stdout);
      for (const { name, found, detail, costs } of findings) {
        const mark = found ? colors.green("found  ") : colors.yellow("missing");
        printLine(`${mark} ${name}: ${detail}${found ? "" : `. Without it: ${costs}`}`);
      }
    });
}
