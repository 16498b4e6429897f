/**
 * Owns `haft completion`: the script for a shell. Leaves making it to ../completion.ts. Rule: printed, never installed.
 */
import type { Command } from "commander";
import { nearestName } from "../../../text/edit-distance.ts";
import { SHELLS, writeCompletion } from "../completion.ts";
import { printLine } from "../print.ts";

const EXAMPLES = `
Examples:
  haft completion bash > ~/.local/share/bash-completion/completions/haft
  haft completion zsh >> ~/.zshrc
  haft completion fish > ~/.config/fish/completions/haft.fish`;

export function addCompletionCommand(program: Command): void {
  const command = program
    .command("completion")
    .description("print the script by which a shell completes haft")
    .argument("<shell>", SHELLS.join(", "))
    .addHelpText("after", EXAMPLES);
  command.action((name: string) => {
    const shell = SHELLS.find((one) => one === name);
    if (shell !== undefined) return printLine(writeCompletion(program, shell));
    const near = nearestName(name, SHELLS);
    const hint = near === undefined ? "" : ` (did you mean ${near}?)`;
    return command.error(
      `error: completion is for ${SHELLS.join(", ")}, not ${JSON.stringify(name)}${hint}`,
      {
        exitCode: 2,
      },
    );
  });
}
